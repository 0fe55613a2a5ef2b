// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The transforms of every supported table against ring/reference, forward and inverse apart, so
// that two errors cannot cancel.
#include "heliodor/targets/cpu/ntt.h"

#include <gtest/gtest.h>

#include <numeric>

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

void expect_transforms(const Modulus& q, const std::vector<Limb>& limbs) {
  const std::size_t n = q.degree();
  std::vector<Limb> forward(limbs.size(), Limb(n)), inverse(limbs.size(), Limb(n));
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    reference::ntt(q, limbs[i], forward[i]);
    reference::intt(q, limbs[i], inverse[i]);
  }
  for (const KernelTable* table : supported_kernel_tables()) {
    const auto ntt = table->make_ntt(q);
    for (std::size_t i = 0; i < limbs.size(); ++i) {
      const std::string where = describe(*table, q) + ", limb " + std::to_string(i);
      Result apart(n), in_place(limbs[i]);
      ntt->forward(limbs[i].data(), apart.data());
      EXPECT_TRUE(equals(apart, forward[i])) << where << ", forward";
      ntt->forward(in_place.data(), in_place.data());
      EXPECT_TRUE(equals(in_place, forward[i])) << where << ", forward in place";
      Result back(n), back_in_place(limbs[i]);
      ntt->inverse(limbs[i].data(), back.data());
      EXPECT_TRUE(equals(back, inverse[i])) << where << ", inverse";
      ntt->inverse(back_in_place.data(), back_in_place.data());
      EXPECT_TRUE(equals(back_in_place, inverse[i])) << where << ", inverse in place";
    }
  }
}

TEST(NttTest, both_directions_equal_the_reference_for_every_size_of_moduli) {
  base::RandomStream random(base::TestSeed(3), "ntt test");
  for (std::uint64_t degree = 2; degree <= 1024; degree *= 2) {
    for (const Modulus& q : internal::moduli_of_all_sizes(degree)) {
      expect_transforms(q, internal::extreme_limbs(random, q.value(), degree));
    }
  }
}

// The sizes at which the arithmetic changes: reductions of the lazy transforms, Harvey, portable.
TEST(NttTest, both_directions_equal_the_reference_for_large_degrees) {
  base::RandomStream random(base::TestSeed(4), "ntt test");
  for (std::uint64_t degree = 2048; degree <= Modulus::kMaxDegree; degree *= 2) {
    for (const unsigned bits : {30u, 45u, 46u, 47u, 48u, 49u, 50u, 51u, 60u}) {
      if (degree > 16384 && bits != 46 && bits != 48 && bits != 50 && bits != 60) continue;
      const Modulus q = internal::ends_of_size(bits, degree).back();
      expect_transforms(q, {internal::spiked_limb(random, q.value(), degree)});
    }
  }
}

// A unit vector reads out one power of psi in every slot: all twiddle factors take part.
TEST(NttTest, a_monomial_becomes_powers_of_the_root_in_standard_order) {
  for (const std::uint64_t degree : {2u, 8u, 64u, 512u, 4096u}) {
    const Modulus q = internal::ends_of_size(46, degree).back();
    for (const KernelTable* table : supported_kernel_tables()) {
      const auto ntt = table->make_ntt(q);
      Limb x(degree, 0);
      x[1] = 1;
      Result powers(degree);
      ntt->forward(x.data(), powers.data());
      Limb expected(degree);
      for (std::size_t i = 0; i < degree; ++i) {
        std::uint64_t exponent = 0;  // 2*bitrev(i) + 1
        for (std::uint64_t bit = 1; bit < degree; bit *= 2) {
          exponent = 2 * exponent + ((i & bit) != 0 ? 1 : 0);
        }
        expected[i] = q.pow(q.psi(), 2 * exponent + 1);
      }
      EXPECT_TRUE(equals(powers, expected)) << describe(*table, q);
    }
  }
}

// Words at the ends of the source's range and on both sides of its half, which change sign there.
Limb words_of(const Modulus& source, base::RandomStream& random, std::size_t n) {
  Limb words = internal::spiked_limb(random, source.value(), n);
  const Word s = source.value();
  const Word ends[] = {0, 1, s / 2 - 1, s / 2, s / 2 + 1, s - 1};
  for (std::size_t i = 0; i < n; i += 3) words[i] = ends[i / 3 % std::size(ends)];
  return words;
}

TEST(NttTest, lifted_transforms_are_those_of_lifted_words) {
  base::RandomStream random(base::TestSeed(18), "ntt test");
  std::size_t taken = 0;
  for (const std::uint64_t degree : {64u, 128u, 256u, 4096u}) {
    for (const unsigned bits : {20u, 30u, 46u, 47u, 48u, 50u, 60u}) {
      for (const Modulus& q : internal::ends_of_size(bits, degree)) {
        for (const unsigned source_bits : {bits - 2, bits - 1, bits, std::min(bits + 1, 60u)}) {
          for (const Modulus& source : internal::ends_of_size(source_bits, degree)) {
            const Limb words = words_of(source, random, degree);
            for (const ring::Lift lift : {ring::Lift::plain, ring::Lift::centred}) {
              Limb lifted(degree), expected(degree);
              reference::reduce(source, q, lift, words, lifted);
              reference::ntt(q, lifted, expected);
              for (const KernelTable* table : supported_kernel_tables()) {
                const auto ntt = table->make_ntt(q);
                if (!ntt->lifts_from(source)) continue;
                ++taken;
                Result apart(degree), in_place(words);
                ntt->forward_lifted(source, lift, words.data(), apart.data(), Range::canonical, {});
                EXPECT_TRUE(equals(apart, expected))
                    << describe(*table, q) << " from " << source.value();
                ntt->forward_lifted(source, lift, in_place.data(), in_place.data(),
                                    Range::canonical, {});
                EXPECT_TRUE(equals(in_place, expected))
                    << describe(*table, q) << " from " << source.value() << ", in place";
              }
            }
          }
        }
      }
    }
  }
  if (supported_kernel_tables().back()->name == "avx512ifma") {
    EXPECT_GT(taken, 100u);
  }
}

void expect_scaled_inverse(const Modulus& q, const std::vector<Limb>& limbs,
                           const std::vector<Word>& factors) {
  const std::size_t n = q.degree();
  for (const Limb& limb : limbs) {
    Limb inverse(n), expected(n);
    reference::intt(q, limb, inverse);
    for (const Word c : factors) {
      reference::mul_scalar(q, inverse, c, expected);
      for (const KernelTable* table : supported_kernel_tables()) {
        const auto ntt = table->make_ntt(q);
        const InverseScale scale = ntt->scale(c);
        Result apart(n), in_place(limb);
        ntt->inverse(limb.data(), apart.data(), scale);
        EXPECT_TRUE(equals(apart, expected)) << describe(*table, q) << ", scale " << c;
        ntt->inverse(in_place.data(), in_place.data(), scale);
        EXPECT_TRUE(equals(in_place, expected))
            << describe(*table, q) << ", scale " << c << ", in place";
      }
    }
  }
}

TEST(NttTest, scaled_inverse_equals_an_inverse_and_a_product) {
  base::RandomStream random(base::TestSeed(17), "ntt test");
  for (const std::uint64_t degree : {2u, 8u, 64u, 128u, 256u, 512u}) {
    for (const Modulus& q : internal::moduli_of_all_sizes(degree)) {
      const Word top = q.value() - 1;
      expect_scaled_inverse(q,
                            {Limb(degree, top), internal::spiked_limb(random, q.value(), degree)},
                            {0, 1, top, random.below(q.value())});
    }
  }
  for (const unsigned bits : {30u, 45u, 46u, 47u, 48u, 49u, 50u, 51u, 60u}) {
    const Modulus q = internal::ends_of_size(bits, 4096).back();
    expect_scaled_inverse(q, {internal::spiked_limb(random, q.value(), 4096)},
                          {q.value() - 1, random.below(q.value())});
  }
}

TEST(NttTest, a_given_root_is_used) {
  const Modulus smallest = internal::ends_of_size(47, 256).front();
  const Modulus q(smallest.value(), 256, smallest.pow(smallest.psi(), 3));
  base::RandomStream random(base::TestSeed(5), "ntt test");
  expect_transforms(q, {internal::random_limb(random, q.value(), 256)});
}

}  // namespace
}  // namespace heliodor::cpu
