// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The oracle evaluates polynomials in long double, term by term.

#include "heliodor/schemes/ckks/embedding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "heliodor/schemes/ckks/internal/testing.h"

namespace heliodor::ckks {
namespace {

using testing::error_of;

std::vector<double> random_reals(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> reals(count);
  for (double& x : reals) x = uniform(random);
  return reals;
}

std::vector<std::complex<double>> random_slots(std::size_t count, unsigned seed) {
  const std::vector<double> reals = random_reals(2 * count, seed);
  std::vector<std::complex<double>> slots;
  for (std::size_t j = 0; j < count; ++j) slots.emplace_back(reals[2 * j], reals[2 * j + 1]);
  return slots;
}

// m(zeta^(5^j)) of a polynomial of degree below `degree`, all of whose coefficients are given.
std::complex<long double> evaluate(std::span<const double> m, std::size_t j) {
  const std::size_t degree = m.size();
  std::size_t power = 1;
  for (std::size_t i = 0; i < j; ++i) power = power * 5 % (2 * degree);
  std::complex<long double> sum = 0;
  for (std::size_t k = 0; k < degree; ++k) {
    const long double angle = std::numbers::pi_v<long double> *
                              static_cast<long double>(power * k % (2 * degree)) /
                              static_cast<long double>(degree);
    sum += static_cast<long double>(m[k]) * std::polar(1.0L, angle);
  }
  return sum;
}

template <typename Range>
double euclidean_norm(const Range& values) {
  double sum = 0;
  for (const auto& x : values) sum += std::norm(std::complex<double>(x));
  return std::sqrt(sum);
}

double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return std::sqrt(sum);
}

class EmbeddingOfDegree : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(EmbeddingOfDegree, slots_are_the_values_at_the_powers_of_five) {
  const std::uint64_t degree = GetParam();
  const Embedding embedding(degree);
  const std::vector<double> m = random_reals(degree, 1);
  std::vector<std::complex<double>> slots(degree / 2);
  embedding.to_slots(m, slots);
  double squares = 0;
  for (std::size_t j = 0; j < slots.size(); ++j)
    squares += static_cast<double>(std::norm(std::complex<long double>(slots[j]) - evaluate(m, j)));
  EXPECT_LE(std::sqrt(squares), Embedding::relative_error(slots.size()) * euclidean_norm(slots));
}

TEST_P(EmbeddingOfDegree, coefficients_take_the_given_values_at_the_powers_of_five) {
  const std::uint64_t degree = GetParam();
  const Embedding embedding(degree);
  const std::vector<std::complex<double>> slots = random_slots(degree / 2, 2);
  std::vector<double> m(degree);
  embedding.to_coefficients(slots, m);
  double squares = 0;
  for (std::size_t j = 0; j < slots.size(); ++j)
    squares += static_cast<double>(std::norm(std::complex<long double>(slots[j]) - evaluate(m, j)));
  EXPECT_LE(std::sqrt(squares), Embedding::relative_error(slots.size()) * euclidean_norm(slots));
}

INSTANTIATE_TEST_SUITE_P(Degrees, EmbeddingOfDegree, ::testing::Values(4, 8, 16, 64, 256, 512));

TEST(EmbeddingTest, one_slot_is_a_complex_number_in_two_coefficients) {
  const Embedding embedding(8);
  const std::complex<double> z(3, -4);
  double m[2];
  embedding.to_coefficients({&z, 1}, m);
  EXPECT_EQ(m[0], 3);
  EXPECT_EQ(m[1], -4);
}

TEST(EmbeddingTest, fewer_slots_are_repeated) {
  constexpr std::size_t degree = 128, few = 8, stride = degree / (2 * few);
  const Embedding embedding(degree);
  const std::vector<std::complex<double>> slots = random_slots(few, 3);
  std::vector<double> compact(2 * few), m(degree);
  embedding.to_coefficients(slots, compact);
  for (std::size_t k = 0; k < compact.size(); ++k) m[k * stride] = compact[k];
  std::vector<std::complex<double>> all(degree / 2);
  embedding.to_slots(m, all);
  for (std::size_t j = 0; j < all.size(); ++j)
    EXPECT_LT(std::abs(all[j] - slots[j % few]), 0x1p-45);
}

TEST(EmbeddingTest, round_trips_of_many_slots_keep_the_stated_error) {
  for (const std::uint64_t degree : {std::uint64_t{8192}, std::uint64_t{65536}}) {
    const Embedding embedding(degree);
    const std::vector<double> m = random_reals(degree, 4);
    std::vector<std::complex<double>> slots(degree / 2);
    std::vector<double> back(degree);
    embedding.to_slots(m, slots);
    embedding.to_coefficients(slots, back);
    EXPECT_LE(distance(m, back),
              2.01 * Embedding::relative_error(slots.size()) * euclidean_norm(m));
    EXPECT_GT(distance(m, back), 0);
  }
}

TEST(EmbeddingTest, sizes_that_do_not_fit_are_refused) {
  EXPECT_EQ(error_of([] { Embedding(12); }), ErrorCode::out_of_range);
  const Embedding embedding(16);
  std::vector<std::complex<double>> slots(16);
  std::vector<double> m(32);
  const auto to_slots = [&](std::size_t coefficients, std::size_t count) {
    return error_of([&] {
      embedding.to_slots(std::span(m).first(coefficients), std::span(slots).first(count));
    });
  };
  EXPECT_EQ(to_slots(32, 16), ErrorCode::out_of_range);
  EXPECT_EQ(to_slots(6, 3), ErrorCode::out_of_range);
  EXPECT_EQ(to_slots(0, 0), ErrorCode::out_of_range);
  EXPECT_EQ(to_slots(8, 8), ErrorCode::mismatch);
  EXPECT_EQ(error_of([&] {
              embedding.to_coefficients(std::span(slots).first(4), std::span(m).first(4));
            }),
            ErrorCode::mismatch);
}

}  // namespace
}  // namespace heliodor::ckks
