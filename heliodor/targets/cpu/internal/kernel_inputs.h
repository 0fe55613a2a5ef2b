// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of kernels feed them: moduli at both ends of every size, limbs at the ends of
// their ranges, and results that notice a write past their end.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heliodor/base/random.h"
#include "heliodor/ring/modulus.h"
#include "heliodor/ring/primes.h"
#include "heliodor/targets/cpu/kernel_table.h"

namespace heliodor::cpu::internal {

using Limb = std::vector<Word>;

inline constexpr unsigned kMinBits = 20;

/// The smallest and the largest prime of a size with a transform of that degree; fewer if it has
/// fewer.
inline std::vector<ring::Modulus> ends_of_size(unsigned bits, std::uint64_t degree) {
  const Word begin = Word{1} << (bits - 1), end = Word{1} << bits, step = 2 * degree;
  std::optional<Word> smallest, largest;
  for (Word q = begin / step * step + 1; q < end && !smallest; q += step) {
    if (q > begin && ring::is_prime(q)) smallest = q;
  }
  if (!smallest) return {};
  for (Word q = (end - 1) / step * step + 1; !largest; q -= step) {
    if (q < end && ring::is_prime(q)) largest = q;
  }
  std::vector<ring::Modulus> moduli{ring::Modulus(*smallest, degree)};
  if (*largest != *smallest) moduli.emplace_back(*largest, degree);
  return moduli;
}

/// Both ends of every size from 20 to 60 bits.
inline std::vector<ring::Modulus> moduli_of_all_sizes(std::uint64_t degree) {
  std::vector<ring::Modulus> moduli;
  for (unsigned bits = kMinBits; bits <= ring::Modulus::kMaxBits; ++bits) {
    for (const ring::Modulus& q : ends_of_size(bits, degree)) moduli.push_back(q);
  }
  return moduli;
}

inline Limb random_limb(base::RandomStream& random, Word bound, std::size_t n) {
  Limb limb(n);
  for (Word& word : limb) word = random.below(bound);
  return limb;
}

/// One word in eight is 0 and one bound - 1; the others are uniform.
inline Limb spiked_limb(base::RandomStream& random, Word bound, std::size_t n) {
  Limb limb = random_limb(random, bound, n);
  for (Word& word : limb) {
    const Word choice = random.below(8);
    if (choice == 0) word = 0;
    if (choice == 1) word = bound - 1;
  }
  return limb;
}

/// Limbs of words below `bound`: all zero, all largest, one-hot, alternating, around the middle,
/// at the top, random, random with extremes.
inline std::vector<Limb> extreme_limbs(base::RandomStream& random, Word bound, std::size_t n) {
  std::vector<Limb> limbs(6, Limb(n, 0));
  for (std::size_t i = 0; i < n; ++i) {
    limbs[1][i] = bound - 1;
    limbs[3][i] = i % 2 == 0 ? 0 : bound - 1;
    limbs[4][i] = bound / 2 - 2 + i % 5;
    limbs[5][i] = bound - 1 - i % 16;
  }
  limbs[2][random.below(n)] = bound - 1;
  limbs.push_back(random_limb(random, bound, n));
  limbs.push_back(spiked_limb(random, bound, n));
  return limbs;
}

/// A limb for a result, at an odd multiple of 8 bytes and between two words that must survive.
class Result {
 public:
  explicit Result(std::size_t n) : words_(n + 2, kGuard) {}
  explicit Result(const Limb& limb) : Result(limb.size()) {
    std::copy(limb.begin(), limb.end(), data());
  }

  Word* data() { return words_.data() + 1; }
  std::size_t size() const { return words_.size() - 2; }
  Limb limb() const { return Limb(words_.begin() + 1, words_.end() - 1); }
  bool guards_intact() const { return words_.front() == kGuard && words_.back() == kGuard; }

 private:
  static constexpr Word kGuard = 0xdead'beef'0bad'cafe;
  std::vector<Word> words_;
};

inline std::string describe(const KernelTable& table, const ring::Modulus& q) {
  return std::string(table.name) + ", q = " + std::to_string(q.value()) + " (" +
         std::to_string(q.bits()) + " bits), degree " + std::to_string(q.degree());
}

/// A call of dot for one sum.
inline void dot(const KernelTable& table, const ring::Modulus& q, Range range, const Word* const* a,
                const Word* const* b, std::size_t count, Word* result, std::size_t n) {
  const DotTarget<Word> target{b, nullptr, result};
  table.dot(q, range, a, count, &target, 1, n);
}

/// Whether a kernel returned what it should and nothing else changed.
inline testing::AssertionResult equals(const Result& result, const Limb& expected) {
  const Limb words = result.limb();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (words[i] == expected[i]) continue;
    return testing::AssertionFailure()
           << "word " << i << " is " << words[i] << ", expected " << expected[i];
  }
  if (!result.guards_intact()) return testing::AssertionFailure() << "a word outside was written";
  return testing::AssertionSuccess();
}

}  // namespace heliodor::cpu::internal
