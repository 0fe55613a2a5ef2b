// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Bench of heliodor_mod_mul_barrett. Every clock, valid_o and p_o of the Verilated module are
// compared with the twin model; every valid result is also compared with a product made by
// division, queued when its operands were issued. Registers start with random bits.

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Vheliodor_mod_mul_barrett.h"
#include "heliodor/targets/machine/pe/mod_mul_barrett.h"

namespace heliodor::machine::pe {
namespace {

using Inputs = ModMulBarrett::Inputs;
using Operands = ModMulBarrettOperands;

constexpr unsigned kLatency = kModMulBarrettLatency;
constexpr std::uint32_t kLowestModulus = (1u << (kModMulBarrettWidth - 1)) + 1;
constexpr std::uint32_t kHighestModulus = (1u << kModMulBarrettWidth) - 1;
constexpr Inputs kIdle = {true, false, {}};

Operands with_reciprocal(std::uint32_t a, std::uint32_t b, std::uint32_t q) {
  return {a, b, q, mod_mul_barrett_reciprocal(q)};
}

class OperandSource {
 public:
  explicit OperandSource(std::uint64_t seed) : random_(seed) {}

  std::uint32_t below(std::uint64_t end) { return static_cast<std::uint32_t>(random_() % end); }

  // Uniform over the whole range of moduli, and over all residues of the modulus drawn.
  Operands draw() {
    const std::uint32_t q = kLowestModulus + below(kHighestModulus - kLowestModulus + 1);
    return with_reciprocal(below(q), below(q), q);
  }

  // Residues close to q below moduli close to 2^30 - 2^15: where the quotient bound is tightest.
  Operands draw_tight() {
    const std::uint32_t q = kHighestModulus - (1u << (kModMulBarrettWidth / 2)) - 512 + below(1024);
    return with_reciprocal(q - 1 - below(256), q - 1 - below(256), q);
  }

  // Any bits that fit the ports.
  Operands draw_bits() {
    return {below(1u << kModMulBarrettWidth), below(1u << kModMulBarrettWidth),
            below(1u << kModMulBarrettWidth), below(1u << kModMulBarrettReciprocalWidth)};
  }

 private:
  std::mt19937_64 random_;
};

class ModMulBarrettBench : public ::testing::Test {
 protected:
  ModMulBarrettBench() {
    context_.fatalOnError(false);
    context_.randReset(2);
    context_.randSeed(20);
    dut_ = std::make_unique<Vheliodor_mod_mul_barrett>(&context_);
    dut_->clk_i = 0;
    dut_->rst_ni = 1;
    dut_->eval();
    clock({false, false, {}});
  }

  ~ModMulBarrettBench() override { dut_->final(); }

  // One clock. Outputs are looked at before the edge, when a consumer would take them.
  void clock(const Inputs& inputs) {
    drive(inputs);
    const ModMulBarrett::Outputs expected = model_.step(inputs);
    ASSERT_EQ(dut_->valid_o, expected.valid) << "valid_o at clock " << clocks_;
    if (clocks_ >= kLatency) {
      ASSERT_EQ(dut_->p_o, expected.p) << "p_o at clock " << clocks_;
    }
    if (!inputs.rst_n) {
      products_.clear();
    } else if (inputs.valid) {
      const Operands& operands = inputs.operands;
      products_.push_back(std::uint64_t{operands.a} * operands.b % operands.q);
    }
    if (dut_->valid_o) {
      ASSERT_FALSE(products_.empty()) << "a result without operands at clock " << clocks_;
      ASSERT_EQ(dut_->p_o, products_.front()) << "product at clock " << clocks_;
      products_.pop_front();
      ++results_;
    }
    edge();
    ASSERT_FALSE(context_.gotError()) << "an assertion of the module fired at clock " << clocks_;
  }

  void drain() {
    for (unsigned i = 0; i < kLatency; ++i) {
      ASSERT_NO_FATAL_FAILURE(clock(kIdle));
    }
    ASSERT_TRUE(products_.empty()) << products_.size() << " results are missing";
  }

  // The text that the module's assertions print when these inputs are clocked in, and nothing
  // compared.
  std::string reports_of(const Inputs& inputs) {
    ::testing::internal::CaptureStdout();
    drive(inputs);
    edge();
    std::string text = ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(context_.gotError(), !text.empty()) << text;
    context_.gotError(false);
    context_.gotFinish(false);
    return text;
  }

  void drive(const Inputs& inputs) {
    dut_->rst_ni = inputs.rst_n;
    dut_->valid_i = inputs.valid;
    dut_->a_i = inputs.operands.a;
    dut_->b_i = inputs.operands.b;
    dut_->q_i = inputs.operands.q;
    dut_->mu_i = inputs.operands.mu;
    dut_->eval();
  }

  void edge() {
    dut_->clk_i = 1;
    dut_->eval();
    context_.timeInc(1);
    dut_->clk_i = 0;
    dut_->eval();
    context_.timeInc(1);
    ++clocks_;
  }

  VerilatedContext context_;
  std::unique_ptr<Vheliodor_mod_mul_barrett> dut_;
  ModMulBarrett model_;
  std::deque<std::uint64_t> products_;
  std::uint64_t clocks_ = 0;
  std::uint64_t results_ = 0;
};

TEST_F(ModMulBarrettBench, corner_operands_of_corner_moduli_give_the_product_every_clock) {
  std::vector<std::uint32_t> moduli = {1073692673, 1073668097, 3u << (kModMulBarrettWidth - 2)};
  for (std::uint32_t i = 0; i < 8; ++i) {
    moduli.push_back(kLowestModulus + i);
    moduli.push_back(kHighestModulus - i);
    moduli.push_back(kHighestModulus - (1u << (kModMulBarrettWidth / 2)) - 4 + i);
  }
  std::uint64_t issued = 0;
  for (const std::uint32_t q : moduli) {
    const std::uint32_t operands[] = {0, 1, 2, 0xffffff, 1u << 17, q / 2, q / 2 + 1, q - 2, q - 1};
    for (const std::uint32_t a : operands) {
      for (const std::uint32_t b : operands) {
        ASSERT_NO_FATAL_FAILURE(clock({true, true, with_reciprocal(a, b, q)}))
            << a << ' ' << b << ' ' << q;
        ++issued;
      }
    }
  }
  ASSERT_NO_FATAL_FAILURE(drain());
  EXPECT_EQ(results_, issued);
}

TEST_F(ModMulBarrettBench, million_random_products_with_a_new_modulus_every_clock) {
  constexpr unsigned kProducts = 1'000'000;
  OperandSource source(0x62617272657474);
  const std::uint64_t start = clocks_;
  for (unsigned i = 0; i < kProducts; ++i) {
    ASSERT_NO_FATAL_FAILURE(clock({true, true, source.draw()}));
  }
  ASSERT_NO_FATAL_FAILURE(drain());
  EXPECT_EQ(results_, kProducts);
  EXPECT_EQ(clocks_ - start, kProducts + kLatency) << "initiation interval 1";
}

TEST_F(ModMulBarrettBench, products_where_the_quotient_bound_is_tightest) {
  OperandSource source(0x7469676874);
  for (unsigned i = 0; i < 20'000; ++i) {
    ASSERT_NO_FATAL_FAILURE(clock({true, true, source.draw_tight()}));
  }
  ASSERT_NO_FATAL_FAILURE(drain());
}

TEST_F(ModMulBarrettBench, random_gaps_shift_results_but_lose_none) {
  OperandSource source(0x67617073);
  std::uint64_t issued = 0;
  for (unsigned i = 0; i < 20'000; ++i) {
    const bool valid = source.below(3) != 0;
    ASSERT_NO_FATAL_FAILURE(clock({true, valid, valid ? source.draw() : source.draw_bits()}));
    issued += valid;
  }
  ASSERT_NO_FATAL_FAILURE(drain());
  EXPECT_EQ(results_, issued);
}

TEST_F(ModMulBarrettBench, result_leaves_exactly_seven_clocks_after_its_operands) {
  static_assert(kLatency == 7);
  drive({true, true, with_reciprocal(1073692672, 1073692672, 1073692673)});
  for (unsigned waited = 0; waited <= 14; ++waited) {
    EXPECT_EQ(dut_->valid_o, waited == 7) << "after " << waited << " clocks";
    if (dut_->valid_o) {
      EXPECT_EQ(dut_->p_o, 1u);
    }
    edge();
    drive(kIdle);
  }
}

TEST_F(ModMulBarrettBench, reset_in_flight_clears_every_result_without_waiting_for_an_edge) {
  OperandSource source(0x7265736574);
  for (unsigned in_flight = 1; in_flight <= kLatency + 1; ++in_flight) {
    for (unsigned i = 0; i < in_flight; ++i) {
      ASSERT_NO_FATAL_FAILURE(clock({true, true, source.draw()}));
    }
    drive({false, true, source.draw()});
    EXPECT_EQ(dut_->valid_o, 0) << "in flight " << in_flight;
    const std::uint64_t before = results_;
    ASSERT_NO_FATAL_FAILURE(clock({false, true, source.draw()}));
    ASSERT_NO_FATAL_FAILURE(drain());
    EXPECT_EQ(results_, before) << "in flight " << in_flight;
  }
}

TEST_F(ModMulBarrettBench, each_violated_precondition_is_reported_by_name) {
  const std::uint32_t q = 1073692673;
  const Operands good = with_reciprocal(q - 1, q - 1, q);
  EXPECT_EQ(reports_of({true, true, good}), "");

  const auto report = [this](const Operands& operands) {
    return reports_of({true, true, operands});
  };
  const auto names = [](const std::string& text, const std::string& name) {
    return text.find(name + " does not hold") != std::string::npos;
  };
  EXPECT_TRUE(names(report(with_reciprocal(0, 0, kLowestModulus - 2)), "ModulusInRange"));
  EXPECT_TRUE(names(report({0, 0, kLowestModulus - 1, 0x7fffffff}), "ModulusInRange"));
  EXPECT_TRUE(names(report({q, 0, q, good.mu}), "FirstOperandReduced"));
  EXPECT_TRUE(names(report({0, q, q, good.mu}), "SecondOperandReduced"));
  EXPECT_TRUE(names(report({0, 0, q, good.mu - 1}), "ReciprocalBelongsToModulus"));
  EXPECT_TRUE(names(report({0, 0, q, good.mu + 1}), "ReciprocalBelongsToModulus"));
}

TEST_F(ModMulBarrettBench, preconditions_bind_neither_gaps_nor_clocks_in_reset) {
  const Operands bad = {1, 1, 0, 0};
  EXPECT_EQ(reports_of({true, false, bad}), "");
  EXPECT_EQ(reports_of({false, true, bad}), "");
}

}  // namespace
}  // namespace heliodor::machine::pe
