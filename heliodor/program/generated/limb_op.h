// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// generated from heliodor/program/instructions.toml by tools/generate_instructions; do not edit

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace heliodor::program {

/// The instructions of LimbPrograms by their number in the binary form.
enum class LimbOp : std::uint8_t {
  add = 1,  ///< x + y mod q
  sub = 2,  ///< x - y mod q
  neg = 3,  ///< -x mod q
  mul = 4,  ///< x * y mod q, word by word
  add_scalar = 5,  ///< x + c mod q, word by word
  mul_scalar = 6,  ///< x * c mod q
  dot = 7,  ///< sum_k x_k * y_k mod q, word by word
  dot_scalar = 8,  ///< sum_k x_k * c_k mod q, x_k read as the integer in [0, q_k)
  quotient = 9,  ///< floor or nearest integer of sum_k x_k / q_k, by the fixed-point formula of ring/reference.h
  reduce = 10,  ///< the integer in [0, q_a), plain or centred, mod q
  ntt = 11,  ///< slot i = value at psi^(2*bitrev(i)+1)
  intt = 12,  ///< the inverse of ntt
  permute = 13,  ///< x(X^g), g odd and below 2N
  uniform = 14,  ///< N residues by rejection from ChaCha20(seed, stream)
};

enum class OperandShape : std::uint8_t {
  one,  ///< one limb
  two,  ///< two limbs
  pairs,  ///< x0 y0 x1 y1 .., at least one pair
  list,  ///< at least one limb
  seed,  ///< one public seed
};

enum class ScalarShape : std::uint8_t {
  none,  ///< no constants
  one,  ///< one constant modulo the result's modulus
  per_operand,  ///< one constant for each operand
};

enum class ParameterKind : std::uint8_t {
  none,  ///< the parameter is 0
  galois_element,  ///< odd and below 2N
  rounding,  ///< a ring::Rounding
  lift,  ///< a ring::Lift
  stream,  ///< any 64-bit number
};

enum class TypeRule : std::uint8_t {
  same,  ///< operands and result share modulus and domain
  transform,  ///< one modulus, from one domain to the other
  linear,  ///< a foreign operand and then the result in coefficients; own ones as the result
  integers,  ///< operands of any moduli; all in coefficients
  free,  ///< any result type
};

/// What the builder, the verifier and the text and binary forms know about one instruction.
struct LimbOpInfo {
  std::string_view name;  ///< empty for an opcode that no instruction has
  OperandShape operands = OperandShape::one;
  ScalarShape scalars = ScalarShape::none;
  ParameterKind parameter = ParameterKind::none;
  TypeRule types = TypeRule::same;
  bool from_eval = false;  ///< transforms only: evaluations to coefficients, else the reverse
};

/// Every instruction, by opcode.
inline constexpr std::array<LimbOp, 14> kAllLimbOps{{
    LimbOp::add,
    LimbOp::sub,
    LimbOp::neg,
    LimbOp::mul,
    LimbOp::add_scalar,
    LimbOp::mul_scalar,
    LimbOp::dot,
    LimbOp::dot_scalar,
    LimbOp::quotient,
    LimbOp::reduce,
    LimbOp::ntt,
    LimbOp::intt,
    LimbOp::permute,
    LimbOp::uniform,
}};

/// Indexed by opcode.
inline constexpr std::array<LimbOpInfo, 15> kLimbOpInfos{{
    {},
    {"add", OperandShape::two, ScalarShape::none, ParameterKind::none, TypeRule::same, false},
    {"sub", OperandShape::two, ScalarShape::none, ParameterKind::none, TypeRule::same, false},
    {"neg", OperandShape::one, ScalarShape::none, ParameterKind::none, TypeRule::same, false},
    {"mul", OperandShape::two, ScalarShape::none, ParameterKind::none, TypeRule::same, false},
    {"add_scalar", OperandShape::one, ScalarShape::one, ParameterKind::none, TypeRule::same, false},
    {"mul_scalar", OperandShape::one, ScalarShape::one, ParameterKind::none, TypeRule::same, false},
    {"dot", OperandShape::pairs, ScalarShape::none, ParameterKind::none, TypeRule::same, false},
    {"dot_scalar", OperandShape::list, ScalarShape::per_operand, ParameterKind::none, TypeRule::linear, false},
    {"quotient", OperandShape::list, ScalarShape::none, ParameterKind::rounding, TypeRule::integers, false},
    {"reduce", OperandShape::one, ScalarShape::none, ParameterKind::lift, TypeRule::integers, false},
    {"ntt", OperandShape::one, ScalarShape::none, ParameterKind::none, TypeRule::transform, false},
    {"intt", OperandShape::one, ScalarShape::none, ParameterKind::none, TypeRule::transform, true},
    {"permute", OperandShape::one, ScalarShape::none, ParameterKind::galois_element, TypeRule::same, false},
    {"uniform", OperandShape::seed, ScalarShape::none, ParameterKind::stream, TypeRule::free, false},
}};

/// The table row of an instruction; a row without a name for an opcode that no instruction has.
constexpr const LimbOpInfo& info(LimbOp op) noexcept {
  const auto opcode = static_cast<std::size_t>(op);
  return kLimbOpInfos[opcode < kLimbOpInfos.size() ? opcode : 0];
}

/// The instruction with this number.
constexpr std::optional<LimbOp> find_limb_op(std::uint64_t opcode) noexcept {
  if (opcode >= kLimbOpInfos.size() || kLimbOpInfos[opcode].name.empty()) return std::nullopt;
  return static_cast<LimbOp>(opcode);
}

/// The instruction with this name.
constexpr std::optional<LimbOp> find_limb_op(std::string_view name) noexcept {
  for (const LimbOp op : kAllLimbOps) {
    if (info(op).name == name) return op;
  }
  return std::nullopt;
}

}  // namespace heliodor::program
