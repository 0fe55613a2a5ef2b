// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "heliodor/rlwe/internal/test_moduli.h"
#include "heliodor/rlwe/keyswitch/klss.h"

namespace heliodor::rlwe {
namespace {

using internal::error_of;
using ::testing::StartsWith;

Parameters make_parameters(const Gadget& gadget, DigitLift lift, std::size_t limbs) {
  Parameters::Description d;
  const std::vector<ring::Modulus> all = internal::moduli(40, 64, limbs + gadget.special_count);
  d.q.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(limbs));
  d.p.assign(all.begin() + static_cast<std::ptrdiff_t>(limbs), all.end());
  d.gadgets = {gadget};
  d.lift = lift;
  d.security = SecurityLevel::none;
  return Parameters(std::move(d));
}

mpz_class product(std::span<const ring::Modulus> moduli) {
  mpz_class result = 1;
  for (const ring::Modulus& q : moduli) result *= static_cast<unsigned long>(q.value());
  return result;
}

// The largest product of `size` neighbours among `moduli`, cut from the first on.
mpz_class largest_group(const std::vector<ring::Modulus>& moduli, std::size_t size) {
  mpz_class largest = 0;
  for (std::size_t first = 0; first < moduli.size(); first += size) {
    const std::size_t count = std::min(size, moduli.size() - first);
    largest = std::max(largest, product(std::span(moduli).subspan(first, count)));
  }
  return largest;
}

// 2 * N * beta * max|D| * max R
mpz_class twice_the_bound(const Parameters& parameters, const Gadget& gadget,
                          std::size_t block_size) {
  const auto all = parameters.q().moduli().first(gadget.max_limb_count);
  const std::vector<ring::Modulus> q(all.begin(), all.end());
  std::vector<ring::Modulus> order(parameters.p().begin(), parameters.p().end());
  order.insert(order.end(), q.begin(), q.end());
  const mpz_class digit = largest_group(q, gadget.digit_size);
  const mpz_class twice_digit =
      parameters.lift() == DigitLift::exact
          ? digit
          : mpz_class(digit * 2 * static_cast<unsigned long>(gadget.digit_size));
  return twice_digit * largest_group(order, block_size) *
         static_cast<unsigned long>(parameters.degree()) *
         static_cast<unsigned long>(gadget.digit_count(gadget.max_limb_count));
}

TEST(KlssBaseTest, t_exceeds_the_bound_and_is_no_longer_than_it_must_be) {
  for (const Gadget& gadget : {Gadget{1, 1, 7}, Gadget{3, 3, 9}, Gadget{3, 2, 8}}) {
    for (const DigitLift lift : {DigitLift::fast, DigitLift::exact}) {
      const Parameters parameters = make_parameters(gadget, lift, gadget.max_limb_count + 1);
      for (std::size_t block = 1; block <= gadget.max_limb_count + gadget.special_count; ++block) {
        SCOPED_TRACE(testing::Message() << gadget.digit_size << " " << block);
        const mpz_class bound = twice_the_bound(parameters, gadget, block) * 257;
        for (const unsigned t_bits : {32U, 47U, 60U}) {
          const std::vector<ring::Modulus> t = klss_base(parameters, gadget, block, t_bits);
          EXPECT_EQ(t.back().bits(), t_bits);
          EXPECT_GT(product(t) * 2 * 256, bound);
          const mpz_class shorter = product(std::span(t).first(t.size() - 1));
          EXPECT_LT(shorter * 2 * 256 * 1000, bound * 1001);
        }
      }
    }
  }
}

TEST(KlssBaseTest, t_shares_no_modulus_with_q_and_p_and_fits_the_fast_kernels) {
  const Gadget gadget{1, 1, 6};
  Parameters::Description d = make_parameters(gadget, DigitLift::fast, 6).description();
  d.q[2] = internal::moduli(47, 64, 1).front();
  const Parameters parameters(std::move(d));
  const std::vector<ring::Modulus> t = klss_base(parameters, gadget, 3);
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_EQ(t[i].bits(), 47U);
    EXPECT_EQ(std::ranges::count(t, t[i]), 1);
    EXPECT_EQ(std::ranges::count(parameters.q().moduli(), t[i]), 0);
  }
}

// Every block size is matched by one considered, with no more blocks and no longer T.
TEST(KlssBaseTest, block_sizes_to_consider_are_those_that_no_other_beats_in_blocks_and_primes) {
  for (const Gadget& gadget : {Gadget{1, 1, 12}, Gadget{3, 3, 12}}) {
    const Parameters parameters = make_parameters(gadget, DigitLift::fast, 12);
    const auto measure = [&](std::size_t block) {
      return std::pair(klss_block_count({KeySwitchMethod::klss, gadget, block}, 12),
                       klss_base(parameters, gadget, block).size());
    };
    const std::vector<std::size_t> sizes = klss_block_sizes(parameters, gadget);
    for (std::size_t block = 1; block <= 12 + gadget.special_count; ++block) {
      const auto [blocks, primes] = measure(block);
      std::size_t matched = 0;
      for (const std::size_t size : sizes) {
        const auto [its_blocks, its_primes] = measure(size);
        if (its_blocks <= blocks && its_primes <= primes) ++matched;
      }
      EXPECT_GE(matched, 1U) << block;
      const bool considered = std::ranges::count(sizes, block) == 1;
      EXPECT_FALSE(considered && matched > 1) << block;
    }
  }
}

// The 17 primes of 14 bits that are 1 modulo 2 * 64 make up T for small blocks only.
TEST(KlssBaseTest, block_sizes_to_consider_have_enough_primes) {
  const Gadget gadget{1, 1, 12};
  const Parameters parameters = make_parameters(gadget, DigitLift::fast, 12);
  const std::vector<std::size_t> sizes = klss_block_sizes(parameters, gadget, 14);
  ASSERT_FALSE(sizes.empty());
  EXPECT_LT(sizes.back(), klss_block_sizes(parameters, gadget).back());
  for (const std::size_t size : sizes) {
    const mpz_class bound = twice_the_bound(parameters, gadget, size) * 257;
    EXPECT_GT(product(klss_base(parameters, gadget, size, 14)) * 2 * 256, bound);
  }
  EXPECT_TRUE(klss_block_sizes(parameters, gadget, 7).empty());
  EXPECT_THAT(error_of([&] { klss_base(parameters, gadget, 13, 14); }),
              StartsWith("out_of_range: T of 570 bits exceeds the product of the 17 primes of 14"));
}

TEST(KlssBaseTest, gadgets_and_block_sizes_out_of_range_are_errors) {
  const Gadget gadget{1, 1, 4};
  const Parameters parameters = make_parameters(gadget, DigitLift::fast, 4);
  for (const std::size_t block : {0U, 6U}) {
    EXPECT_THAT(error_of([&] { klss_base(parameters, gadget, block); }),
                StartsWith("out_of_range: block_size"));
  }
  EXPECT_THAT(error_of([&] {
                klss_base(parameters, {1, 0, 4}, 1);
              }),
              StartsWith("out_of_range: special_count 0"));
  EXPECT_THAT(error_of([&] { klss_base(parameters, {1, 2, 4}, 1); }), StartsWith("out_of_range"));
}

}  // namespace
}  // namespace heliodor::rlwe
