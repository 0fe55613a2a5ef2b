// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that cross moduli, of every supported table, against ring/reference.
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
using ring::Lift;
using ring::Modulus;
using ring::Rounding;

TEST(ConvertKernelsTest, reduce_equals_the_reference_between_all_sizes) {
  base::RandomStream random(base::TestSeed(9), "convert test");
  for (const std::uint64_t degree : {2u, 8u, 64u}) {
    const std::vector<Modulus> moduli = internal::moduli_of_all_sizes(degree);
    for (const Modulus& source : moduli) {
      const std::vector<Limb> limbs = internal::extreme_limbs(random, source.value(), degree);
      for (const Modulus& q : moduli) {
        for (const Lift lift : {Lift::plain, Lift::centred}) {
          for (std::size_t i = 0; i < limbs.size(); ++i) {
            if (degree == 64 && i < 3) continue;
            Limb expected(degree);
            reference::reduce(source, q, lift, limbs[i], expected);
            for (const KernelTable* table : supported_kernel_tables()) {
              Result apart(degree), over(limbs[i]);
              table->reduce(source, q, lift, limbs[i].data(), apart.data(), degree);
              EXPECT_TRUE(equals(apart, expected))
                  << describe(*table, q) << ", from " << source.value();
              table->reduce(source, q, lift, over.data(), over.data(), degree);
              EXPECT_TRUE(equals(over, expected)) << describe(*table, q) << ", in place";
            }
          }
        }
      }
    }
  }
}

// The largest residue that stands for itself and the smallest that stands for a negative number.
TEST(ConvertKernelsTest, centred_lift_turns_negative_just_above_half) {
  for (const Modulus& source : internal::moduli_of_all_sizes(8)) {
    const Modulus q = internal::ends_of_size(60, 8).front();
    const Word half = source.value() / 2;
    const Limb x = {half, half + 1, 0, 1, source.value() - 1, half - 1, half + 2, half};
    const Limb expected = {half,     q.value() - half,       0,   1, q.value() - 1,
                           half - 1, q.value() - (half - 1), half};
    if (source.value() >= q.value()) continue;
    for (const KernelTable* table : supported_kernel_tables()) {
      Result result(8);
      table->reduce(source, q, Lift::centred, x.data(), result.data(), 8);
      EXPECT_TRUE(equals(result, expected)) << describe(*table, q) << ", from " << source.value();
    }
  }
}

/// Compares both roundings, apart and over the last source.
void expect_quotient(const std::vector<Modulus>& sources, const std::vector<Limb>& x) {
  const std::size_t n = sources.front().degree();
  for (const Rounding rounding : {Rounding::floor, Rounding::nearest}) {
    Limb expected(n);
    reference::quotient(sources, std::vector<reference::In>(x.begin(), x.end()), rounding,
                        expected);
    const std::vector<KernelModulus> prepared(sources.begin(), sources.end());
    std::vector<const KernelModulus*> moduli;
    std::vector<const Word*> pointers;
    for (std::size_t k = 0; k < sources.size(); ++k) {
      moduli.push_back(&prepared[k]);
      pointers.push_back(x[k].data());
    }
    for (const KernelTable* table : supported_kernel_tables()) {
      const std::string where = describe(*table, sources[0]) + ", " + std::to_string(x.size()) +
                                " sources, " + (rounding == Rounding::floor ? "floor" : "nearest");
      Result apart(n), over(x.back());
      table->quotient(moduli.data(), pointers.data(), x.size(), rounding, apart.data(), n);
      EXPECT_TRUE(equals(apart, expected)) << where;
      std::vector<const Word*> overlapping = pointers;
      overlapping.back() = over.data();
      table->quotient(moduli.data(), overlapping.data(), x.size(), rounding, over.data(), n);
      EXPECT_TRUE(equals(over, expected)) << where << ", in place";
    }
  }
}

TEST(ConvertKernelsTest, quotient_equals_the_reference_on_extremes) {
  base::RandomStream random(base::TestSeed(10), "convert test");
  for (const std::uint64_t degree : {2u, 8u, 64u, 128u, 256u}) {
    const std::vector<Modulus> moduli = internal::moduli_of_all_sizes(degree);
    for (const std::size_t count : {1u, 2u, 3u, 10u}) {
      for (std::size_t first = 0; first + count <= moduli.size(); first += 3) {
        const std::vector<Modulus> sources(
            moduli.begin() + static_cast<std::ptrdiff_t>(first),
            moduli.begin() + static_cast<std::ptrdiff_t>(first + count));
        std::vector<std::vector<Limb>> by_pattern;
        for (const Modulus& q : sources) {
          const std::vector<Limb> limbs = internal::extreme_limbs(random, q.value(), degree);
          by_pattern.resize(limbs.size());
          for (std::size_t i = 0; i < limbs.size(); ++i) by_pattern[i].push_back(limbs[i]);
        }
        for (const std::vector<Limb>& x : by_pattern) expect_quotient(sources, x);
      }
    }
  }
}

// Fractions that differ from 1/2 and from 1 by a few units of 2^-48: every bias has its own words
// at which the result steps.
TEST(ConvertKernelsTest, quotient_steps_where_the_definition_says) {
  constexpr std::size_t kDegree = 64;
  for (const unsigned bits : {40u, 48u, 50u, 54u, 60u}) {
    for (const std::size_t count : {1u, 2u, 5u}) {
      const Modulus q = internal::ends_of_size(bits, kDegree).back();
      const Word unit = (q.value() >> reference::kQuotientBits) + 1;
      for (const Word from_top : {q.value() / 2, Word{0}}) {
        std::vector<Limb> x(count, Limb(kDegree, 0));
        for (std::size_t i = 0; i < kDegree; ++i) {
          const Word below = i * unit / 4;
          x[0][i] = q.value() - 1 - below - (from_top == 0 ? 0 : from_top - 8 * unit);
        }
        expect_quotient(std::vector<Modulus>(count, q), x);
      }
    }
  }
}

TEST(ConvertKernelsTest, quotient_of_the_most_sources_does_not_overflow) {
  const std::size_t count = reference::kMaxQuotientSources;
  const Modulus q = internal::ends_of_size(60, 8).back();
  expect_quotient(std::vector<Modulus>(count, q), std::vector<Limb>(count, Limb(8, q.value() - 1)));
}

}  // namespace
}  // namespace heliodor::cpu
