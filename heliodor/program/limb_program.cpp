// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/program/limb_program.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "heliodor/base/error.h"

namespace heliodor::program {

namespace {

/// Records hold 32-bit indices, of which the last is LimbProgram::kInput.
std::uint32_t checked_index(const char* what, std::size_t index) {
  constexpr std::size_t kLimit = std::numeric_limits<std::uint32_t>::max();
  if (index >= kLimit) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("{} count {} exceeds {}", what, index, kLimit));
  }
  return static_cast<std::uint32_t>(index);
}

}  // namespace

LimbProgram::LimbProgram(std::vector<ring::Modulus> moduli, std::string name)
    : name_(std::move(name)), moduli_(std::move(moduli)) {
  if (moduli_.empty()) throw Error(ErrorCode::out_of_range, "modulus count 0 is below 1");
  for (std::size_t i = 1; i < moduli_.size(); ++i) {
    if (moduli_[i].degree() != degree()) {
      throw Error(ErrorCode::mismatch, fmt::format("modulus q{} has degree {}, q0 has {}", i,
                                                   moduli_[i].degree(), degree()));
    }
  }
}

Instruction LimbProgram::instruction(std::size_t index) const noexcept {
  const Record& record = records_[index];
  return {record.op, record.result,
          std::span(operands_).subspan(record.first_operand, record.operand_count),
          std::span(scalars_).subspan(record.first_scalar, record.scalar_count), record.parameter};
}

std::optional<std::size_t> LimbProgram::definition(ValueId value) const noexcept {
  const std::uint32_t index = definitions_[value];
  if (index == kInput) return std::nullopt;
  return index;
}

ValueId LimbProgram::append_input(InputKind kind, std::string name, ValueType type) {
  const ValueId value = checked_index("value", types_.size());
  inputs_.push_back({kind, value, std::move(name)});
  types_.push_back(type);
  definitions_.push_back(kInput);
  return value;
}

ValueId LimbProgram::append(LimbOp op, ValueType type, std::span<const ValueId> operands,
                            std::span<const std::uint64_t> scalars, std::uint64_t parameter) {
  const ValueId value = checked_index("value", types_.size());
  checked_index("operand", operands_.size() + operands.size());
  checked_index("scalar", scalars_.size() + scalars.size());
  records_.push_back({op, value, static_cast<std::uint32_t>(operands_.size()),
                      static_cast<std::uint32_t>(operands.size()),
                      static_cast<std::uint32_t>(scalars_.size()),
                      static_cast<std::uint32_t>(scalars.size()), parameter});
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  scalars_.insert(scalars_.end(), scalars.begin(), scalars.end());
  types_.push_back(type);
  definitions_.push_back(static_cast<std::uint32_t>(records_.size() - 1));
  return value;
}

void LimbProgram::append_output(std::string name, ValueId value) {
  outputs_.push_back({value, std::move(name)});
}

void LimbProgram::reserve(std::size_t instructions, std::size_t operands) {
  records_.reserve(instructions);
  types_.reserve(inputs_.size() + instructions);
  definitions_.reserve(inputs_.size() + instructions);
  operands_.reserve(operands);
}

bool LimbProgram::operator==(const LimbProgram& other) const {
  return name_ == other.name_ && moduli_ == other.moduli_ && types_ == other.types_ &&
         definitions_ == other.definitions_ && inputs_ == other.inputs_ &&
         outputs_ == other.outputs_ && records_ == other.records_ && operands_ == other.operands_ &&
         scalars_ == other.scalars_;
}

}  // namespace heliodor::program
