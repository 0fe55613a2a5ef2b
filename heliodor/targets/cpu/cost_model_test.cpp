// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// All on rates that are made up: no test here measures a time.
#include "heliodor/targets/cpu/cost_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "heliodor/program/builder.h"
#include "heliodor/ring/primes.h"

namespace heliodor::cpu {
namespace {

using program::Builder;
using program::LimbProgram;
using program::ValueId;
using ring::Domain;
using ring::Modulus;

constexpr std::uint64_t kDegree = 4096;
constexpr unsigned kLogDegree = 12;
constexpr double kButterflies = kDegree / 2 * kLogDegree;
constexpr double kTiles = kDegree / Schedule::kTileWords;

// Powers of ten, to tell the parts of a sum apart; those of a class are `scale` times as large.
void set_class(KernelRates::SizeClass& rates, double scale) {
  rates.add = 1 * scale;
  rates.mul = 2 * scale;
  rates.mul_scalar = 3 * scale;
  rates.reduce = 4 * scale;
  rates.dot_term = {10 * scale, 15 * scale};
  rates.dot_output = {100 * scale, 150 * scale};
  rates.conversion_term = {20 * scale, 30 * scale, 40 * scale, 50 * scale};
  rates.conversion_output = {200 * scale, 300 * scale, 400 * scale, 500 * scale};
  rates.transform[0].fill(7 * scale);
  rates.transform[1].fill(5 * scale);
  rates.transform[2].fill(6 * scale);
}

KernelRates made_up_rates() {
  KernelRates rates{};
  for (std::size_t c = 0; c < rates.classes.size(); ++c)
    set_class(rates.classes[c], static_cast<double>(c + 1));
  rates.quotient_term = 8;
  rates.permute_eval = 9;
  rates.permute_coeff = 11;
  rates.uniform = 12;
  rates.run = 0;
  rates.call = 0;
  return rates;
}

std::vector<Modulus> moduli(unsigned bits, std::size_t count, std::uint64_t degree = kDegree) {
  std::vector<Modulus> made;
  for (const std::uint64_t q : ring::generate_primes(bits, degree, count))
    made.emplace_back(q, degree);
  return made;
}

PredictedTime predict(const LimbProgram& program, const KernelRates& rates, unsigned threads = 1,
                      const Fusions& fusions = {}) {
  const Schedule schedule =
      make_schedule(program, fusions, threads == 1 ? Concurrency::serial : Concurrency::concurrent);
  return predict_time(program, schedule, rates, threads);
}

LimbProgram one(unsigned bits, Domain domain, ValueId (*emit)(Builder&, ValueId)) {
  Builder b(moduli(bits, 1));
  b.output("y", emit(b, b.operand("x", 0, domain)));
  return b.build();
}

TEST(CostModelTest, every_instruction_costs_its_rate_per_word) {
  const KernelRates rates = made_up_rates();
  const auto ns_per_word = [&](Domain domain, ValueId (*emit)(Builder&, ValueId)) {
    return predict(one(30, domain, emit), rates).total_ns() / kDegree;
  };
  using B = Builder;
  EXPECT_EQ(ns_per_word(Domain::eval, [](B& b, ValueId x) { return b.add(x, x); }), 1);
  EXPECT_EQ(ns_per_word(Domain::eval, [](B& b, ValueId x) { return b.neg(x); }), 1);
  EXPECT_EQ(ns_per_word(Domain::eval, [](B& b, ValueId x) { return b.mul(x, x); }), 2);
  EXPECT_EQ(ns_per_word(Domain::eval, [](B& b, ValueId x) { return b.mul_scalar(x, 5); }), 3);
  EXPECT_EQ(ns_per_word(Domain::eval, [](B& b, ValueId x) { return b.permute(3, x); }), 9);
  EXPECT_EQ(ns_per_word(Domain::coeff, [](B& b, ValueId x) { return b.permute(3, x); }), 11);
  EXPECT_EQ(ns_per_word(Domain::eval,
                        [](B& b, ValueId x) {
                          const std::pair<ValueId, ValueId> pairs[] = {{x, x}, {x, x}, {x, x}};
                          return b.dot(pairs);
                        }),
            3 * 10 + 100);
}

TEST(CostModelTest, transforms_cost_their_butterflies_by_kind) {
  const KernelRates rates = made_up_rates();
  const LimbProgram forward =
      one(30, Domain::coeff, [](Builder& b, ValueId x) { return b.ntt(x); });
  const LimbProgram inverse =
      one(30, Domain::eval, [](Builder& b, ValueId x) { return b.intt(x); });
  const LimbProgram lazy = one(30, Domain::coeff, [](Builder& b, ValueId x) {
    const ValueId key = b.key("k", 0, Domain::eval);
    const std::pair<ValueId, ValueId> pairs[] = {{b.ntt(x), key}};
    return b.dot(pairs);
  });
  EXPECT_EQ(predict(forward, rates).total_ns(), 7 * kButterflies);
  EXPECT_EQ(predict(inverse, rates).total_ns(), 6 * kButterflies);
  EXPECT_EQ(predict(lazy, rates).total_ns(), 5 * kButterflies + 110 * kDegree);
  Fusions fusions;
  fusions.lazy_transforms = false;
  EXPECT_EQ(predict(lazy, rates, 1, fusions).total_ns(), 7 * kButterflies + 110 * kDegree);
}

TEST(CostModelTest, scaling_that_a_transform_does_costs_nothing_more) {
  const LimbProgram scaled =
      one(30, Domain::eval, [](Builder& b, ValueId x) { return b.mul_scalar(b.intt(x), 5); });
  EXPECT_EQ(predict(scaled, made_up_rates()).total_ns(), 6 * kButterflies);
  EXPECT_EQ(predict(scaled, made_up_rates(), 1, Fusions::none()).total_ns(),
            6 * kButterflies + 3 * kDegree);
}

TEST(CostModelTest, difference_costs_its_product_nothing_more) {
  const LimbProgram scaled =
      one(30, Domain::eval, [](Builder& b, ValueId x) { return b.mul_scalar(b.sub(x, x), 5); });
  EXPECT_EQ(predict(scaled, made_up_rates()).total_ns(), 3 * kDegree);
  EXPECT_EQ(predict(scaled, made_up_rates(), 1, Fusions::none()).total_ns(), (1 + 3) * kDegree);
}

TEST(CostModelTest, two_sums_cost_by_their_pair_and_their_addends_nothing) {
  Builder b(moduli(30, 1));
  const ValueId x = b.operand("x", 0, Domain::eval);
  const std::pair<ValueId, ValueId> pairs[] = {{x, x}, {x, x}};
  const ValueId first = b.dot(pairs), second = b.dot(pairs);
  b.output("first", b.add(first, x));
  b.output("second", second);
  const LimbProgram program = b.build();
  EXPECT_EQ(predict(program, made_up_rates()).total_ns(), (2 * 15 + 150) * kDegree);
  EXPECT_EQ(predict(program, made_up_rates(), 1, Fusions::none()).total_ns(),
            (2 * (2 * 10 + 100) + 1) * kDegree);
}

// Five sums of two sources: a group of four and a single one, or five single ones.
TEST(CostModelTest, grouped_conversions_cost_by_the_size_of_the_group) {
  Builder b(moduli(30, 7));
  const ValueId x[] = {b.operand("x", 0, Domain::coeff), b.operand("y", 1, Domain::coeff)};
  const std::uint64_t factors[] = {3, 4};
  for (std::uint32_t t = 2; t < 7; ++t)
    b.output("z" + std::to_string(t), b.dot_scalar(t, x, factors));
  const LimbProgram program = b.build();
  EXPECT_EQ(predict(program, made_up_rates()).total_ns(),
            kDegree * ((2 * 50 + 500) + (2 * 20 + 200)));
  EXPECT_EQ(predict(program, made_up_rates(), 1, Fusions::none()).total_ns(),
            kDegree * 5 * (2 * 20 + 200));
}

TEST(CostModelTest, class_of_a_modulus_is_the_first_that_holds_it) {
  const KernelRates rates = made_up_rates();
  const auto add = [](Builder& b, ValueId x) { return b.add(x, x); };
  for (const auto& [bits, scale] : {std::pair{20U, 1.0},
                                    {30U, 1.0},
                                    {31U, 2.0},
                                    {46U, 2.0},
                                    {47U, 3.0},
                                    {50U, 4.0},
                                    {51U, 5.0},
                                    {60U, 5.0}}) {
    EXPECT_EQ(predict(one(bits, Domain::eval, add), rates).total_ns(), scale * kDegree) << bits;
  }
}

TEST(CostModelTest, conversion_belongs_to_the_class_of_its_largest_modulus) {
  std::vector<Modulus> two = moduli(30, 1);
  two.push_back(moduli(60, 1)[0]);
  for (const std::uint32_t target : {0U, 1U}) {
    Builder b(two);
    const ValueId x[] = {b.operand("x", 1 - target, Domain::coeff)};
    const std::uint64_t factors[] = {3};
    b.output("y", b.dot_scalar(target, x, factors));
    EXPECT_EQ(predict(b.build(), made_up_rates()).total_ns(), 5 * (20 + 200) * kDegree);
  }
}

TEST(CostModelTest, run_and_calls_are_counted_by_tile_or_by_limb) {
  KernelRates rates{};
  rates.run = 1000;
  rates.call = 1;
  const LimbProgram whole = one(30, Domain::coeff, [](Builder& b, ValueId x) { return b.ntt(x); });
  const LimbProgram strip =
      one(30, Domain::coeff, [](Builder& b, ValueId x) { return b.neg(b.add(x, x)); });
  EXPECT_EQ(predict(whole, rates).total_ns(), 1000 + 1);
  EXPECT_EQ(predict(strip, rates).total_ns(), 1000 + 2 * kTiles);
  EXPECT_EQ(predict(strip, rates, 1, Fusions::none()).total_ns(), 1000 + 2);
}

// Waits a millionth of a ns per byte at every distance from half a megabyte on.
KernelRates waiting_rates(std::initializer_list<AccessPattern> patterns) {
  KernelRates rates{};
  for (const AccessPattern pattern : patterns)
    rates.waits[static_cast<std::size_t>(pattern)].fill(1e-6);
  return rates;
}

LimbProgram long_dot(std::uint64_t degree, std::size_t terms) {
  Builder b(moduli(30, 1, degree));
  std::vector<std::pair<ValueId, ValueId>> pairs;
  for (std::size_t k = 0; k < terms; ++k) {
    pairs.emplace_back(b.operand("x" + std::to_string(k), 0, Domain::eval),
                       b.key("k" + std::to_string(k), 0, Domain::eval));
  }
  b.output("y", b.dot(pairs));
  return b.build();
}

TEST(CostModelTest, what_fits_in_cache_is_not_waited_for) {
  const LimbProgram program = long_dot(1024, 15);  // 31 limbs of 8 KiB
  EXPECT_EQ(
      predict(program, waiting_rates({AccessPattern::dot_few, AccessPattern::dot_many})).memory_ns,
      0);
}

TEST(CostModelTest, every_byte_that_does_not_fit_is_waited_for_once) {
  const LimbProgram program = long_dot(4096, 31);  // 63 limbs of 32 KiB
  EXPECT_NEAR(
      predict(program, waiting_rates({AccessPattern::dot_few, AccessPattern::dot_many})).memory_ns,
      63 * 32768 * 1e-6, 1e-9);
  EXPECT_EQ(
      predict(program, waiting_rates({AccessPattern::conversion_few, AccessPattern::transform}))
          .memory_ns,
      0);
}

TEST(CostModelTest, transform_waits_for_no_more_than_its_repetition_finds) {
  const auto transform = [](Builder& b, ValueId x) { return b.ntt(x); };
  Builder alone(moduli(30, 1, 65536));
  alone.output("y", transform(alone, alone.operand("x", 0, Domain::coeff)));
  EXPECT_EQ(predict(alone.build(), waiting_rates({AccessPattern::transform})).memory_ns, 0);

  // Two of different moduli displace each other: limbs in and out, and a table of two words each.
  Builder two(moduli(30, 2, 65536));
  two.output("y0", transform(two, two.operand("x0", 0, Domain::coeff)));
  two.output("y1", transform(two, two.operand("x1", 1, Domain::coeff)));
  EXPECT_NEAR(predict(two.build(), waiting_rates({AccessPattern::transform})).memory_ns,
              2 * 4 * 65536 * 8 * 1e-6, 1e-9);
}

TEST(CostModelTest, distances_are_interpolated_by_their_logarithm) {
  KernelRates rates{};
  rates.waits[0] = {2, 4, 8, 8, 8, 8, 8, 16};
  const auto wait = [&](double distance) {
    return rates.wait(AccessPattern::transform, static_cast<std::size_t>(distance));
  };
  constexpr double kFirst = 1 << 19;
  EXPECT_EQ(wait(0), 0);
  EXPECT_EQ(wait(kFirst / 2), 0);
  EXPECT_NEAR(wait(kFirst / std::sqrt(2)), 1, 1e-4);
  EXPECT_EQ(wait(kFirst), 2);
  EXPECT_NEAR(wait(kFirst * std::sqrt(2)), 3, 1e-4);
  EXPECT_EQ(wait(2 * kFirst), 4);
  EXPECT_EQ(wait(128 * kFirst), 16);
  EXPECT_EQ(wait(1e15), 16);
  EXPECT_EQ(rates.wait(AccessPattern::transform, SIZE_MAX), 16);
}

TEST(CostModelTest, waits_of_sums_are_interpolated_by_their_terms) {
  KernelRates rates{};
  rates.waits[static_cast<std::size_t>(AccessPattern::dot_few)].fill(2);
  rates.waits[static_cast<std::size_t>(AccessPattern::dot_many)].fill(13);
  const auto wait = [&](std::size_t terms) {
    return rates.wait_of_sum(AccessPattern::dot_few, terms, SIZE_MAX);
  };
  EXPECT_EQ(wait(1), 2);
  EXPECT_EQ(wait(3), 2);
  EXPECT_NEAR(wait(4), 3, 1e-12);
  EXPECT_EQ(wait(14), 13);
  EXPECT_EQ(wait(100), 13);
  EXPECT_EQ(rates.wait_of_sum(AccessPattern::conversion_few, 14, SIZE_MAX), 0);
}

TEST(CostModelTest, butterflies_of_other_degrees_are_interpolated) {
  KernelRates rates{};
  rates.classes[0].transform[0] = {8, 6, 4, 3, 2, 2, 2, 5};
  const auto cost = [&](unsigned log_degree) {
    return rates.butterfly(TransformKind::forward, 30, log_degree);
  };
  EXPECT_EQ(cost(1), 8);
  EXPECT_EQ(cost(6), 8);
  EXPECT_EQ(cost(7), 7);
  EXPECT_EQ(cost(8), 6);
  EXPECT_EQ(cost(11), 3.5);
  EXPECT_EQ(cost(12), 3);
  EXPECT_EQ(cost(16), 5);
  EXPECT_EQ(cost(17), 5);
}

TEST(CostModelTest, more_work_never_costs_less) {
  KernelRates rates = made_up_rates();
  rates.run = 50;
  rates.call = 3;
  for (auto& of_pattern : rates.waits) of_pattern = {0, 1, 1, 2, 3, 3, 4, 5};
  double last = 0;
  for (std::size_t length = 0; length < 20; ++length) {
    Builder b(moduli(30, 1));
    ValueId x = b.operand("x", 0, Domain::eval);
    for (std::size_t i = 0; i < length; ++i) x = i % 3 == 2 ? b.permute(3, x) : b.mul(x, x);
    b.output("y", b.neg(x));
    const double now = predict(b.build(), rates).total_ns();
    EXPECT_GT(now, last) << length;
    last = now;
  }
  last = 0;
  for (std::size_t terms = 1; terms < 40; terms += 3) {
    const double now = predict(long_dot(4096, terms), rates).total_ns();
    EXPECT_GT(now, last) << terms;
    last = now;
  }
  last = 0;
  for (std::uint64_t degree = 4; degree <= 16384; degree *= 2) {
    const double now = predict(long_dot(degree, 7), rates).total_ns();
    EXPECT_GT(now, last) << degree;
    last = now;
  }
}

TEST(CostModelTest, threads_share_tiles_and_independent_transforms_but_not_one_transform) {
  const KernelRates rates = made_up_rates();
  const LimbProgram strip =
      one(30, Domain::eval, [](Builder& b, ValueId x) { return b.add(x, x); });
  EXPECT_EQ(predict(strip, rates, 2).total_ns(), kDegree / 2);
  EXPECT_EQ(predict(strip, rates, 3).total_ns(), kDegree / 2);  // 4 tiles: 2, 1, 1
  EXPECT_EQ(predict(strip, rates, 64).total_ns(), kDegree / kTiles);

  const LimbProgram single = one(30, Domain::coeff, [](Builder& b, ValueId x) { return b.ntt(x); });
  EXPECT_EQ(predict(single, rates, 2).total_ns(), 7 * kButterflies);
  Builder b(moduli(30, 3));
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::string name = std::to_string(i);
    b.output("y" + name, b.ntt(b.operand("x" + name, i, Domain::coeff)));
  }
  EXPECT_EQ(predict(b.build(), rates, 2).total_ns(), 2 * 7 * kButterflies);
}

TEST(CostModelTest, program_without_instructions_costs_its_run_and_its_copies) {
  Builder b(moduli(60, 1));
  const ValueId x = b.operand("x", 0, Domain::eval);
  b.output("y", x);
  b.output("z", x);
  KernelRates rates = made_up_rates();
  rates.run = 7;
  EXPECT_EQ(predict(b.build(), rates).total_ns(), 7 + 2 * 5 * kDegree);
}

}  // namespace
}  // namespace heliodor::cpu
