// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// dot of every supported table: random limbs against ring/reference, and closed forms at the
// extremes that fill accumulators. Those extremes sit at both ends of every size, because the
// number of terms that fit an accumulator follows from the modulus. dot_scalar is in
// dot_scalar_kernels_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

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
using ring::Uint128;

using Pointers = std::vector<const Word*>;

Word modulo(Uint128 x, const Modulus& q) { return static_cast<Word>(x % q.value()); }

/// Sizes at which groups begin and end: all small ones, the 255 terms of 128-bit accumulators, the
/// 4,094 of 52-bit ones.
std::vector<std::size_t> counts() {
  std::vector<std::size_t> result;
  for (std::size_t count = 1; count <= 70; ++count) result.push_back(count);
  for (const std::size_t group : {127u, 255u, 510u, 1023u, 2047u, 4094u, 8188u}) {
    for (std::size_t count = group - 1; count <= group + 4; ++count) result.push_back(count);
  }
  result.insert(result.end(), {100, 300, 5000});
  return result;
}

TEST(DotKernelsTest, dot_equals_the_reference) {
  base::RandomStream random(base::TestSeed(6), "dot test");
  for (const std::uint64_t degree : {2u, 4u, 8u, 16u, 32u, 64u, 128u, 1024u}) {
    for (const Modulus& q : internal::moduli_of_all_sizes(degree)) {
      const std::vector<Limb> limbs = internal::extreme_limbs(random, q.value(), degree);
      for (const std::size_t count : {1u, 2u, 3u, 4u, 5u, 100u}) {
        if (count == 100 && degree > 64) continue;
        std::vector<reference::In> a, b;
        Pointers pa, pb;
        for (std::size_t k = 0; k < count; ++k) {
          a.emplace_back(limbs[(k + 1) % limbs.size()]);
          b.emplace_back(limbs[(3 * k + 5) % limbs.size()]);
          pa.push_back(a.back().data());
          pb.push_back(b.back().data());
        }
        Limb expected(degree);
        reference::dot(q, a, b, expected);
        for (const KernelTable* table : supported_kernel_tables()) {
          Result result(degree);
          internal::dot(*table, q, Range::canonical, pa.data(), pb.data(), count, result.data(),
                        degree);
          EXPECT_TRUE(equals(result, expected)) << describe(*table, q) << ", " << count << " terms";
        }
      }
    }
  }
}

TEST(DotKernelsTest, result_may_overwrite_any_operand) {
  base::RandomStream random(base::TestSeed(7), "dot test");
  constexpr std::size_t kCount = 40;
  for (const unsigned bits : {20u, 46u, 50u, 60u}) {
    const Modulus q = internal::ends_of_size(bits, 64).back();
    std::vector<Limb> limbs;
    for (std::size_t k = 0; k <= kCount; ++k) {
      limbs.push_back(internal::random_limb(random, q.value(), 64));
    }
    const std::vector<reference::In> a(limbs.begin(), limbs.end() - 1);
    const std::vector<reference::In> b(limbs.begin() + 1, limbs.end());
    Limb dot(64);
    reference::dot(q, a, b, dot);
    for (const KernelTable* table : supported_kernel_tables()) {
      for (const std::size_t overwritten : {std::size_t{0}, kCount / 2, kCount - 1, kCount}) {
        Result over_dot(limbs[overwritten]);
        Pointers pointers;
        for (const Limb& limb : limbs) pointers.push_back(limb.data());
        pointers[overwritten] = over_dot.data();
        internal::dot(*table, q, Range::canonical, pointers.data(), pointers.data() + 1, kCount,
                      over_dot.data(), 64);
        EXPECT_TRUE(equals(over_dot, dot)) << describe(*table, q) << ", over " << overwritten;
      }
    }
  }
}

// (-1)*(-1) = 1, so a sum of largest products counts its terms.
TEST(DotKernelsTest, sum_of_largest_products_counts_its_terms) {
  for (const std::uint64_t degree : {4u, 8u, 64u}) {
    for (const Modulus& q : internal::moduli_of_all_sizes(degree)) {
      const Limb largest(degree, q.value() - 1);
      const Pointers x(10'000u, largest.data());
      for (const std::size_t count : counts()) {
        for (const KernelTable* table : supported_kernel_tables()) {
          Result result(degree);
          internal::dot(*table, q, Range::canonical, x.data(), x.data(), count, result.data(),
                        degree);
          EXPECT_TRUE(equals(result, Limb(degree, count % q.value())))
              << describe(*table, q) << ", " << count << " terms";
        }
      }
    }
  }
}

/// Factors a, b < q whose product ends in 52 one bits: b = -a^-1 mod 2^52.
std::pair<Word, Word> saturating_factors(const Modulus& q) {
  constexpr Word kMask = (Word{1} << 52) - 1;
  for (Word a = q.value() - 2;; a -= 2) {
    Word inverse = a;  // right in its three lowest bits; each step doubles their number
    for (int step = 0; step < 5; ++step) inverse *= 2 - a * inverse;
    const Word b = (Word{0} - inverse) & kMask;
    if (b < q.value()) return {a, b};
  }
}

TEST(DotKernelsTest, sums_that_saturate_the_low_accumulator_are_exact) {
  for (const unsigned bits : {44u, 45u, 46u, 47u, 48u, 49u, 50u}) {
    for (const Modulus& q : internal::ends_of_size(bits, 32)) {
      const auto [a, b] = saturating_factors(q);
      const Limb x(32, a), y(32, b);
      const Pointers px(10'000, x.data()), py(10'000, y.data());
      const Word product = modulo(Uint128{a} * b, q);
      for (const std::size_t count : counts()) {
        const Limb expected(32, modulo(Uint128{product} * count, q));
        for (const KernelTable* table : supported_kernel_tables()) {
          Result result(32);
          internal::dot(*table, q, Range::canonical, px.data(), py.data(), count, result.data(),
                        32);
          EXPECT_TRUE(equals(result, expected)) << describe(*table, q) << ", " << count << " terms";
        }
      }
    }
  }
}

// Lazy words of every size against the words at both ends of every narrow modulus.
TEST(DotKernelsTest, dot_of_packed_words_equals_dot) {
  base::RandomStream random(base::TestSeed(17), "dot test");
  constexpr std::size_t kWords = 72;
  for (const unsigned bits : {8u, 20u, 30u, 31u, 32u}) {
    for (const Modulus& q : internal::ends_of_size(bits, 8)) {
      for (const std::size_t count : {1u, 2u, 12u, 100u, 5000u}) {
        std::vector<Limb> a, b;
        std::vector<std::vector<std::uint32_t>> packed;
        Pointers pa, pb;
        std::vector<const std::uint32_t*> pp;
        for (std::size_t k = 0; k < std::min<std::size_t>(count, 10); ++k) {
          a.push_back(internal::spiked_limb(random, q.value(), kWords));
          b.push_back(internal::spiked_limb(random, q.value(), kWords));
          packed.emplace_back(b.back().begin(), b.back().end());
        }
        for (std::size_t k = 0; k < count; ++k) {
          pa.push_back(a[k % a.size()].data());
          pb.push_back(b[k % a.size()].data());
          pp.push_back(packed[k % a.size()].data());
        }
        for (const KernelTable* table : supported_kernel_tables()) {
          if (table->dot_packed == nullptr) continue;
          Result expected(kWords), result(kWords);
          internal::dot(*table, q, Range::canonical, pa.data(), pb.data(), count, expected.data(),
                        kWords);
          const DotTarget<std::uint32_t> target{pp.data(), nullptr, result.data()};
          table->dot_packed(q, Range::canonical, pa.data(), count, &target, 1, kWords);
          EXPECT_TRUE(equals(result, Limb(expected.data(), expected.data() + kWords)))
              << describe(*table, q) << ", " << count << " terms";
        }
      }
    }
  }
}

/// addend + sum of a[k]*b[k], word by word.
Limb sum_on(const Modulus& q, const Limb& addend, const std::vector<Limb>& a,
            const std::vector<Limb>& b, std::size_t count) {
  Limb sum = addend;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    for (std::size_t k = 0; k < count; ++k)
      sum[i] = q.add(sum[i], q.mul(a[k % a.size()][i], b[k % b.size()][i]));
  }
  return sum;
}

// Two sums of the same a[k], each with an addend, one of them over its own; then with the addend of
// the first alone, and none.
TEST(DotKernelsTest, two_sums_begin_with_their_addends) {
  base::RandomStream random(base::TestSeed(18), "dot test");
  for (const Modulus& q : internal::moduli_of_all_sizes(8)) {
    for (const std::size_t n : {72u, 45u}) {
      const std::vector<Limb> limbs = internal::extreme_limbs(random, q.value(), n);
      const Limb largest(n, q.value() - 1);
      for (const std::size_t count : {1u, 3u, 12u, 70u}) {
        const std::vector<Limb> a(limbs.begin() + 1, limbs.begin() + 5);
        const std::array<std::vector<Limb>, 2> b = {
            std::vector<Limb>(limbs.begin() + 2, limbs.end()), {largest, limbs.back()}};
        Pointers pa;
        std::array<Pointers, 2> pb;
        for (std::size_t k = 0; k < count; ++k) {
          pa.push_back(a[k % a.size()].data());
          for (std::size_t t = 0; t < 2; ++t) pb[t].push_back(b[t][k % b[t].size()].data());
        }
        const Limb none(n, 0);
        for (const KernelTable* table : supported_kernel_tables()) {
          Result first(n), second(limbs.back());
          const DotTarget<Word> both[] = {{pb[0].data(), largest.data(), first.data()},
                                          {pb[1].data(), second.data(), second.data()}};
          table->dot(q, Range::canonical, pa.data(), count, both, 2, n);
          EXPECT_TRUE(equals(first, sum_on(q, largest, a, b[0], count))) << describe(*table, q);
          EXPECT_TRUE(equals(second, sum_on(q, limbs.back(), a, b[1], count)))
              << describe(*table, q);
          const DotTarget<Word> one[] = {{pb[0].data(), largest.data(), first.data()},
                                         {pb[1].data(), nullptr, second.data()}};
          table->dot(q, Range::canonical, pa.data(), count, one, 2, n);
          EXPECT_TRUE(equals(first, sum_on(q, largest, a, b[0], count))) << describe(*table, q);
          EXPECT_TRUE(equals(second, sum_on(q, none, a, b[1], count))) << describe(*table, q);
        }
      }
    }
  }
}

TEST(DotKernelsTest, two_packed_sums_begin_with_their_addends) {
  base::RandomStream random(base::TestSeed(19), "dot test");
  constexpr std::size_t kWords = 72, kTerms = 12;
  for (const unsigned bits : {8u, 30u, 32u}) {
    const Modulus q = internal::ends_of_size(bits, 8).back();
    const std::vector<Limb> limbs = internal::extreme_limbs(random, q.value(), kWords);
    const std::array<std::vector<Limb>, 2> b = {{{limbs[1], limbs[3]}, {limbs[5], limbs.back()}}};
    std::vector<std::vector<std::uint32_t>> packed;
    Pointers pa;
    std::array<std::vector<const std::uint32_t*>, 2> pb;
    for (const auto& of_target : b) {
      for (const Limb& limb : of_target) packed.emplace_back(limb.begin(), limb.end());
    }
    for (std::size_t k = 0; k < kTerms; ++k) {
      pa.push_back(limbs[k % limbs.size()].data());
      for (std::size_t t = 0; t < 2; ++t) pb[t].push_back(packed[2 * t + k % 2].data());
    }
    for (const KernelTable* table : supported_kernel_tables()) {
      if (table->dot_packed == nullptr) continue;
      Result first(kWords), second(limbs[1]);
      const DotTarget<std::uint32_t> targets[] = {{pb[0].data(), nullptr, first.data()},
                                                  {pb[1].data(), second.data(), second.data()}};
      table->dot_packed(q, Range::canonical, pa.data(), kTerms, targets, 2, kWords);
      EXPECT_TRUE(equals(first, sum_on(q, limbs[0], limbs, b[0], kTerms))) << describe(*table, q);
      EXPECT_TRUE(equals(second, sum_on(q, limbs[1], limbs, b[1], kTerms))) << describe(*table, q);
    }
  }
}

TEST(DotKernelsTest, parts_of_limbs_may_have_any_length) {
  base::RandomStream random(base::TestSeed(16), "dot test");
  for (const unsigned bits : {30u, 46u, 50u, 60u}) {
    const Modulus q = internal::ends_of_size(bits, 64).back();
    for (std::size_t n = 1; n <= 40; ++n) {
      std::vector<Limb> limbs;
      Pointers pointers;
      for (std::size_t k = 0; k < 6; ++k)
        limbs.push_back(internal::spiked_limb(random, q.value(), n));
      for (const Limb& limb : limbs) pointers.push_back(limb.data());
      Limb expected(n, 0);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < 5; ++k)
          expected[i] = q.add(expected[i], q.mul(limbs[k][i], limbs[k + 1][i]));
      }
      for (const KernelTable* table : supported_kernel_tables()) {
        Result result(n);
        internal::dot(*table, q, Range::canonical, pointers.data(), pointers.data() + 1, 5,
                      result.data(), n);
        EXPECT_TRUE(equals(result, expected)) << describe(*table, q) << ", " << n << " words";
      }
    }
  }
}

}  // namespace
}  // namespace heliodor::cpu
