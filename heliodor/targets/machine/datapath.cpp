// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/datapath.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "heliodor/ring/automorphism.h"
#include "heliodor/ring/reference.h"
#include "heliodor/targets/machine/pe/permute_omega.h"

namespace heliodor::machine {
namespace {

using ring::Modulus;
using ring::Uint128;
using Span = std::span<const std::uint64_t>;

constexpr std::size_t kBlockWords = 8;  // of a 64-byte ChaCha20 block

/// The integer that a centred or plain residue stands for, modulo q.
std::uint64_t reduce_residue(const Modulus& source, const Modulus& q, bool centred,
                             std::uint64_t x) noexcept {
  const bool negative = centred && x > source.value() / 2;
  return negative ? q.neg(q.reduce(source.value() - x)) : q.reduce(x);
}

}  // namespace

Datapath::Datapath(const MicroProgram& program, const HostMemory& host, PassTables& tables)
    : program_(program),
      host_(host),
      tables_(tables),
      scratchpad_(program.rows, program.layout, program.word_bits),
      registers_(program.registers),
      x_(program.layout.chunk_words()),
      y_(x_.size()),
      result_(x_.size()),
      accumulator_(x_.size()),
      indices_(x_.size()),
      reversed_(x_.size()),
      targets_(x_.size()) {
  for (std::uint32_t lane = 0; lane < reversed_.size(); ++lane) {
    reversed_[lane] = ring::bit_reverse(lane, program.layout.chunk_bits);
  }
}

std::optional<std::string> Datapath::execute(const MicroOp& op) {
  switch (info(op.code).operation) {
    case Operation::transfer:
      return transfer(op);
    case Operation::arithmetic:
      return arithmetic(op);
    case Operation::ntt:
      return transform(op);
    case Operation::permutation:
      return permutation(op);
    case Operation::generator:
      return uniform(op);
  }
  return {};
}

/// Sets `words` to operand `operand`: to the register itself, or to the buffer filled from rows.
Datapath::Reason Datapath::read(const MicroOp& op, unsigned operand, Words& buffer, Span& words) {
  const Place place = op.in[operand];
  if (place.is_register()) {
    words = registers_[place.number()];
    if (!words.empty()) return {};
    return fmt::format("register {} is read before it is written", place.number());
  }
  words = buffer;
  const bool wide = rows_read(op, operand, program_) == 2;
  return scratchpad_.read({place.number(), wide, op.chunk, op.window, false}, buffer);
}

/// Moves result_ to where the operation's result belongs.
void Datapath::write(const MicroOp& op) {
  if (op.out.is_register()) {
    Words& words = registers_[op.out.number()];
    words.resize(result_.size());
    std::swap(words, result_);
    return;
  }
  const bool wide = program_.is_wide(op.modulus);
  scratchpad_.write({op.out.number(), wide, op.chunk, op.window, false}, result_);
}

Datapath::Reason Datapath::transfer(const MicroOp& op) {
  if (op.code == MicroCode::fence) return {};
  const std::size_t length = x_.size();
  const std::size_t begin = op.chunk * length;
  const auto has_chunk = [&](const auto& limbs) {
    return op.immediate < limbs.size() && limbs[op.immediate].size() >= begin + length;
  };
  if (op.code == MicroCode::load) {
    if (!has_chunk(host_.inputs)) {
      return fmt::format("input {} has no chunk {}", op.immediate, op.chunk);
    }
    std::ranges::copy(host_.inputs[op.immediate].subspan(begin, length), result_.begin());
    write(op);
    return {};
  }
  if (op.code == MicroCode::reload) {
    const Slot& slot = spilled_[op.immediate];
    if (slot.written.empty() || !slot.written[op.chunk]) {
      return fmt::format("chunk {} of spill slot {} is read before it is written", op.chunk,
                         op.immediate);
    }
    std::ranges::copy(Span(slot.words).subspan(begin, length), result_.begin());
    write(op);
    return {};
  }
  Span words;
  if (auto reason = read(op, 0, x_, words)) return reason;
  if (op.code == MicroCode::store) {
    if (!has_chunk(host_.outputs)) {
      return fmt::format("output {} has no chunk {}", op.immediate, op.chunk);
    }
    std::ranges::copy(words, host_.outputs[op.immediate].subspan(begin, length).begin());
    return {};
  }
  Slot& slot = spilled_[op.immediate];
  slot.words.resize(program_.degree());
  slot.written.resize(program_.layout.chunks());
  slot.written[op.chunk] = true;
  std::ranges::copy(words, std::span(slot.words).subspan(begin, length).begin());
  return {};
}

Datapath::Reason Datapath::arithmetic(const MicroOp& op) {
  const unsigned reads = info(op.code).reads;
  Span x;
  Span y;
  if (reads > 0) {
    if (auto reason = read(op, 0, x_, x)) return reason;
  }
  if (reads > 1) {
    if (auto reason = read(op, 1, y_, y)) return reason;
  }
  switch (op.code) {
    case MicroCode::mac:
    case MicroCode::mac_imm:
    case MicroCode::quotient_mac:
    case MicroCode::quotient_round:
      if (auto reason = accumulate(op, x, y)) return reason;
      break;
    default:
      combine(op, x, y);
  }
  if (write_count(op) > 0) write(op);
  return {};
}

void Datapath::combine(const MicroOp& op, Span x, Span y) noexcept {
  const Modulus& q = program_.moduli[op.modulus];
  const std::uint64_t c = op.immediate;
  const auto of_one = [&](const auto& f) { std::ranges::transform(x, result_.begin(), f); };
  const auto of_two = [&](const auto& f) { std::ranges::transform(x, y, result_.begin(), f); };
  switch (op.code) {
    case MicroCode::add:
      return of_two([&](std::uint64_t a, std::uint64_t b) { return q.add(a, b); });
    case MicroCode::sub:
      return of_two([&](std::uint64_t a, std::uint64_t b) { return q.sub(a, b); });
    case MicroCode::mul:
      return of_two([&](std::uint64_t a, std::uint64_t b) { return q.mul(a, b); });
    case MicroCode::neg:
      return of_one([&](std::uint64_t a) { return q.neg(a); });
    case MicroCode::add_imm:
      return of_one([&](std::uint64_t a) { return q.add(a, c); });
    case MicroCode::mul_imm:
      return of_one([&, f = make_factor(q, c)](std::uint64_t a) { return multiply(q, f, a); });
    case MicroCode::reduce: {
      const Modulus& source = program_.moduli[op.source_modulus];
      return of_one([&](std::uint64_t a) { return reduce_residue(source, q, op.centred, a); });
    }
    default:  // fetch
      return of_one([](std::uint64_t a) { return a; });
  }
}

/// Updates the accumulator; result_ becomes what the operation writes, if it does.
Datapath::Reason Datapath::accumulate(const MicroOp& op, Span x, Span y) {
  if (!op.first && !accumulator_started_) return "the accumulator is used before it is started";
  if (op.first) std::ranges::fill(accumulator_, 0);
  accumulator_started_ = true;
  const Modulus& q = program_.moduli[op.modulus];
  const std::uint64_t c = op.immediate;
  const auto lanes = accumulator_.size();
  if (op.code == MicroCode::mac) {
    for (std::size_t i = 0; i < lanes; ++i) {
      accumulator_[i] = subtract_once(q, accumulator_[i] + q.mul(x[i], y[i]));
    }
  } else if (op.code == MicroCode::mac_imm) {
    const Factor f = make_factor(q, c);
    for (std::size_t i = 0; i < lanes; ++i) {
      accumulator_[i] = subtract_once(q, accumulator_[i] + multiply(q, f, x[i]));
    }
  } else if (op.code == MicroCode::quotient_mac) {
    const unsigned shift = program_.moduli[op.source_modulus].bits();
    for (std::size_t i = 0; i < lanes; ++i) {
      accumulator_[i] += static_cast<std::uint64_t>((Uint128{x[i]} * c) >> shift);
    }
  } else {
    for (std::size_t i = 0; i < lanes; ++i) {
      result_[i] = (accumulator_[i] + c) >> ring::reference::kQuotientBits;
    }
    return {};
  }
  if (op.last) std::ranges::copy(accumulator_, result_.begin());
  return {};
}

Datapath::Reason Datapath::transform(const MicroOp& op) {
  Span words;
  if (auto reason = read(op, 0, result_, words)) return reason;
  apply_pass(op, program_, tables_.find(op, program_), result_);
  write(op);
  return {};
}

Datapath::Reason Datapath::permutation(const MicroOp& op) {
  if (op.code == MicroCode::permute_eval) {
    if (auto reason = permute_eval(op)) return reason;
  } else if (op.code == MicroCode::permute_coeff) {
    if (auto reason = permute_coeff(op)) return reason;
  } else {
    Span words;
    if (auto reason = read(op, 0, result_, words)) return reason;
  }
  // What leaves the network is in order of banks.
  const bool wide = program_.is_wide(op.modulus);
  scratchpad_.write({op.out.number(), wide, op.chunk, 0, true}, result_);
  return {};
}

/// Lanes enter and leave the network in bit-reversed order, where the automorphism is affine.
Datapath::Reason Datapath::permute_eval(const MicroOp& op) {
  const bool wide = program_.is_wide(op.modulus);
  const Access access{op.in[0].number(), wide, op.source_chunk, 0, false};
  if (auto reason = scratchpad_.read(access, y_)) return reason;
  for (std::size_t lane = 0; lane < y_.size(); ++lane) x_[reversed_[lane]] = y_[lane];
  const std::uint32_t bank_xor = program_.layout.fold(op.chunk);
  if (auto reason = through_network(op, reversed_[bank_xor])) return reason;
  for (std::size_t bank = 0; bank < y_.size(); ++bank) y_[bank] = result_[reversed_[bank]];
  std::swap(y_, result_);
  return {};
}

Datapath::Reason Datapath::permute_coeff(const MicroOp& op) {
  const Modulus& q = program_.moduli[op.modulus];
  const std::uint64_t degree = program_.degree();
  const auto exponent = [&](std::uint64_t lane) {
    return (op.offset + lane * op.immediate) & (2 * degree - 1);
  };
  for (std::size_t lane = 0; lane < indices_.size(); ++lane) {
    indices_[lane] = static_cast<std::uint32_t>(exponent(lane) & (degree - 1));
  }
  const bool wide = program_.is_wide(op.modulus);
  if (auto reason = scratchpad_.gather(op.in[0].number(), wide, indices_, x_)) return reason;
  for (std::size_t lane = 0; lane < indices_.size(); ++lane) {
    if (exponent(lane) < degree) continue;
    std::uint64_t& word = x_[indices_[lane] & (x_.size() - 1)];
    word = q.neg(word);
  }
  return through_network(op, program_.layout.fold(op.chunk));
}

/// result_[k xor line_xor] = x_[(c * k + offset) mod L], through an omega network.
Datapath::Reason Datapath::through_network(const MicroOp& op, std::uint32_t line_xor) {
  const std::size_t lines = x_.size();
  std::ranges::fill(targets_, lines);
  for (std::size_t k = 0; k < lines; ++k) {
    const std::size_t source = (op.immediate * k + op.offset) & (lines - 1);
    if (targets_[source] != lines) {
      return fmt::format("lane {} of the permutation network is needed by two results", source);
    }
    targets_[source] = k ^ line_xor;
  }
  const auto arrived = pe::omega_route(targets_);
  if (!arrived) return "two lanes meet in a switch of the permutation network";
  for (std::size_t line = 0; line < lines; ++line) result_[line] = x_[(*arrived)[line]];
  return {};
}

Datapath::Reason Datapath::uniform(const MicroOp& op) {
  if (op.immediate >= host_.seeds.size()) return fmt::format("input {} has no seed", op.immediate);
  if (op.first) {
    stream_ = {.seed_input = op.immediate, .number = op.offset, .words = {}, .started = true};
  } else if (!stream_.started || stream_.seed_input != op.immediate ||
             stream_.number != op.offset) {
    return fmt::format("stream {} of seed {} is continued but not running", op.offset,
                       op.immediate);
  }
  const Modulus& q = program_.moduli[op.modulus];
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - q.bits());
  for (std::uint64_t& word : result_) {
    do {
      word = next_random_word() & mask;
    } while (word >= q.value());
  }
  write(op);
  return {};
}

std::uint64_t Datapath::next_random_word() {
  if (stream_.position == stream_.words.size()) {
    stream_.words.resize((x_.size() + kBlockWords - 1) / kBlockWords * kBlockWords);
    base::chacha20_words(host_.seeds[stream_.seed_input], stream_.number, stream_.next_block,
                         stream_.words);
    stream_.next_block += stream_.words.size() / kBlockWords;
    stream_.position = 0;
  }
  return stream_.words[stream_.position++];
}

}  // namespace heliodor::machine
