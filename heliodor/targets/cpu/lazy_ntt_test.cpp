// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a lazy transform leaves must be fit for the dot of its table: the pair is compared with
// ring/reference, at the ends of the sizes whose lazy ranges are tightest.
#include <gtest/gtest.h>

#include "heliodor/ring/reference.h"
#include "heliodor/targets/cpu/internal/kernel_inputs.h"
#include "heliodor/targets/cpu/kernel_table.h"

namespace heliodor::cpu {
namespace {

namespace reference = ring::reference;

using internal::describe;
using internal::equals;
using internal::Limb;
using internal::Result;
using ring::Modulus;

/// Both ends of the sizes up to 50 bits that reach the multiplier's width, and sizes beyond.
std::vector<Modulus> tight_moduli(std::uint64_t degree) {
  std::vector<Modulus> moduli;
  for (const unsigned bits : {20u, 30u, 45u, 46u, 47u, 48u, 49u, 50u, 51u, 60u}) {
    for (const Modulus& q : internal::ends_of_size(bits, degree)) moduli.push_back(q);
  }
  return moduli;
}

/// The sum of `count` products of transforms of `x`, in turn, and words of `y`, in turn.
void expect_sum(const Modulus& q, const std::vector<Limb>& x, const std::vector<Limb>& y,
                std::size_t count) {
  const std::size_t n = q.degree();
  std::vector<Limb> transforms(x.size(), Limb(n));
  for (std::size_t i = 0; i < x.size(); ++i) reference::ntt(q, x[i], transforms[i]);
  std::vector<reference::In> a, b;
  for (std::size_t k = 0; k < count; ++k) {
    a.emplace_back(transforms[k % x.size()]);
    b.emplace_back(y[k % y.size()]);
  }
  Limb expected(n);
  reference::dot(q, a, b, expected);
  for (const KernelTable* table : supported_kernel_tables()) {
    const auto ntt = table->make_ntt(q);
    std::vector<Limb> lazy = x;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i % 2 == 0) {
        ntt->forward(x[i].data(), lazy[i].data(), Range::lazy);
      } else {
        ntt->forward(lazy[i].data(), lazy[i].data(), Range::lazy);
      }
    }
    std::vector<const Word*> pa, pb;
    for (std::size_t k = 0; k < count; ++k) {
      pa.push_back(lazy[k % x.size()].data());
      pb.push_back(y[k % y.size()].data());
    }
    Result result(n);
    internal::dot(*table, q, Range::lazy, pa.data(), pb.data(), count, result.data(), n);
    EXPECT_TRUE(equals(result, expected)) << describe(*table, q) << ", " << count << " terms";
  }
}

TEST(LazyNttTest, dot_of_lazy_transforms_equals_the_reference) {
  base::RandomStream random(base::TestSeed(18), "lazy test");
  for (std::uint64_t degree = 2; degree <= 2048; degree *= 2) {
    for (const Modulus& q : tight_moduli(degree)) {
      const std::vector<Limb> limbs = internal::extreme_limbs(random, q.value(), degree);
      for (const std::size_t count : {1u, 2u, 3u, 4u, 7u}) {
        expect_sum(q, limbs, {Limb(degree, q.value() - 1), limbs.back(), limbs[3]}, count);
      }
    }
  }
}

// As many terms as the accumulators hold before they are emptied, and more.
TEST(LazyNttTest, long_sums_of_largest_words_equal_the_reference) {
  for (const std::uint64_t degree : {64u, 256u}) {
    for (const Modulus& q : tight_moduli(degree)) {
      const Limb largest(degree, q.value() - 1);
      for (const std::size_t count : {12u, 13u, 31u, 64u, 600u})
        expect_sum(q, {largest}, {largest}, count);
    }
  }
}

TEST(LazyNttTest, dot_of_lazy_transforms_equals_the_reference_for_large_degrees) {
  base::RandomStream random(base::TestSeed(19), "lazy test");
  for (const std::uint64_t degree : {4096u, 8192u, 16384u}) {
    for (const unsigned bits : {45u, 46u, 47u, 48u, 49u, 50u}) {
      const Modulus q = internal::ends_of_size(bits, degree).back();
      expect_sum(q, {Limb(degree, q.value() - 1), internal::spiked_limb(random, q.value(), degree)},
                 {Limb(degree, q.value() - 1)}, 3);
    }
  }
}

// A lazy word may be any that the range allows, whether or not a transform ever leaves it.
TEST(LazyNttTest, ifma_dot_reads_only_the_low_52_bits_of_lazy_words) {
  const KernelTable& table = *supported_kernel_tables().back();
  if (table.name != "avx512ifma") GTEST_SKIP() << "needs AVX-512 IFMA";
  constexpr Word kM = Word{1} << 52;
  constexpr std::size_t kCount = 4095;  // beyond every accumulator
  for (const unsigned bits : {20u, 30u, 45u, 46u, 47u, 48u, 49u, 50u}) {
    for (const Modulus& q : internal::ends_of_size(bits, 64)) {
      const Limb top(64, q.value() - 1);
      for (const Word represented : {kM - 1, kM - kM % q.value(), Word{0}, q.value()}) {
        const Limb lazy(64, represented + (Word{0xabc} << 52));
        for (const std::size_t count : {std::size_t{1}, std::size_t{3}, std::size_t{4}, kCount}) {
          const std::vector<const Word*> a(count, lazy.data()), b(count, top.data());
          Result result(64);
          internal::dot(table, q, Range::lazy, a.data(), b.data(), count, result.data(), 64);
          const Word term = q.neg(represented % q.value());
          EXPECT_TRUE(equals(result, Limb(64, q.mul(term, count % q.value()))))
              << describe(table, q) << ", " << count << " times " << represented;
        }
      }
    }
  }
}

}  // namespace
}  // namespace heliodor::cpu
