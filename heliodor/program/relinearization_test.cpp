// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A program of real size: one relinearization by hybrid key switching (Han and Ki, CT-RSA 2020,
// eprint 2019/688) with approximate lifts, at N = 65536 with 30 limbs of Q in three digits and 10
// limbs of P. The emitter below is written to read like the formulas; the counts it must yield are
// derived from them independently.

#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <map>
#include <string>

#include "heliodor/program/binary.h"
#include "heliodor/program/builder.h"
#include "heliodor/program/text.h"
#include "heliodor/program/verifier.h"
#include "heliodor/ring/primes.h"
#include "heliodor/ring/rns_base.h"

namespace heliodor::program {
namespace {

using ring::RnsBase;
using Limbs = std::vector<ValueId>;

constexpr std::size_t kQ = 30, kP = 10, kDigits = 3, kDigitSize = kQ / kDigits;

/// Emits sum_i [x_i * (D/d_i)^-1]_{d_i} * (D/d_i) modulo others, for x over the base D.
class Conversion {
 public:
  /// `first` is the index in the program of the first modulus of `from`; `x` is in coefficients.
  Conversion(Builder& b, const RnsBase& from, std::span<const ValueId> x) : b_(b), from_(from) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      scaled_.push_back(b.mul_scalar(x[i], from.inverse_cofactor(i)));
    }
  }

  ValueId to(std::size_t modulus) {
    const auto index = static_cast<std::uint32_t>(modulus);
    std::vector<std::uint64_t> cofactors;
    for (std::size_t i = 0; i < from_.size(); ++i) {
      cofactors.push_back(from_.cofactor_mod(i, b_.modulus(index)));
    }
    return b_.dot_scalar(index, scaled_, cofactors);
  }

 private:
  Builder& b_;
  const RnsBase& from_;
  Limbs scaled_;
};

Limbs inputs(Builder& b, const std::string& name, std::size_t count, bool key) {
  Limbs result;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string limb = name + "[" + std::to_string(i) + "]";
    const auto index = static_cast<std::uint32_t>(i);
    result.push_back(key ? b.key(limb, index, Domain::eval) : b.operand(limb, index, Domain::eval));
  }
  return result;
}

/// mod_up: the digit's residues modulo every prime of QP, in evaluations.
Limbs raise_digit(Builder& b, const RnsBase& base, std::size_t first, const Limbs& eval,
                  const Limbs& coeff) {
  Conversion convert(b, base, std::span(coeff).subspan(first, base.size()));
  Limbs result;
  for (std::size_t m = 0; m < kQ + kP; ++m) {
    const bool own = m >= first && m < first + base.size();
    result.push_back(own ? eval[m] : b.ntt(convert.to(m)));
  }
  return result;
}

/// mod_down: (x - [x]_P) / P modulo the primes of Q.
Limbs lower(Builder& b, const RnsBase& p, const Limbs& x) {
  Limbs remainder;
  for (std::size_t m = kQ; m < kQ + kP; ++m) remainder.push_back(b.intt(x[m]));
  Conversion convert(b, p, remainder);
  Limbs result;
  for (std::size_t m = 0; m < kQ; ++m) {
    const ring::Modulus& q = b.modulus(static_cast<std::uint32_t>(m));
    const ValueId difference = b.sub(x[m], b.ntt(convert.to(m)));
    result.push_back(b.mul_scalar(difference, q.inverse(p.product_mod(q))));
  }
  return result;
}

LimbProgram relinearization(const std::vector<ring::Modulus>& moduli) {
  Builder b(moduli, "relinearize");
  const auto base = [&](std::size_t first, std::size_t count) {
    const auto begin = moduli.begin() + static_cast<std::ptrdiff_t>(first);
    return RnsBase({begin, begin + static_cast<std::ptrdiff_t>(count)});
  };
  const std::array<Limbs, 2> d{inputs(b, "d0", kQ, false), inputs(b, "d1", kQ, false)};
  const Limbs d2 = inputs(b, "d2", kQ, false);
  Limbs d2_coeff;
  for (const ValueId limb : d2) d2_coeff.push_back(b.intt(limb));

  std::vector<Limbs> digits;
  for (std::size_t j = 0; j < kDigits; ++j) {
    const RnsBase digit = base(j * kDigitSize, kDigitSize);
    digits.push_back(raise_digit(b, digit, j * kDigitSize, d2, d2_coeff));
  }
  const RnsBase p = base(kQ, kP);
  for (std::size_t c = 0; c < 2; ++c) {
    std::vector<Limbs> keys;
    for (std::size_t j = 0; j < kDigits; ++j) {
      keys.push_back(inputs(b, "k" + std::to_string(c) + std::to_string(j), kQ + kP, true));
    }
    Limbs product;
    for (std::size_t m = 0; m < kQ + kP; ++m) {
      std::vector<std::pair<ValueId, ValueId>> pairs;
      for (std::size_t j = 0; j < kDigits; ++j) pairs.emplace_back(digits[j][m], keys[j][m]);
      product.push_back(b.dot(pairs));
    }
    const Limbs switched = lower(b, p, product);
    for (std::size_t m = 0; m < kQ; ++m) {
      b.output("c" + std::to_string(c) + "[" + std::to_string(m) + "]",
               b.add(d[c][m], switched[m]));
    }
  }
  return b.build();
}

const std::vector<ring::Modulus>& moduli() {
  static const std::vector<ring::Modulus> kModuli = [] {
    std::vector<ring::Modulus> result;
    for (const std::uint64_t q : ring::generate_primes(46, 65536, kQ + kP)) {
      result.emplace_back(q, 65536);
    }
    return result;
  }();
  return kModuli;
}

TEST(RelinearizationTest, instruction_counts_are_those_of_the_formulas) {
  const LimbProgram program = relinearization(moduli());
  std::map<LimbOp, std::size_t> counts;
  for (std::size_t i = 0; i < program.instruction_count(); ++i) ++counts[program.instruction(i).op];
  // With l limbs of Q, k of P, beta digits: l + 2k inverse transforms; each digit is converted to
  // the l + k - l/beta limbs outside of it, each component's k limbs to l.
  const std::size_t conversions = kDigits * (kQ + kP) - kQ + 2 * kQ;
  const std::map<LimbOp, std::size_t> expected{{LimbOp::intt, kQ + 2 * kP},
                                               {LimbOp::dot_scalar, conversions},
                                               {LimbOp::ntt, conversions},
                                               {LimbOp::dot, 2 * (kQ + kP)},
                                               {LimbOp::mul_scalar, kQ + 2 * kP + 2 * kQ},
                                               {LimbOp::sub, 2 * kQ},
                                               {LimbOp::add, 2 * kQ}};
  EXPECT_EQ(counts, expected);
  EXPECT_EQ(program.inputs().size(), 3 * kQ + 2 * kDigits * (kQ + kP));
  EXPECT_EQ(program.outputs().size(), 2 * kQ);
}

TEST(RelinearizationTest, program_round_trips_in_text_and_binary) {
  const LimbProgram program = relinearization(moduli());
  const auto from_text = parse_text(to_text(program));
  ASSERT_TRUE(from_text) << to_string(from_text.diagnostics(), "text");
  EXPECT_TRUE(*from_text == program);
  const auto from_binary = decode_binary(encode_binary(program));
  ASSERT_TRUE(from_binary) << to_string(from_binary.diagnostics(), "bytes");
  EXPECT_TRUE(*from_binary == program);
}

TEST(RelinearizationTest, time_to_build_is_reported) {
  using Clock = std::chrono::steady_clock;
  const std::vector<ring::Modulus>& primes = moduli();
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    const Clock::time_point start = Clock::now();
    const LimbProgram program = relinearization(primes);
    const std::chrono::duration<double, std::milli> spent = Clock::now() - start;
    best = std::min(best, spent.count());
    EXPECT_TRUE(verify(program).empty());
  }
  RecordProperty("build_ms", std::to_string(best));
  std::cout << "relinearization, N = 65536, 40 limbs: built in " << best << " ms (best of 5)\n";
}

}  // namespace
}  // namespace heliodor::program
