// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/program/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/program/verifier.h"

namespace heliodor::program {

Builder::Builder(std::vector<ring::Modulus> moduli, std::string name)
    : program_(std::move(moduli), std::move(name)) {}

ValueId Builder::operand(std::string name, std::uint32_t modulus_index, Domain domain) {
  modulus(modulus_index);
  return program_.append_input(InputKind::operand, std::move(name), {modulus_index, domain});
}

ValueId Builder::key(std::string name, std::uint32_t modulus_index, Domain domain) {
  modulus(modulus_index);
  return program_.append_input(InputKind::key, std::move(name), {modulus_index, domain});
}

ValueId Builder::constant(std::string name, std::uint32_t modulus_index, Domain domain) {
  modulus(modulus_index);
  return program_.append_input(InputKind::constant, std::move(name), {modulus_index, domain});
}

ValueId Builder::seed(std::string name) {
  return program_.append_input(InputKind::seed, std::move(name), ValueType::seed());
}

ValueId Builder::add(ValueId x, ValueId y) { return like(LimbOp::add, std::array{x, y}); }

ValueId Builder::sub(ValueId x, ValueId y) { return like(LimbOp::sub, std::array{x, y}); }

ValueId Builder::neg(ValueId x) { return like(LimbOp::neg, std::array{x}); }

ValueId Builder::mul(ValueId x, ValueId y) { return like(LimbOp::mul, std::array{x, y}); }

ValueId Builder::add_scalar(ValueId x, std::uint64_t c) {
  return like(LimbOp::add_scalar, std::array{x}, std::array{c});
}

ValueId Builder::mul_scalar(ValueId x, std::uint64_t c) {
  return like(LimbOp::mul_scalar, std::array{x}, std::array{c});
}

ValueId Builder::dot(std::span<const std::pair<ValueId, ValueId>> pairs) {
  std::vector<ValueId> operands;
  operands.reserve(2 * pairs.size());
  for (const auto& [x, y] : pairs) {
    operands.push_back(x);
    operands.push_back(y);
  }
  return like(LimbOp::dot, operands);
}

ValueId Builder::dot_scalar(std::uint32_t modulus_index, std::span<const ValueId> sources,
                            std::span<const std::uint64_t> c) {
  modulus(modulus_index);
  const auto foreign = [&](ValueId x) { return type(x).modulus != modulus_index; };
  const bool own = std::count_if(sources.begin(), sources.end(), foreign) == 0;
  const Domain domain = own && !sources.empty() ? type(sources.front()).domain : Domain::coeff;
  return program_.append(LimbOp::dot_scalar, {modulus_index, domain}, sources, c);
}

ValueId Builder::quotient(std::uint32_t modulus_index, ring::Rounding rounding,
                          std::span<const ValueId> sources) {
  modulus(modulus_index);
  for (const ValueId x : sources) type(x);
  return program_.append(LimbOp::quotient, {modulus_index, Domain::coeff}, sources, {},
                         static_cast<std::uint64_t>(rounding));
}

ValueId Builder::reduce(std::uint32_t modulus_index, ring::Lift lift, ValueId x) {
  modulus(modulus_index);
  type(x);
  return program_.append(LimbOp::reduce, {modulus_index, Domain::coeff}, std::array{x}, {},
                         static_cast<std::uint64_t>(lift));
}

ValueId Builder::ntt(ValueId x) {
  return program_.append(LimbOp::ntt, {type(x).modulus, Domain::eval}, std::array{x});
}

ValueId Builder::intt(ValueId x) {
  return program_.append(LimbOp::intt, {type(x).modulus, Domain::coeff}, std::array{x});
}

ValueId Builder::coefficients(ValueId x) { return type(x).domain == Domain::coeff ? x : intt(x); }

ValueId Builder::evaluations(ValueId x) { return type(x).domain == Domain::eval ? x : ntt(x); }

ValueId Builder::permute(std::uint64_t galois_element, ValueId x) {
  return like(LimbOp::permute, std::array{x}, {}, galois_element);
}

ValueId Builder::uniform(ValueId seed, std::uint64_t stream, std::uint32_t modulus_index,
                         Domain domain) {
  modulus(modulus_index);
  type(seed);
  return program_.append(LimbOp::uniform, {modulus_index, domain}, std::array{seed}, {}, stream);
}

void Builder::output(std::string name, ValueId value) {
  type(value);
  program_.append_output(std::move(name), value);
}

const ring::Modulus& Builder::modulus(std::uint32_t index) const {
  const std::size_t count = program_.moduli().size();
  if (index >= count) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("modulus index {} is not below {}", index, count));
  }
  return program_.moduli()[index];
}

ValueType Builder::type(ValueId value) const {
  if (value >= program_.value_count()) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("value %{} is not below %{}", value, program_.value_count()));
  }
  return program_.type(value);
}

LimbProgram Builder::build() {
  const base::Diagnostics diagnostics = verify(program_);
  if (!diagnostics.empty()) {
    throw Error(ErrorCode::invalid_program, to_string(diagnostics, program_.name()));
  }
  LimbProgram empty({program_.moduli().begin(), program_.moduli().end()}, program_.name());
  return std::exchange(program_, std::move(empty));
}

ValueId Builder::like(LimbOp op, std::span<const ValueId> operands,
                      std::span<const std::uint64_t> scalars, std::uint64_t parameter) {
  for (const ValueId x : operands) type(x);
  // Without operands nothing fixes the type; build() reports the missing operands.
  const ValueType result = operands.empty() ? ValueType{0, Domain::coeff} : type(operands.front());
  return program_.append(op, result, operands, scalars, parameter);
}

}  // namespace heliodor::program
