// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/portable/rates.h"

#include "heliodor/ring/modulus.h"

namespace heliodor::cpu::portable {
namespace {

// Tells the compiler that `word` may have changed and is needed, at no cost.
inline void touch(std::uint64_t& word) { asm volatile("" : "+r"(word)); }

void multiply_64(std::size_t rounds) noexcept {
  std::uint64_t a = 0x9e3779b97f4a7c15, b = 0xc2b2ae3d27d4eb4f;
  for (std::size_t i = 0; i < rounds; ++i) {
    for (std::size_t k = 0; k < RateLoops::kOperationsPerRound; ++k) {
      touch(a);
      const ring::Uint128 product = ring::Uint128{a} * b;
      auto low = static_cast<std::uint64_t>(product);
      auto high = static_cast<std::uint64_t>(product >> 64);
      touch(low);
      touch(high);
    }
  }
}

void add_64(std::size_t rounds) noexcept {
  std::uint64_t a[6] = {1, 2, 3, 4, 5, 6};
  for (std::size_t i = 0; i < rounds; ++i) {
    for (std::size_t k = 0; k < RateLoops::kOperationsPerRound; ++k) {
      a[k % 6] += 0x1234567;
      touch(a[k % 6]);
    }
  }
}

std::uint64_t read_words(const std::uint64_t* words, std::size_t count) noexcept {
  std::uint64_t sum[8] = {};
  for (std::size_t i = 0; i < count; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) sum[k] |= words[i + k];
  }
  return sum[0] | sum[1] | sum[2] | sum[3] | sum[4] | sum[5] | sum[6] | sum[7];
}

}  // namespace

const RateLoops& rate_loops() {
  static constexpr RateLoops kLoops = {.multiplier = Multiplier::scalar_64,
                                       .lanes = 1,
                                       .multiply = multiply_64,
                                       .add = add_64,
                                       .read = read_words};
  return kLoops;
}

}  // namespace heliodor::cpu::portable
