// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The transforms are those of rtl/ntt: one table, psi^bitrev(k), for both directions, the inverse
// taking the mirror image below k's leading bit and halving at each stage.
#include "heliodor/targets/stream/internal/relinearize_memories.h"

namespace heliodor::stream::internal {
namespace {

std::uint64_t low(std::uint64_t word) { return word & 0xffff'ffff; }
std::uint64_t high(std::uint64_t word) { return word >> 32; }

std::uint32_t reversed(std::uint32_t value, std::uint32_t bits) {
  std::uint32_t result = 0;
  for (std::uint32_t bit = 0; bit < bits; ++bit) result |= (value >> bit & 1) << (bits - 1 - bit);
  return result;
}

std::uint32_t halved(std::uint64_t x, std::uint64_t q) {
  return static_cast<std::uint32_t>(x % 2 == 0 ? x / 2 : (x + q) / 2);
}

struct Butterflies {
  std::uint64_t q;

  void forward(std::uint32_t& a, std::uint32_t& b, std::uint64_t w) const {
    const std::uint64_t product = b * w % q;
    const std::uint64_t u = a + product;
    const std::uint64_t v = a + q - product;
    a = static_cast<std::uint32_t>(u >= q ? u - q : u);
    b = static_cast<std::uint32_t>(v >= q ? v - q : v);
  }
  void inverse(std::uint32_t& a, std::uint32_t& b, std::uint64_t w) const {
    const std::uint64_t sum = std::uint64_t{a} + b;
    const std::uint64_t product = (b + q - a) * w % q;
    a = halved(sum >= q ? sum - q : sum, q);
    b = halved(product, q);
  }
};

}  // namespace

RelinearizeMemories::RelinearizeMemories() {
  for (auto& page : pages_) page.fill(Polynomial(std::size_t{1} << kRelinearizeMaxLogDegree));
  for (auto& digit : digits_) digit.fill({});
  for (auto& sum : sums_) sum.fill(Polynomial(std::size_t{1} << kRelinearizeMaxLogDegree));
}

const RelinearizeMemories::Polynomial& RelinearizeMemories::twiddles(
    const RelinearizeProfile& profile, std::uint32_t log_degree) {
  const std::size_t degree = std::size_t{1} << log_degree;
  if (table_of_ == profile && table_.size() == degree) return table_;
  table_of_ = profile;
  table_.assign(degree, 0);
  std::uint64_t power = 1;
  for (std::uint32_t exponent = 0; exponent < degree; ++exponent) {
    table_[reversed(exponent, log_degree)] = static_cast<std::uint32_t>(power);
    power = power * profile.psi % profile.q;
  }
  return table_;
}

void RelinearizeMemories::transform(const PageJob& job, const RelinearizeParser& parser) {
  const std::uint32_t log_degree = parser.shape().log_degree;
  const RelinearizeProfile& profile = parser.profile(job.limb);
  const Polynomial& table = twiddles(profile, log_degree);
  const Butterflies butterflies{profile.q};
  for (std::uint32_t step = 0; step < log_degree; ++step) {
    const std::uint32_t stage = job.inverse ? step : log_degree - 1 - step;
    const std::size_t distance = std::size_t{1} << stage;
    const std::size_t blocks = parser.shape().degree() / (2 * distance);
    for (Polynomial& words : pages_[job.page]) {
      for (std::size_t block = 0; block < blocks; ++block) {
        const std::uint64_t w = table[blocks + (job.inverse ? blocks - 1 - block : block)];
        std::uint32_t* first = &words[2 * distance * block];
        for (std::size_t i = 0; i < distance; ++i) {
          if (job.inverse) {
            butterflies.inverse(first[i], first[i + distance], w);
          } else {
            butterflies.forward(first[i], first[i + distance], w);
          }
        }
      }
    }
  }
}

void RelinearizeMemories::store(const PageJob& job, const RelinearizeParser& parser) {
  const std::uint32_t q = parser.profile(job.limb).q;
  for (std::size_t slot = 0; slot < kGroupSize; ++slot) {
    auto& digit = digits_[job.digit][slot];
    digit.resize(parser.shape().degree());
    for (std::size_t k = 0; k < digit.size(); ++k) {
      const std::uint32_t v = pages_[job.page][slot][k];
      digit[k] = static_cast<std::int32_t>(v) - static_cast<std::int32_t>(v > q / 2 ? q : 0);
    }
  }
}

void RelinearizeMemories::load(const PageJob& job, const RelinearizeParser& parser) {
  const auto q = static_cast<std::int32_t>(parser.profile(job.limb).q);
  for (std::size_t slot = 0; slot < kGroupSize; ++slot) {
    const auto& digit = digits_[job.digit][slot];
    for (std::size_t k = 0; k < digit.size(); ++k) {
      const std::int32_t v = digit[k];
      pages_[job.page][slot][k] = static_cast<std::uint32_t>(v < 0 ? v + q : v);
    }
  }
}

std::uint64_t RelinearizeMemories::word(const PayloadWord& word, std::uint32_t page,
                                        const RelinearizeParser& parser) {
  const std::uint64_t q = parser.profile(word.limb).q;
  switch (word.kind) {
    case WordKind::fill: {
      const auto product = static_cast<std::uint32_t>(low(word.data) * high(word.data) % q);
      pages_[page][word.slot][word.index] = product;
      if (word.single) pages_[page][1][word.index] = product;
      return 0;
    }
    case WordKind::key:
      multiply_add(word, page, q);
      return 0;
    case WordKind::own:
      own_ = word.data;
      return 0;
    case WordKind::even:
      even_ = word.data;
      return 0;
    case WordKind::odd:
      break;
  }
  return result(word, q);
}

void RelinearizeMemories::multiply_add(const PayloadWord& word, std::uint32_t page,
                                       std::uint64_t q) {
  const std::array<std::uint64_t, 2> keys = {low(word.data), high(word.data)};
  for (std::size_t component = 0; component < 2; ++component) {
    for (std::size_t slot = 0; slot < kGroupSize; ++slot) {
      std::uint32_t& sum = sums_[component][slot][word.index];
      const std::uint64_t product = pages_[page][slot][word.index] * keys[component] % q;
      sum = static_cast<std::uint32_t>(((word.pass == 0 ? 0 : sum) + product) % q);
    }
  }
}

std::uint64_t RelinearizeMemories::result(const PayloadWord& word, std::uint64_t q) const {
  const std::uint64_t a0 = low(even_), b0 = high(even_);
  const std::uint64_t a1 = low(word.data), b1 = high(word.data);
  const std::uint64_t c2 = a1 * b1 % q;
  const std::uint64_t sum0 = sums_[0][word.slot][word.index];
  const std::uint64_t sum1 = sums_[1][word.slot][word.index];
  const std::uint64_t c0 = (sum0 + a0 * b0 % q + c2 * low(own_) % q) % q;
  const std::uint64_t c1 = (sum1 + a0 * b1 % q + a1 * b0 % q + c2 * high(own_) % q) % q;
  return c1 << 32 | c0;
}

}  // namespace heliodor::stream::internal
