// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// LimbProgram: a list of instructions on limbs in single-assignment form. The waist of Heliodor:
// every algorithm is emitted as one, every target plans it in its own way, every target returns the
// same words.
//
// A value is a vector of N words with a modulus and a domain (or a 32-byte public seed). Each value
// is defined once, by an input or by an instruction. There are no loops, branches or addresses:
// those belong to plans.
//
// A LimbProgram is made by Builder (builder.h), parse_text (text.h) or decode_binary (binary.h). It
// may be malformed until verify() (verifier.h) finds nothing; targets refuse it otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heliodor/program/generated/limb_op.h"
#include "heliodor/ring/modulus.h"
#include "heliodor/ring/reference.h"

namespace heliodor::program {

using ring::Domain;

/// Index of a value; values are numbered in the order in which they are defined, inputs and results
/// alike.
using ValueId = std::uint32_t;

struct ValueType {
  static constexpr std::uint32_t kSeed = 0xffffffff;

  std::uint32_t modulus = kSeed;  ///< index into LimbProgram::moduli(), or kSeed for a public seed
  Domain domain = Domain::coeff;  ///< meaningless for seeds

  static ValueType seed() { return {}; }
  bool is_seed() const noexcept { return modulus == kSeed; }
  bool operator==(const ValueType&) const = default;
};

/// Operands differ from run to run of a batch; keys, constants and seeds are shared by all of it.
enum class InputKind : std::uint8_t { operand, key, constant, seed };

struct Input {
  InputKind kind;
  ValueId value;
  std::string name;

  bool operator==(const Input&) const = default;
};

struct Output {
  ValueId value;
  std::string name;

  bool operator==(const Output&) const = default;
};

/// One instruction as a view into its program.
struct Instruction {
  LimbOp op;
  ValueId result;
  std::span<const ValueId> operands;
  std::span<const std::uint64_t> scalars;
  std::uint64_t
      parameter;  ///< Galois element, Rounding, Lift or stream, by info(op).parameter; else 0

  ring::Rounding rounding() const noexcept { return static_cast<ring::Rounding>(parameter); }
  ring::Lift lift() const noexcept { return static_cast<ring::Lift>(parameter); }
};

class LimbProgram {
 public:
  /// An empty program over moduli that all have the same degree. Throws Error{out_of_range} if
  /// there is no modulus, Error{mismatch} if degrees differ.
  explicit LimbProgram(std::vector<ring::Modulus> moduli, std::string name = "program");

  const std::string& name() const noexcept { return name_; }
  std::uint64_t degree() const noexcept { return moduli_.front().degree(); }
  std::span<const ring::Modulus> moduli() const noexcept { return moduli_; }
  std::span<const Input> inputs() const noexcept { return inputs_; }
  std::span<const Output> outputs() const noexcept { return outputs_; }

  std::size_t value_count() const noexcept { return types_.size(); }
  ValueType type(ValueId value) const noexcept { return types_[value]; }
  /// The modulus of a limb. Requires that `value` is not a seed.
  const ring::Modulus& modulus(ValueId value) const noexcept {
    return moduli_[types_[value].modulus];
  }

  std::size_t instruction_count() const noexcept { return records_.size(); }
  Instruction instruction(std::size_t index) const noexcept;
  /// The instruction that defines a value; nothing if an input does.
  std::optional<std::size_t> definition(ValueId value) const noexcept;

  // Appending. Nothing is checked but sizes: an instruction's operands may not exist. Spans may not
  // point into this program. Throws Error{out_of_range} when values, operands or scalars exceed
  // 2^32 - 1.
  ValueId append_input(InputKind kind, std::string name, ValueType type);
  ValueId append(LimbOp op, ValueType type, std::span<const ValueId> operands,
                 std::span<const std::uint64_t> scalars = {}, std::uint64_t parameter = 0);
  void append_output(std::string name, ValueId value);
  void reserve(std::size_t instructions, std::size_t operands);

  bool operator==(const LimbProgram& other) const;

 private:
  struct Record {
    LimbOp op;
    ValueId result;
    std::uint32_t first_operand, operand_count;
    std::uint32_t first_scalar, scalar_count;
    std::uint64_t parameter;

    bool operator==(const Record&) const = default;
  };

  static constexpr std::uint32_t kInput = 0xffffffff;

  std::string name_;
  std::vector<ring::Modulus> moduli_;
  std::vector<ValueType> types_;
  std::vector<std::uint32_t> definitions_;  // by value: index of its instruction, or kInput
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<Record> records_;
  std::vector<ValueId> operands_;
  std::vector<std::uint64_t> scalars_;
};

}  // namespace heliodor::program
