// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/micro_op.h"

#include <fmt/format.h>

#include "heliodor/program/verifier.h"

namespace heliodor::machine {
namespace {

using program::InputKind;

constexpr std::array<MicroCodeInfo, kMicroCodes> kInfo = {{
    {"load", Operation::transfer, 0, 1},
    {"store", Operation::transfer, 1, 0},
    {"spill", Operation::transfer, 1, 0},
    {"reload", Operation::transfer, 0, 1},
    {"fetch", Operation::arithmetic, 1, 1},
    {"add", Operation::arithmetic, 2, 1},
    {"sub", Operation::arithmetic, 2, 1},
    {"neg", Operation::arithmetic, 1, 1},
    {"mul", Operation::arithmetic, 2, 1},
    {"add_imm", Operation::arithmetic, 1, 1},
    {"mul_imm", Operation::arithmetic, 1, 1},
    {"mac", Operation::arithmetic, 2, 1},
    {"mac_imm", Operation::arithmetic, 1, 1},
    {"quotient_mac", Operation::arithmetic, 1, 0},
    {"quotient_round", Operation::arithmetic, 0, 1},
    {"reduce", Operation::arithmetic, 1, 1},
    {"ntt_pass", Operation::ntt, 1, 1},
    {"intt_pass", Operation::ntt, 1, 1},
    {"permute_eval", Operation::permutation, 1, 1},
    {"unscramble", Operation::permutation, 1, 1},
    {"permute_coeff", Operation::permutation, 1, 1},
    {"uniform", Operation::generator, 0, 1},
    {"fence", Operation::transfer, 0, 0},
}};

constexpr unsigned kSumBits = 64;  // of quotient_mac's integers

std::optional<std::string> exceeds(std::string_view what, std::uint64_t value,
                                   std::uint64_t bound) {
  if (value < bound) return {};
  return fmt::format("{} {} is not below {}", what, value, bound);
}

/// The modulus of x; others have the result's.
std::uint32_t modulus_of_x(const MicroOp& op) noexcept {
  return has_source(op.code) ? op.source_modulus : op.modulus;
}

std::optional<std::string> malformed_place(Place place, bool wide, bool may_be_register,
                                           const MicroProgram& program) {
  if (place.is_register()) {
    if (!may_be_register) return "a register stands where a limb must be";
    return exceeds("register", place.number(), program.registers);
  }
  const std::uint64_t rows = std::uint64_t{program.layout.chunks()} << (wide ? 1 : 0);
  return exceeds("row", place.number() + rows - 1, program.rows);
}

std::optional<std::string> malformed_places(const MicroOp& op, const MicroProgram& program) {
  const MicroCodeInfo& code = info(op.code);
  const bool may_be_register = code.operation == Operation::arithmetic;
  for (unsigned i = 0; i < code.reads; ++i) {
    const bool wide = program.is_wide(i == 0 ? modulus_of_x(op) : op.modulus);
    if (auto reason = malformed_place(op.in[i], wide, may_be_register, program)) return reason;
  }
  if (write_count(op) == 0) return {};
  if (op.code == MicroCode::fetch && !op.out.is_register()) {
    return "the result of fetch is no register";
  }
  return malformed_place(op.out, program.is_wide(op.modulus), may_be_register, program);
}

/// Window, bits and chunks.
std::optional<std::string> malformed_indices(const MicroOp& op, const MicroProgram& program) {
  const Layout& layout = program.layout;
  if (auto reason = exceeds("chunk", op.chunk, layout.chunks())) return reason;
  if (op.code == MicroCode::permute_eval) {
    if (auto reason = exceeds("source chunk", op.source_chunk, layout.chunks())) return reason;
  }
  const bool pass = info(op.code).operation == Operation::ntt;
  if (auto reason = exceeds("window", op.window, pass ? layout.windows() : 1)) return reason;
  if (!pass) return {};
  const unsigned end = unsigned{op.bit} + op.stages;
  if (op.stages == 0 || op.bit < op.window || end > op.window + layout.chunk_bits) {
    return fmt::format("index bits [{}, {}) are not in the window [{}, {})", op.bit, end, op.window,
                       op.window + layout.chunk_bits);
  }
  return {};
}

std::optional<std::string> malformed_immediate(const MicroOp& op, const MicroProgram& program) {
  const std::uint64_t value = op.immediate;
  switch (op.code) {
    case MicroCode::load:
    case MicroCode::uniform: {
      if (auto reason = exceeds("input", value, program.inputs.size())) return reason;
      const bool is_seed = program.inputs[value] == InputKind::seed;
      if (is_seed == (op.code == MicroCode::uniform)) return {};
      return fmt::format("input {} is {}", value, is_seed ? "a seed" : "no seed");
    }
    case MicroCode::store:
      return exceeds("output", value, program.outputs);
    case MicroCode::spill:
    case MicroCode::reload:
      return exceeds("spill slot", value, program.spill_slots);
    case MicroCode::add_imm:
    case MicroCode::mul_imm:
    case MicroCode::mac_imm:
      return exceeds("constant", value, program.moduli[op.modulus].value());
    default:
      return {};
  }
}

}  // namespace

const MicroCodeInfo& info(MicroCode code) noexcept { return kInfo[static_cast<std::size_t>(code)]; }

unsigned write_count(const MicroOp& op) noexcept {
  const bool accumulates = op.code == MicroCode::mac || op.code == MicroCode::mac_imm;
  return accumulates && !op.last ? 0 : info(op.code).writes;
}

bool has_source(MicroCode code) noexcept {
  return code == MicroCode::mac_imm || code == MicroCode::quotient_mac || code == MicroCode::reduce;
}

bool is_wide(const MicroOp& op, const MicroProgram& program) noexcept {
  if (op.code == MicroCode::fence) return false;
  const bool sums = op.code == MicroCode::quotient_mac || op.code == MicroCode::quotient_round;
  return program.is_wide(op.modulus) || program.is_wide(modulus_of_x(op)) ||
         (sums && program.word_bits < kSumBits);
}

std::uint32_t rows_read(const MicroOp& op, unsigned operand, const MicroProgram& program) noexcept {
  if (operand >= info(op.code).reads || op.in[operand].is_register()) return 0;
  return program.is_wide(operand == 0 ? modulus_of_x(op) : op.modulus) ? 2 : 1;
}

std::uint32_t rows_written(const MicroOp& op, const MicroProgram& program) noexcept {
  if (write_count(op) == 0 || op.out.is_register()) return 0;
  return program.is_wide(op.modulus) ? 2 : 1;
}

std::optional<std::string> malformed(const MicroOp& op, const MicroProgram& program) {
  if (op.code == MicroCode::fence) return {};
  if (auto reason = exceeds("modulus", op.modulus, program.moduli.size())) return reason;
  if (has_source(op.code)) {
    auto reason = exceeds("source modulus", op.source_modulus, program.moduli.size());
    if (reason) return reason;
  }
  if (auto reason = malformed_places(op, program)) return reason;
  if (auto reason = malformed_indices(op, program)) return reason;
  return malformed_immediate(op, program);
}

std::optional<std::string> malformed_frame(const MicroProgram& program) {
  const Layout& layout = program.layout;
  const std::uint64_t largest = ring::Modulus::kMaxDegree;
  if (layout.degree_bits == 0 || layout.degree_bits >= 32 || program.degree() > largest) {
    return fmt::format("degree 2^{} is not in [2, {}]", layout.degree_bits, largest);
  }
  if (layout.chunk_bits > layout.degree_bits) {
    return fmt::format("chunks of 2^{} words exceed limbs of {}", layout.chunk_bits,
                       program.degree());
  }
  if (program.word_bits == 0 || program.word_bits > 64) {
    return fmt::format("word_bits {} is not in [1, 64]", program.word_bits);
  }
  if (program.rows > Place::kRegister) {
    return fmt::format("{} rows exceed {}", program.rows, Place::kRegister);
  }
  if (program.moduli.size() > program::kMaxModuli) {
    return fmt::format("{} moduli exceed {}", program.moduli.size(), program::kMaxModuli);
  }
  for (std::size_t i = 0; i < program.moduli.size(); ++i) {
    const ring::Modulus& modulus = program.moduli[i];
    if (modulus.degree() != program.degree()) {
      return fmt::format("modulus q{} has degree {}, the program {}", i, modulus.degree(),
                         program.degree());
    }
    if (modulus.bits() > 2 * program.word_bits) {
      return fmt::format("modulus q{} has {} bits, more than two words of {}", i, modulus.bits(),
                         program.word_bits);
    }
  }
  return {};
}

}  // namespace heliodor::machine
