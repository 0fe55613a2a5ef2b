// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each instruction alone, for the smallest and the largest prime of every size at which a kernel or
// a lazy range changes, and for degrees from one vector to many.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/program/builder.h"
#include "tests/agree/compare.h"
#include "tests/agree/moduli.h"
#include "tests/agree/subjects.h"

namespace heliodor::agree {
namespace {

using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;
using ring::Lift;
using ring::Rounding;

constexpr std::array kPrimeSizes = {20U, 25U, 30U, 36U, 40U, 45U, 46U, 47U,
                                    48U, 49U, 50U, 51U, 52U, 55U, 59U, 60U};

// The modulus under test is number 0; numbers 1 and 2 are companions for conversions.
using Emit = std::function<ValueId(Builder&)>;

struct Case {
  const char* name;
  std::uint32_t moduli;  // how many of the three the program needs
  Emit emit;
};

ValueId operand(Builder& b, const char* name, std::uint32_t modulus, Domain domain) {
  return b.operand(name, modulus, domain);
}

ValueId emit_dot(Builder& b, std::size_t pair_count) {
  std::vector<std::pair<ValueId, ValueId>> pairs;
  for (std::size_t k = 0; k < pair_count; ++k) {
    const ValueId x = b.operand(fmt::format("x{}", k), 0, Domain::eval);
    pairs.emplace_back(x, b.key(fmt::format("k{}", k), 0, Domain::eval));
  }
  return b.dot(pairs);
}

std::vector<ValueId> emit_sources(Builder& b) {
  return {operand(b, "x", 0, Domain::coeff), operand(b, "y", 1, Domain::coeff),
          operand(b, "z", 2, Domain::coeff)};
}

ValueId emit_dot_scalar(Builder& b, std::uint32_t modulus,
                        std::uint64_t (*scalar)(std::uint64_t q)) {
  const std::vector<ValueId> sources = emit_sources(b);
  const std::vector<std::uint64_t> scalars(sources.size(), scalar(b.modulus(modulus).value()));
  return b.dot_scalar(modulus, sources, scalars);
}

ValueId emit_permute(Builder& b, Domain domain, std::uint64_t galois_element) {
  return b.permute(galois_element, operand(b, "x", 0, domain));
}

std::uint64_t largest_scalar(std::uint64_t q) { return q - 1; }
std::uint64_t middle_scalar(std::uint64_t q) { return q / 2 + q / 7; }

std::vector<Case> pointwise_cases() {
  const auto x = [](Builder& b) { return operand(b, "x", 0, Domain::eval); };
  const auto y = [](Builder& b) { return operand(b, "y", 0, Domain::eval); };
  return {
      {"add", 1,
       [=](Builder& b) {
         const ValueId a = x(b);
         return b.add(a, y(b));
       }},
      {"sub", 1,
       [=](Builder& b) {
         const ValueId a = x(b);
         return b.sub(a, y(b));
       }},
      {"mul", 1,
       [=](Builder& b) {
         const ValueId a = x(b);
         return b.mul(a, y(b));
       }},
      {"square", 1,
       [=](Builder& b) {
         const ValueId a = x(b);
         return b.mul(a, a);
       }},
      {"neg", 1, [=](Builder& b) { return b.neg(x(b)); }},
      {"add_scalar", 1,
       [=](Builder& b) { return b.add_scalar(x(b), largest_scalar(b.modulus(0).value())); }},
      {"mul_scalar", 1,
       [=](Builder& b) { return b.mul_scalar(x(b), largest_scalar(b.modulus(0).value())); }},
      {"mul_scalar by 0", 1, [=](Builder& b) { return b.mul_scalar(x(b), 0); }},
      {"dot of 1", 1, [](Builder& b) { return emit_dot(b, 1); }},
      {"dot of 7", 1, [](Builder& b) { return emit_dot(b, 7); }},
  };
}

std::vector<Case> conversion_cases() {
  const auto reduce = [](std::uint32_t to, Lift lift, std::uint32_t from) {
    return [=](Builder& b) { return b.reduce(to, lift, operand(b, "x", from, Domain::coeff)); };
  };
  const auto quotient = [](Rounding rounding) {
    return [=](Builder& b) { return b.quotient(0, rounding, emit_sources(b)); };
  };
  return {
      {"dot_scalar", 3, [](Builder& b) { return emit_dot_scalar(b, 0, largest_scalar); }},
      {"dot_scalar to 60 bits", 3, [](Builder& b) { return emit_dot_scalar(b, 2, middle_scalar); }},
      {"quotient floor", 3, quotient(Rounding::floor)},
      {"quotient nearest", 3, quotient(Rounding::nearest)},
      {"reduce plain", 3, reduce(0, Lift::plain, 2)},
      {"reduce centred", 3, reduce(0, Lift::centred, 2)},
      {"reduce plain to 20 bits", 2, reduce(1, Lift::plain, 0)},
      {"reduce centred to 20 bits", 2, reduce(1, Lift::centred, 0)},
      {"reduce centred to 60 bits", 3, reduce(2, Lift::centred, 0)},
  };
}

std::vector<Case> order_cases(std::uint64_t degree) {
  return {
      {"ntt", 1, [](Builder& b) { return b.ntt(operand(b, "x", 0, Domain::coeff)); }},
      {"intt", 1, [](Builder& b) { return b.intt(operand(b, "x", 0, Domain::eval)); }},
      {"permute coeff", 1, [](Builder& b) { return emit_permute(b, Domain::coeff, 5); }},
      {"permute eval", 1, [](Builder& b) { return emit_permute(b, Domain::eval, 5); }},
      {"conjugate coeff", 1,
       [=](Builder& b) { return emit_permute(b, Domain::coeff, 2 * degree - 1); }},
      {"conjugate eval", 1,
       [=](Builder& b) { return emit_permute(b, Domain::eval, 2 * degree - 1); }},
      {"uniform", 1, [](Builder& b) { return b.uniform(b.seed("s"), 3, 0, Domain::eval); }},
  };
}

// The prime under test and two companions of 20 and 60 bits, all different; unused moduli are left
// out.
std::vector<ring::Modulus> moduli_for(std::uint64_t q, std::uint64_t degree, std::uint32_t count) {
  std::vector<ring::Modulus> moduli = {ring::Modulus(q, degree)};
  if (count > 1) {
    const std::uint64_t low = largest_prime(20, degree).value();
    moduli.emplace_back(low != q ? low : largest_prime(21, degree).value(), degree);
  }
  if (count > 2) {
    const std::uint64_t high = largest_prime(60, degree).value();
    moduli.emplace_back(high != q ? high : smallest_prime(60, degree).value(), degree);
  }
  return moduli;
}

class SingleInstructionTest : public testing::TestWithParam<std::uint64_t> {
 protected:
  void check(const LimbProgram& program, std::uint64_t seed) {
    for (const Fill fill : kAllFills) {
      const Trial trial{.seed = seed, .fill = fill, .batch = 1};
      const Expectation expectation(program, trial);
      for (const Subject& subject : subjects_) {
        if (subject.target->refusal(program)) continue;
        ++compared_[subject.label()];
        if (!expectation.compare(*subject.target->plan(program))) continue;
        ADD_FAILURE() << program.name() << "\n" << explain(program, *subject.target, trial);
        return;
      }
    }
  }

  std::vector<Subject> subjects_ = subjects();
  std::map<std::string, std::size_t> compared_;
};

TEST_P(SingleInstructionTest, every_target_returns_the_words_of_the_reference) {
  const std::uint64_t degree = GetParam();
  std::vector<Case> cases = pointwise_cases();
  for (auto& list : {conversion_cases(), order_cases(degree)}) {
    cases.insert(cases.end(), list.begin(), list.end());
  }
  std::size_t programs = 0;
  for (const unsigned bits : kPrimeSizes) {
    for (const auto q : {smallest_prime(bits, degree), largest_prime(bits, degree)}) {
      ASSERT_TRUE(q.has_value()) << bits << " bits hold no prime for degree " << degree;
      for (const Case& c : cases) {
        Builder b(moduli_for(*q, degree, c.moduli), fmt::format("{} {} bits", c.name, bits));
        // A companion that the case leaves unused would be no fault of the program.
        b.output("result", c.emit(b));
        check(b.build(), ++programs);
        if (HasFailure()) return;  // one explanation is enough
      }
    }
  }
  for (const Subject& subject : subjects_) {
    EXPECT_GT(compared_[subject.label()], 0U) << subject.label() << " refuses every program";
  }
}

INSTANTIATE_TEST_SUITE_P(degree, SingleInstructionTest,
                         testing::Values(16, 32, 64, 128, 256, 512, 1024, 4096, 8192),
                         [](const auto& degree) { return std::to_string(degree.param); });

// Sums long enough to overflow an accumulator that is reduced too late.
TEST(LongSumsTest, every_target_returns_the_words_of_the_reference) {
  constexpr std::uint64_t kDegree = 64;
  constexpr std::size_t kTerms = 1000;
  for (const unsigned bits : {20U, 30U, 45U, 48U, 50U, 52U, 60U}) {
    Builder b(moduli_for(largest_prime(bits, kDegree).value(), kDegree, 3), "long_sums");
    const ValueId x = b.operand("x", 0, Domain::coeff);
    const std::vector<ValueId> xyz = {x, b.operand("y", 1, Domain::coeff),
                                      b.operand("z", 2, Domain::coeff)};
    std::vector<ValueId> sources;
    for (std::size_t k = 0; k < kTerms; ++k) sources.push_back(xyz[k % xyz.size()]);
    b.output("dot", b.dot(std::vector<std::pair<ValueId, ValueId>>(kTerms, {x, x})));
    for (const std::uint32_t modulus : {0U, 1U, 2U}) {
      const std::vector<std::uint64_t> scalars(kTerms, b.modulus(modulus).value() - 1);
      b.output(fmt::format("dot_scalar{}", modulus), b.dot_scalar(modulus, sources, scalars));
    }
    b.output("floor", b.quotient(0, Rounding::floor, sources));
    b.output("nearest", b.quotient(0, Rounding::nearest, sources));
    const LimbProgram program = b.build();
    for (const Fill fill : kAllFills) {
      const Trial trial{.seed = bits, .fill = fill, .batch = 1};
      for (const Subject& subject : subjects()) {
        if (subject.target->refusal(program) || !compare(program, *subject.target, trial)) continue;
        FAIL() << explain(program, *subject.target, trial);
      }
    }
  }
}

}  // namespace
}  // namespace heliodor::agree
