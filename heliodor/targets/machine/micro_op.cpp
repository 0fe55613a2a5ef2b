// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/micro_op.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>

#include "heliodor/ring/automorphism.h"

namespace heliodor::machine {
namespace {

constexpr std::array<MicroCodeInfo, kMicroCodes> kInfo = {{
    {"load", UnitKind::host, 0, 1, 1},
    {"store", UnitKind::host, 1, 0, 1},
    {"add", UnitKind::vector, 2, 1, 1},
    {"sub", UnitKind::vector, 2, 1, 1},
    {"neg", UnitKind::vector, 1, 1, 1},
    {"mul", UnitKind::vector, 2, 1, 1},
    {"add_imm", UnitKind::vector, 1, 1, 1},
    {"mul_imm", UnitKind::vector, 1, 1, 1},
    {"mac", UnitKind::vector, 2, 1, 1},
    {"mac_imm", UnitKind::vector, 1, 1, 1},
    {"quotient_mac", UnitKind::vector, 1, 0, 1},
    {"quotient_round", UnitKind::vector, 0, 1, 1},
    {"reduce", UnitKind::vector, 1, 1, 1},
    {"ntt_butterfly", UnitKind::ntt, 2, 2, 2},
    {"intt_butterfly", UnitKind::ntt, 2, 2, 2},
    {"ntt_stages", UnitKind::ntt, 1, 1, 1},
    {"intt_stages", UnitKind::ntt, 1, 1, 1},
    {"permute_eval", UnitKind::permutation, 1, 1, 1},
    {"permute_coeff", UnitKind::permutation, 1, 1, 1},
    {"uniform", UnitKind::generator, 0, 1, 1},
}};

bool is_inverse(MicroCode code) noexcept {
  return code == MicroCode::intt_butterfly || code == MicroCode::intt_stages;
}

std::optional<std::string> exceeds(std::string_view what, std::uint64_t value,
                                   std::uint64_t bound) {
  if (value < bound) return {};
  return fmt::format("{} {} is not below {}", what, value, bound);
}

/// Strides must stay inside a chunk and every block of every stage must find its twiddle.
std::optional<std::string> malformed_stages(const MicroOp& op, const MicroProgram& program,
                                            std::size_t table_size) {
  std::uint64_t stride = op.stride;
  std::uint64_t index = op.immediate;
  for (unsigned stage = 0; stage < op.count; ++stage) {
    if (!std::has_single_bit(stride) || 2 * stride > program.chunk_words) {
      return fmt::format("stage {} has stride {} in chunks of {} words", stage, stride,
                         program.chunk_words);
    }
    const std::uint64_t blocks = program.chunk_words / (2 * stride);
    if (index >= table_size || blocks > table_size - index) {
      return fmt::format("twiddles {}..{} exceed the table of {}", index, index + blocks,
                         table_size);
    }
    stride = is_inverse(op.code) ? stride * 2 : stride / 2;
    index = is_inverse(op.code) ? index / 2 : index * 2;
  }
  return {};
}

std::optional<std::string> malformed_twiddle(const MicroOp& op, const MicroProgram& program) {
  const TwiddleTables* tables =
      op.modulus < program.twiddles.size() ? &program.twiddles[op.modulus] : nullptr;
  std::size_t size = 0;
  if (tables != nullptr) size = (is_inverse(op.code) ? tables->inverse : tables->forward).size();
  if (info(op.code).chunks == 2) return exceeds("twiddle", op.immediate, size);
  return malformed_stages(op, program, size);
}

}  // namespace

const MicroCodeInfo& info(MicroCode code) noexcept { return kInfo[static_cast<std::size_t>(code)]; }

unsigned write_count(const MicroOp& op) noexcept {
  const bool accumulates = op.code == MicroCode::mac || op.code == MicroCode::mac_imm;
  return accumulates && !op.last ? 0 : info(op.code).writes;
}

TwiddleTables make_twiddle_tables(const ring::Modulus& modulus) {
  const std::uint64_t degree = modulus.degree();
  const auto bits = static_cast<unsigned>(std::countr_zero(degree));
  const std::uint64_t psi_inverse = modulus.inverse(modulus.psi());
  TwiddleTables tables{std::vector<std::uint64_t>(degree), std::vector<std::uint64_t>(degree)};
  std::uint64_t forward = 1;
  std::uint64_t inverse = modulus.inverse(2);
  for (std::uint32_t exponent = 0; exponent < degree; ++exponent) {
    const std::uint32_t place = ring::bit_reverse(exponent, bits);
    tables.forward[place] = forward;
    tables.inverse[place] = inverse;
    forward = modulus.mul(forward, modulus.psi());
    inverse = modulus.mul(inverse, psi_inverse);
  }
  return tables;
}

std::optional<std::string> malformed(const MicroOp& op, const MicroProgram& program) {
  const MicroCodeInfo& code = info(op.code);
  for (unsigned i = 0; i < code.reads; ++i) {
    if (auto reason = exceeds("row", op.in[i], program.rows)) return reason;
  }
  for (unsigned i = 0; i < write_count(op); ++i) {
    if (auto reason = exceeds("row", op.out[i], program.rows)) return reason;
  }
  if (auto reason = exceeds("modulus", op.modulus, program.moduli.size())) return reason;
  if (auto reason = exceeds("source modulus", op.source_modulus, program.moduli.size()))
    return reason;
  switch (op.code) {
    case MicroCode::load:
    case MicroCode::store: {
      const bool loads = op.code == MicroCode::load;
      const std::uint64_t limbs = loads ? program.inputs : program.outputs;
      if (auto reason = exceeds(loads ? "input" : "output", op.immediate, limbs)) return reason;
      return exceeds("chunk", op.chunk, program.chunks_per_limb());
    }
    case MicroCode::ntt_butterfly:
    case MicroCode::intt_butterfly:
    case MicroCode::ntt_stages:
    case MicroCode::intt_stages:
      return malformed_twiddle(op, program);
    case MicroCode::permute_coeff:
      return exceeds("row", std::uint64_t{op.in[0]} + program.chunks_per_limb() - 1, program.rows);
    case MicroCode::uniform:
      return exceeds("seed input", op.immediate, program.inputs);
    default:
      return {};
  }
}

std::string to_text(const MicroOp& op) {
  const MicroCodeInfo& code = info(op.code);
  std::string text(code.name);
  const auto out = std::back_inserter(text);
  for (unsigned i = 0; i < code.reads; ++i) fmt::format_to(out, " r{}", op.in[i]);
  if (op.code == MicroCode::load) fmt::format_to(out, " input {} chunk {}", op.immediate, op.chunk);
  if (op.code == MicroCode::store)
    fmt::format_to(out, " output {} chunk {}", op.immediate, op.chunk);
  const bool twiddles = code.unit == UnitKind::ntt;
  const bool has_immediate = code.unit == UnitKind::permutation ||
                             code.unit == UnitKind::generator || op.code == MicroCode::add_imm ||
                             op.code == MicroCode::mul_imm || op.code == MicroCode::mac_imm ||
                             op.code == MicroCode::quotient_mac ||
                             op.code == MicroCode::quotient_round;
  if (twiddles) fmt::format_to(out, " twiddle {}", op.immediate);
  if (has_immediate) fmt::format_to(out, " {}", op.immediate);
  if (code.unit == UnitKind::permutation || code.unit == UnitKind::generator) {
    fmt::format_to(out, " offset {}", op.offset);
  }
  if (op.count != 0) fmt::format_to(out, " stride {} count {}", op.stride, op.count);
  const unsigned writes = write_count(op);
  if (writes < code.writes || op.code == MicroCode::quotient_mac) fmt::format_to(out, " -> acc");
  for (unsigned i = 0; i < writes; ++i) {
    fmt::format_to(out, "{} r{}", i == 0 ? " ->" : "", op.out[i]);
  }
  if (code.unit != UnitKind::host) fmt::format_to(out, " : q{}", op.modulus);
  if (op.code == MicroCode::reduce || op.code == MicroCode::quotient_mac) {
    fmt::format_to(out, " from q{}", op.source_modulus);
  }
  if (op.centred) text += " centred";
  if (op.first) text += " first";
  if (op.last) text += " last";
  fmt::format_to(out, "  # instruction {}", op.instruction);
  return text;
}

std::string to_text(const MicroProgram& program) {
  std::string text;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{}: {}\n", i, to_text(program.ops[i]));
  }
  return text;
}

}  // namespace heliodor::machine
