// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// dot_scalar of every supported table, one sum and groups of sums: closed forms at the extremes
// that fill accumulators, random limbs against ring/reference.
#include <gtest/gtest.h>

#include <algorithm>

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

void sum_one(const KernelTable& table, const Modulus& q, Word bound, const Pointers& x,
             const std::vector<Word>& factors, std::size_t count, Result& result) {
  const KernelModulus modulus(q);
  const KernelFactors prepared(modulus, std::span(factors).first(count));
  const DotScalarTarget target{&modulus, &prepared, result.data()};
  table.dot_scalar(bound, x.data(), count, &target, 1, result.size());
}

// Bounds on both sides of what the 52-bit kernels take.
TEST(DotScalarKernelsTest, sum_is_exact_for_largest_sources_of_every_size) {
  for (const std::uint64_t degree : {4u, 8u, 32u}) {
    for (const Modulus& q : internal::moduli_of_all_sizes(degree)) {
      for (const unsigned source_bits : {20u, 46u, 50u, 52u, 53u, 60u}) {
        const Word bound = Word{1} << source_bits;
        const Limb largest(degree, bound - 1);
        const Pointers x(5'000, largest.data());
        const std::vector<Word> c(5'000, q.value() - 1);
        for (const std::size_t count : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 15u, 16u, 17u, 100u,
                                        255u, 256u, 257u, 300u, 5000u}) {
          if (count == 5000 && degree > 8) continue;
          const Word terms = modulo(Uint128{bound - 1} * count, q);
          const Limb expected(degree, q.neg(terms));
          for (const KernelTable* table : supported_kernel_tables()) {
            Result result(degree);
            sum_one(*table, q, bound, x, c, count, result);
            EXPECT_TRUE(equals(result, expected))
                << describe(*table, q) << ", " << count << " sources of " << source_bits << " bits";
          }
        }
      }
    }
  }
}

TEST(DotScalarKernelsTest, sum_equals_the_reference_for_mixed_sources) {
  base::RandomStream random(base::TestSeed(8), "dot test");
  for (const unsigned source_bits : {30u, 50u, 60u}) {
    for (const std::uint64_t degree : {2u, 8u, 64u, 1024u}) {
      std::vector<Modulus> sources;
      std::vector<Limb> limbs;
      Pointers pointers;
      Word bound = 0;
      for (std::size_t k = 0; k < 9; ++k) {
        const auto ends = internal::ends_of_size(source_bits - static_cast<unsigned>(k), degree);
        sources.push_back(ends[k % ends.size()]);
        limbs.push_back(internal::spiked_limb(random, sources.back().value(), degree));
        bound = std::max(bound, sources.back().value());
      }
      for (const Limb& limb : limbs) pointers.push_back(limb.data());
      for (const Modulus& q : internal::moduli_of_all_sizes(degree)) {
        const std::vector<Word> c = internal::spiked_limb(random, q.value(), limbs.size());
        Limb expected(degree);
        reference::dot_scalar(q, sources, std::vector<reference::In>(limbs.begin(), limbs.end()), c,
                              expected);
        for (const KernelTable* table : supported_kernel_tables()) {
          Result result(degree);
          sum_one(*table, q, bound, pointers, c, limbs.size(), result);
          EXPECT_TRUE(equals(result, expected)) << describe(*table, q) << ", bound " << bound;
        }
      }
    }
  }
}

/// Sources with sums modulo several moduli, all on the same limbs.
class Group {
 public:
  Group(base::RandomStream& random, unsigned source_bits, std::size_t count, std::size_t n,
        const std::vector<unsigned>& target_bits)
      : n_(n), source_(internal::ends_of_size(source_bits, 64).back()) {
    for (std::size_t k = 0; k < count; ++k)
      x_.push_back(internal::spiked_limb(random, source_.value(), n));
    for (const unsigned bits : target_bits) {
      const Modulus q = internal::ends_of_size(bits, 64).back();
      targets_.emplace_back(q);
      const std::vector<Word> c = internal::spiked_limb(random, q.value(), count);
      factors_.emplace_back(targets_.back(), c);
      Limb& sum = expected_.emplace_back(n, 0);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < count; ++k)
          sum[i] = q.add(sum[i], q.mul(x_[k][i] % q.value(), c[k]));
      }
    }
  }

  /// Result t overwrites source first_overwritten + t; none is overwritten from x.size() on.
  void expect_sums(const KernelTable& table, std::size_t first_overwritten) const {
    Pointers x;
    for (const Limb& limb : x_) x.push_back(limb.data());
    std::vector<Result> results;
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      const std::size_t k = first_overwritten + t;
      results.push_back(k < x.size() ? Result(x_[k]) : Result(n_));
    }
    std::vector<DotScalarTarget> targets;
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      if (first_overwritten + t < x.size()) x[first_overwritten + t] = results[t].data();
      targets.push_back({&targets_[t], &factors_[t], results[t].data()});
    }
    table.dot_scalar(source_.value(), x.data(), x.size(), targets.data(), targets.size(), n_);
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      EXPECT_TRUE(equals(results[t], expected_[t]))
          << table.name << ": sum " << t << " of " << targets_.size() << ", " << x.size()
          << " sources of " << source_.bits() << " bits, " << n_ << " words, overwrites from "
          << first_overwritten;
    }
  }

 private:
  std::size_t n_;
  Modulus source_;
  std::vector<Limb> x_;
  std::vector<KernelModulus> targets_;
  std::vector<KernelFactors> factors_;
  std::vector<Limb> expected_;
};

/// Groups of one to four moduli: all of them, some of them and none of them within 50 bits.
const std::vector<std::vector<unsigned>> kGroups = {{46},
                                                    {60},
                                                    {46, 30},
                                                    {50, 50},
                                                    {46, 60},
                                                    {30, 46, 50},
                                                    {20, 51, 48},
                                                    {50, 49, 48, 47},
                                                    {60, 20, 46, 50},
                                                    {46, 46, 46, 46},
                                                    {60, 59, 55, 51}};

TEST(DotScalarKernelsTest, groups_of_sums_equal_the_definition) {
  static_assert(KernelTable::kMaxTargets == 4, "kGroups covers every size of groups");
  base::RandomStream random(base::TestSeed(13), "dot test");
  for (const unsigned source_bits : {30u, 47u, 50u, 52u, 53u, 60u}) {
    for (const std::size_t count : {1u, 2u, 5u, 14u, 300u}) {
      for (const std::vector<unsigned>& bits : kGroups) {
        const Group group(random, source_bits, count, 64, bits);
        for (const KernelTable* table : supported_kernel_tables()) group.expect_sums(*table, count);
      }
    }
  }
}

// The accumulators of a whole group are emptied as often as its largest modulus demands.
TEST(DotScalarKernelsTest, groups_of_largest_products_are_exact) {
  for (const std::vector<unsigned>& bits : kGroups) {
    std::vector<KernelModulus> moduli;
    for (const unsigned size : bits) moduli.emplace_back(internal::ends_of_size(size, 64).back());
    for (const unsigned source_bits : {50u, 52u, 60u}) {
      const Word largest = (Word{1} << source_bits) - 1;
      const Limb limb(32, largest);
      for (const std::size_t count : {3u, 4u, 5u, 8u, 9u, 17u, 255u, 256u, 4094u, 4095u, 5000u}) {
        const Pointers x(count, limb.data());
        for (const KernelTable* table : supported_kernel_tables()) {
          std::vector<KernelFactors> factors;
          std::vector<Result> results(moduli.size(), Result(32));
          std::vector<DotScalarTarget> targets;
          for (const KernelModulus& q : moduli)
            factors.emplace_back(q, std::vector<Word>(count, q.value() - 1));
          for (std::size_t t = 0; t < moduli.size(); ++t)
            targets.push_back({&moduli[t], &factors[t], results[t].data()});
          table->dot_scalar(largest + 1, x.data(), count, targets.data(), targets.size(), 32);
          for (std::size_t t = 0; t < moduli.size(); ++t) {
            const Modulus& q = moduli[t].modulus();
            EXPECT_TRUE(equals(results[t], Limb(32, q.neg(modulo(Uint128{largest} * count, q)))))
                << describe(*table, q) << ", sum " << t << " of " << moduli.size() << ", " << count
                << " sources of " << source_bits << " bits";
          }
        }
      }
    }
  }
}

TEST(DotScalarKernelsTest, results_may_overwrite_any_sources) {
  base::RandomStream random(base::TestSeed(14), "dot test");
  constexpr std::size_t kCount = 9;
  for (const unsigned source_bits : {46u, 60u}) {
    for (const std::vector<unsigned>& bits : kGroups) {
      const Group group(random, source_bits, kCount, 80, bits);
      for (const KernelTable* table : supported_kernel_tables()) {
        for (std::size_t first = 0; first < kCount; ++first) group.expect_sums(*table, first);
      }
    }
  }
}

TEST(DotScalarKernelsTest, parts_of_limbs_may_have_any_length) {
  base::RandomStream random(base::TestSeed(15), "dot test");
  for (std::size_t n = 1; n <= 40; ++n) {
    for (const std::vector<unsigned>& bits : kGroups) {
      const Group group(random, 46, 5, n, bits);
      for (const KernelTable* table : supported_kernel_tables()) {
        group.expect_sums(*table, 5);
        group.expect_sums(*table, 1);
      }
    }
  }
}

}  // namespace
}  // namespace heliodor::cpu
