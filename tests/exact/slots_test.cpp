// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Slots against the definition: m evaluated at powers of omega, one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "heliodor/ring/automorphism.h"
#include "heliodor/schemes/slots/inner_sum.h"
#include "heliodor/schemes/slots/slot_encoder.h"
#include "tests/exact/oracle.h"
#include "tests/exact/subjects.h"

namespace heliodor::exact {
namespace {

using slots::Plaintext;
using slots::SlotEncoder;

struct Case {
  std::uint64_t t, degree;
};

std::vector<Case> cases() {
  return {{17, 8}, {257, 128}, {65537, 1024}, {ring::generate_primes(60, 8, 1).front(), 8}};
}

std::uint64_t multiply(std::uint64_t a, std::uint64_t b, std::uint64_t t) {
  return static_cast<std::uint64_t>(ring::Uint128{a} * b % t);
}

std::uint64_t power(std::uint64_t a, std::uint64_t exponent, std::uint64_t t) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent /= 2, a = multiply(a, a, t))
    if (exponent % 2 == 1) result = multiply(result, a, t);
  return result;
}

/// The smallest omega with omega^N = -1, found by trying.
std::uint64_t smallest_root(std::uint64_t t, std::uint64_t degree) {
  // Any element to the power (t-1)/2N is a 2N-th root; its odd powers are all primitive ones.
  std::uint64_t root = 2;
  while (power(power(root, (t - 1) / (2 * degree), t), degree, t) != t - 1) ++root;
  root = power(root, (t - 1) / (2 * degree), t);
  std::uint64_t smallest = t;
  for (std::uint64_t e = 1; e < 2 * degree; e += 2)
    smallest = std::min(smallest, power(root, e, t));
  return smallest;
}

std::uint64_t value_at(const Plaintext& m, std::uint64_t x, std::uint64_t t) {
  std::uint64_t sum = 0;
  for (std::size_t k = m.coefficients.size(); k-- > 0;) {
    const std::int64_t c = m.coefficients[k];
    sum = (multiply(sum, x, t) +
           (c < 0 ? t - static_cast<std::uint64_t>(-c) : static_cast<std::uint64_t>(c))) %
          t;
  }
  return sum;
}

class SlotsTest : public testing::TestWithParam<Case> {
 protected:
  std::uint64_t degree_ = GetParam().degree;
  std::uint64_t t_ = GetParam().t;
  std::mt19937_64 random_{degree_};

  rlwe::ContextPtr context_on(std::shared_ptr<const program::Target> target) const {
    rlwe::Parameters::Description d;
    d.q = moduli(30, degree_, 1);
    d.security = rlwe::SecurityLevel::none;
    return std::make_shared<const rlwe::Context>(rlwe::Parameters(d), std::move(target));
  }
  std::vector<std::int64_t> random_values() {
    std::vector<std::int64_t> values(degree_);
    for (std::int64_t& v : values) v = static_cast<std::int64_t>(random_() % t_);
    values.front() = static_cast<std::int64_t>(t_ - 1);
    return values;
  }
};

TEST_P(SlotsTest, slots_are_values_at_powers_of_the_smallest_root) {
  const std::uint64_t omega = smallest_root(t_, degree_);
  const std::vector<std::int64_t> values = random_values();
  for (const auto& target : subjects()) {
    const SlotEncoder encoder(context_on(target), t_);
    const Plaintext m = encoder.encode(values);
    const std::vector<std::uint64_t> decoded = encoder.decode(m);
    std::uint64_t exponent = 1;
    for (std::size_t j = 0; j < degree_ / 2; ++j) {
      const auto upper = static_cast<std::uint64_t>(values[j]);
      const auto lower = static_cast<std::uint64_t>(values[degree_ / 2 + j]);
      ASSERT_EQ(decoded[j], upper);
      ASSERT_EQ(decoded[degree_ / 2 + j], lower);
      ASSERT_EQ(value_at(m, power(omega, exponent, t_), t_), upper) << target->name() << j;
      ASSERT_EQ(value_at(m, power(omega, 2 * degree_ - exponent, t_), t_), lower) << j;
      exponent = exponent * 5 % (2 * degree_);
    }
  }
}

TEST_P(SlotsTest, negative_values_are_their_residues_and_missing_ones_are_zero) {
  const SlotEncoder encoder(context_on(fastest()), t_);
  const auto half = static_cast<std::int64_t>((t_ - 1) / 2);
  const std::vector<std::int64_t> values = {-1, -half, half};
  std::vector<std::int64_t> expected(degree_);
  std::ranges::copy(values, expected.begin());
  EXPECT_EQ(encoder.decode_centred(encoder.encode(values)), expected);
  EXPECT_EQ(encoder.decode(encoder.encode(values))[0], t_ - 1);
}

TEST_P(SlotsTest, automorphisms_rotate_and_swap_rows) {
  const SlotEncoder encoder(context_on(fastest()), t_);
  const std::vector<std::int64_t> values = random_values();
  const ring::Modulus t(t_, degree_);
  const auto moved = [&](std::uint64_t g) {
    Limb result(degree_);
    ring::reference::permute(t, g, ring::Domain::coeff, slots::to_residues(encoder.encode(values)),
                             result);
    return encoder.decode(slots::from_residues(encoder.t(), result));
  };
  const std::size_t row = degree_ / 2;
  const auto rotated = moved(ring::galois_element_of_rotation(3, degree_));
  const auto swapped = moved(ring::galois_element_of_conjugation(degree_));
  for (std::size_t j = 0; j < row; ++j) {
    EXPECT_EQ(rotated[j], static_cast<std::uint64_t>(values[(j + 3) % row]));
    EXPECT_EQ(rotated[row + j], static_cast<std::uint64_t>(values[row + (j + 3) % row]));
    EXPECT_EQ(swapped[j], static_cast<std::uint64_t>(values[row + j]));
    EXPECT_EQ(swapped[row + j], static_cast<std::uint64_t>(values[j]));
  }
}

TEST_P(SlotsTest, inner_sum_elements_add_up_neighbours_and_in_the_end_everything) {
  const SlotEncoder encoder(context_on(fastest()), t_);
  const std::vector<std::int64_t> values = random_values();
  const ring::Modulus t(t_, degree_);
  for (std::uint64_t count = 1; count <= degree_; count *= 2) {
    Limb sum = slots::to_residues(encoder.encode(values));
    for (const std::uint64_t g : slots::inner_sum_elements(count, degree_)) {
      Limb moved(degree_);
      ring::reference::permute(t, g, ring::Domain::coeff, sum, moved);
      sum = add(t, sum, moved);
    }
    const auto result = encoder.decode(slots::from_residues(encoder.t(), sum));
    const std::size_t row = degree_ / 2;
    for (std::size_t j = 0; j < degree_; ++j) {
      ring::Uint128 expected = 0;
      for (std::size_t k = 0; k < count; ++k) {
        const std::size_t column = (j % row + k) % row;
        const std::size_t first = count == degree_ ? k / row * row : j / row * row;
        expected += static_cast<std::uint64_t>(values[first + column]);
      }
      ASSERT_EQ(result[j], static_cast<std::uint64_t>(expected % t_)) << count << " from " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Moduli, SlotsTest, testing::ValuesIn(cases()));

TEST(SlotEncoderTest, moduli_without_a_root_and_foreign_plaintexts_are_refused) {
  rlwe::Parameters::Description description;
  description.q = moduli(30, 16, 1);
  const auto here = context(description);
  EXPECT_EQ(error_of([&] { SlotEncoder(here, 17); }).substr(0, 16), "invalid_modulus:");
  EXPECT_EQ(error_of([&] { SlotEncoder(here, 96); }).substr(0, 16), "invalid_modulus:");
  const SlotEncoder encoder(here, 97);
  const Plaintext other = slots::encode_coefficients(slots::PlaintextModulus(193), 16, {});
  const Plaintext shorter = slots::encode_coefficients(slots::PlaintextModulus(97), 8, {});
  EXPECT_EQ(error_of([&] { encoder.decode(other); }).substr(0, 9), "mismatch:");
  EXPECT_EQ(error_of([&] { encoder.decode(shorter); }).substr(0, 9), "mismatch:");
  const std::vector<std::int64_t> large = {97}, many(17);
  EXPECT_EQ(error_of([&] { encoder.encode(large); }).substr(0, 13), "out_of_range:");
  EXPECT_EQ(error_of([&] { encoder.encode(many); }).substr(0, 13), "out_of_range:");
}

}  // namespace
}  // namespace heliodor::exact
