// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/datapath.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "heliodor/ring/automorphism.h"
#include "heliodor/ring/reference.h"

namespace heliodor::machine {
namespace {

using ring::Modulus;
using ring::Uint128;

constexpr std::size_t kBlockWords = 8;  // of a 64-byte ChaCha20 block

/// a / 2 modulo the odd q, without a multiplication.
std::uint64_t halve(const Modulus& q, std::uint64_t a) noexcept {
  return (a + (q.value() & (std::uint64_t{0} - (a & 1)))) >> 1;
}

/// The integer that a centred or plain residue stands for, modulo q.
std::uint64_t reduce_residue(const Modulus& source, const Modulus& q, bool centred,
                             std::uint64_t x) noexcept {
  const bool negative = centred && x > source.value() / 2;
  return negative ? q.neg(q.reduce(source.value() - x)) : q.reduce(x);
}

}  // namespace

BankedScratchpad::BankedScratchpad(std::uint32_t rows, std::uint32_t banks)
    : banks_(banks), words_(std::size_t{rows} * banks), written_(rows), bank_used_(banks) {}

std::optional<std::string> BankedScratchpad::read(Row row, std::span<std::uint64_t> words) const {
  if (written_[row] < words.size()) return fmt::format("row {} is read before it is written", row);
  std::copy_n(words_.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * banks_), words.size(),
              words.begin());
  return {};
}

std::optional<std::string> BankedScratchpad::gather(Row first,
                                                    std::span<const std::uint32_t> indices,
                                                    std::span<std::uint64_t> words) {
  ++gathers_;
  for (std::size_t lane = 0; lane < indices.size(); ++lane) {
    const std::uint32_t bank = indices[lane] % banks_;
    const Row row = first + indices[lane] / banks_;
    if (written_[row] <= bank) return fmt::format("row {} is read before it is written", row);
    if (bank_used_[bank] == gathers_) {
      return fmt::format("bank {} is accessed twice in one cycle, for lane {} in row {}", bank,
                         lane, row);
    }
    bank_used_[bank] = gathers_;
    words[lane] = words_[std::size_t{row} * banks_ + bank];
  }
  return {};
}

void BankedScratchpad::write(Row row, std::span<const std::uint64_t> words) noexcept {
  std::copy(words.begin(), words.end(),
            words_.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * banks_));
  written_[row] = static_cast<std::uint32_t>(words.size());
}

Datapath::Datapath(const MicroProgram& program, const HostMemory& host)
    : program_(program),
      host_(host),
      scratchpad_(program.rows, program.chunk_words),
      x_(program.chunk_words),
      y_(program.chunk_words),
      result_(program.chunk_words),
      second_result_(program.chunk_words),
      accumulator_(program.chunk_words),
      indices_(program.chunk_words) {}

std::optional<std::string> Datapath::execute(const MicroOp& op) {
  const MicroCodeInfo& code = info(op.code);
  if (op.code == MicroCode::permute_coeff) {
    if (auto reason = permute_coeff(op)) return reason;
  } else {
    if (code.reads > 0) {
      if (auto reason = scratchpad_.read(op.in[0], x_)) return reason;
    }
    if (code.reads > 1) {
      if (auto reason = scratchpad_.read(op.in[1], y_)) return reason;
    }
  }
  switch (op.code) {
    case MicroCode::load:
    case MicroCode::store:
      if (auto reason = transfer(op)) return reason;
      break;
    case MicroCode::mac:
    case MicroCode::mac_imm:
    case MicroCode::quotient_mac:
    case MicroCode::quotient_round:
      accumulate(op);
      break;
    case MicroCode::ntt_butterfly:
    case MicroCode::intt_butterfly:
      butterfly(op);
      break;
    case MicroCode::ntt_stages:
    case MicroCode::intt_stages:
      stages(op);
      break;
    case MicroCode::permute_eval:
      permute_eval(op);
      break;
    case MicroCode::permute_coeff:
      break;
    case MicroCode::uniform:
      if (op.immediate >= host_.seeds.size())
        return fmt::format("input {} has no seed", op.immediate);
      uniform(op);
      break;
    default:
      arithmetic(op);
  }
  const unsigned writes = write_count(op);
  if (writes > 0) scratchpad_.write(op.out[0], result_);
  if (writes > 1) scratchpad_.write(op.out[1], second_result_);
  return {};
}

std::optional<std::string> Datapath::transfer(const MicroOp& op) {
  const std::size_t begin = std::size_t{op.chunk} * program_.chunk_words;
  const std::size_t end = begin + program_.chunk_words;
  if (op.code == MicroCode::load) {
    if (op.immediate >= host_.inputs.size() || host_.inputs[op.immediate].size() < end) {
      return fmt::format("input {} has no chunk {}", op.immediate, op.chunk);
    }
    const auto words = host_.inputs[op.immediate].subspan(begin, program_.chunk_words);
    std::copy(words.begin(), words.end(), result_.begin());
  } else {
    if (op.immediate >= host_.outputs.size() || host_.outputs[op.immediate].size() < end) {
      return fmt::format("output {} has no chunk {}", op.immediate, op.chunk);
    }
    std::copy(x_.begin(), x_.end(),
              host_.outputs[op.immediate].begin() + static_cast<std::ptrdiff_t>(begin));
  }
  return {};
}

void Datapath::arithmetic(const MicroOp& op) {
  const Modulus& q = program_.moduli[op.modulus];
  const Modulus& source = program_.moduli[op.source_modulus];
  const auto one_operand = [&](const auto& f) {
    std::transform(x_.begin(), x_.end(), result_.begin(), f);
  };
  const auto two_operands = [&](const auto& f) {
    std::transform(x_.begin(), x_.end(), y_.begin(), result_.begin(), f);
  };
  const std::uint64_t c = op.immediate;
  switch (op.code) {
    case MicroCode::add:
      return two_operands([&](std::uint64_t x, std::uint64_t y) { return q.add(x, y); });
    case MicroCode::sub:
      return two_operands([&](std::uint64_t x, std::uint64_t y) { return q.sub(x, y); });
    case MicroCode::mul:
      return two_operands([&](std::uint64_t x, std::uint64_t y) { return q.mul(x, y); });
    case MicroCode::neg:
      return one_operand([&](std::uint64_t x) { return q.neg(x); });
    case MicroCode::add_imm:
      return one_operand([&](std::uint64_t x) { return q.add(x, c); });
    case MicroCode::mul_imm:
      return one_operand([&](std::uint64_t x) { return q.mul(x, c); });
    default:  // reduce
      return one_operand([&](std::uint64_t x) { return reduce_residue(source, q, op.centred, x); });
  }
}

void Datapath::accumulate(const MicroOp& op) {
  const Modulus& q = program_.moduli[op.modulus];
  const unsigned shift = program_.moduli[op.source_modulus].bits();
  if (op.first) std::fill(accumulator_.begin(), accumulator_.end(), 0);
  for (std::size_t lane = 0; lane < accumulator_.size(); ++lane) {
    std::uint64_t& acc = accumulator_[lane];
    switch (op.code) {
      case MicroCode::mac:
        acc = q.add(acc, q.mul(x_[lane], y_[lane]));
        break;
      case MicroCode::mac_imm:
        acc = q.add(acc, q.mul(q.reduce(x_[lane]), op.immediate));
        break;
      case MicroCode::quotient_mac:
        acc += static_cast<std::uint64_t>((Uint128{x_[lane]} * op.immediate) >> shift);
        break;
      default:  // quotient_round
        result_[lane] = (acc + op.immediate) >> ring::reference::kQuotientBits;
    }
  }
  if (op.code != MicroCode::quotient_round) result_ = accumulator_;
}

void Datapath::butterfly(const MicroOp& op) {
  const Modulus& q = program_.moduli[op.modulus];
  const bool inverse = op.code == MicroCode::intt_butterfly;
  const TwiddleTables& tables = program_.twiddles[op.modulus];
  const std::uint64_t w = (inverse ? tables.inverse : tables.forward)[op.immediate];
  for (std::size_t lane = 0; lane < x_.size(); ++lane) {
    const std::uint64_t x = x_[lane];
    const std::uint64_t y = inverse ? y_[lane] : q.mul(y_[lane], w);
    const std::uint64_t sum = q.add(x, y);
    const std::uint64_t difference = q.sub(x, y);
    result_[lane] = inverse ? halve(q, sum) : sum;
    second_result_[lane] = inverse ? q.mul(difference, w) : difference;
  }
}

void Datapath::stages(const MicroOp& op) {
  const Modulus& q = program_.moduli[op.modulus];
  const bool inverse = op.code == MicroCode::intt_stages;
  const TwiddleTables& tables = program_.twiddles[op.modulus];
  const std::vector<std::uint64_t>& table = inverse ? tables.inverse : tables.forward;
  std::size_t stride = op.stride;
  std::size_t index = op.immediate;
  result_ = x_;
  for (unsigned stage = 0; stage < op.count; ++stage) {
    for (std::size_t place = 0; place < result_.size(); ++place) {
      if ((place & stride) != 0) continue;  // the upper end of a butterfly
      const std::uint64_t w = table[index + place / (2 * stride)];
      const std::uint64_t x = result_[place];
      const std::uint64_t y = inverse ? result_[place + stride] : q.mul(result_[place + stride], w);
      const std::uint64_t sum = q.add(x, y);
      const std::uint64_t difference = q.sub(x, y);
      result_[place] = inverse ? halve(q, sum) : sum;
      result_[place + stride] = inverse ? q.mul(difference, w) : difference;
    }
    stride = inverse ? stride * 2 : stride / 2;
    index = inverse ? index / 2 : index * 2;
  }
}

void Datapath::permute_eval(const MicroOp& op) {
  const auto lanes = static_cast<std::uint32_t>(x_.size());
  const auto bits = static_cast<unsigned>(std::countr_zero(lanes));
  for (std::uint32_t k = 0; k < lanes; ++k) {
    const auto source = static_cast<std::uint32_t>((op.immediate * k + op.offset) & (lanes - 1));
    result_[ring::bit_reverse(k, bits)] = x_[ring::bit_reverse(source, bits)];
  }
}

std::optional<std::string> Datapath::permute_coeff(const MicroOp& op) {
  const Modulus& q = program_.moduli[op.modulus];
  const std::uint64_t degree = program_.degree;
  const auto exponent = [&](std::size_t lane) {
    return (op.offset + lane * op.immediate) & (2 * degree - 1);
  };
  for (std::size_t lane = 0; lane < indices_.size(); ++lane) {
    indices_[lane] = static_cast<std::uint32_t>(exponent(lane) & (degree - 1));
  }
  if (auto reason = scratchpad_.gather(op.in[0], indices_, result_)) return reason;
  for (std::size_t lane = 0; lane < result_.size(); ++lane) {
    if (exponent(lane) >= degree) result_[lane] = q.neg(result_[lane]);
  }
  return {};
}

void Datapath::uniform(const MicroOp& op) {
  const Modulus& q = program_.moduli[op.modulus];
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - q.bits());
  if (op.first) {
    key_stream_.clear();
    key_stream_block_ = 0;
    key_stream_position_ = 0;
  }
  for (std::uint64_t& word : result_) {
    do {
      word = next_random_word(op) & mask;
    } while (word >= q.value());
  }
}

std::uint64_t Datapath::next_random_word(const MicroOp& op) {
  if (key_stream_position_ == key_stream_.size()) {
    key_stream_.resize((program_.chunk_words + kBlockWords - 1) / kBlockWords * kBlockWords);
    base::chacha20_words(host_.seeds[op.immediate], op.offset, key_stream_block_, key_stream_);
    key_stream_block_ += key_stream_.size() / kBlockWords;
    key_stream_position_ = 0;
  }
  return key_stream_[key_stream_position_++];
}

}  // namespace heliodor::machine
