// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Bench of heliodor_mac_element. Every clock, valid_o and, where it is high, r_o are compared with
// the twin model and with a 128-bit sum of products that is divided once at its end.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <random>
#include <string>

#include "Vheliodor_mac_element.h"
#include "heliodor/targets/machine/pe/mac_element.h"
#include "rtl/bench/verilated_test.h"

namespace heliodor::rtl_bench {
namespace {

__extension__ typedef unsigned __int128 Uint128;

using Model = machine::pe::MacElement;
using Inputs = Model::Inputs;

constexpr std::uint32_t kRegisters = machine::pe::kMacElementRegisters;
constexpr std::uint32_t kPrime = 1073692673;

class MacElementBench : public VerilatedTest<Vheliodor_mac_element> {
 protected:
  MacElementBench() { clock({.rst_n = false}); }

  void drive(const Inputs& inputs) {
    dut_->rst_ni = inputs.rst_n;
    dut_->write_valid_i = inputs.write_valid;
    dut_->write_register_i = static_cast<std::uint8_t>(inputs.write_register);
    dut_->write_data_i = inputs.write_data;
    dut_->valid_i = inputs.valid;
    dut_->first_i = inputs.first;
    dut_->last_i = inputs.last;
    dut_->a_i = inputs.a;
    dut_->from_register_i = inputs.from_register;
    dut_->register_i = static_cast<std::uint8_t>(inputs.register_index);
    dut_->b_i = inputs.b;
    dut_->q_i = inputs.q;
    dut_->mu_i = inputs.mu;
    dut_->eval();
  }

  void clock(const Inputs& inputs) {
    drive(inputs);
    const Model::Outputs expected = model_.step(inputs);
    ASSERT_EQ(dut_->valid_o, expected.valid) << "valid_o at clock " << clocks_;
    if (expected.valid) {
      ASSERT_EQ(dut_->r_o, expected.r) << "r_o against the twin at clock " << clocks_;
      ASSERT_FALSE(due_.empty()) << "a sum without terms at clock " << clocks_;
      ASSERT_EQ(dut_->r_o, due_.front()) << "r_o against the sum at clock " << clocks_;
      due_.pop_front();
    }
    if (!inputs.rst_n) {
      due_.clear();
    } else if (inputs.valid) {
      const std::uint32_t b = inputs.from_register ? registers_[inputs.register_index] : inputs.b;
      sum_ = (inputs.first ? 0 : sum_) + Uint128{inputs.a} * b;
      if (inputs.last) {
        due_.push_back(static_cast<std::uint32_t>(sum_ % inputs.q));
      }
    }
    if (inputs.write_valid) {
      registers_[inputs.write_register] = inputs.write_data;
    }
    edge();
    ASSERT_FALSE(context_.gotError()) << "an assertion of the module fired at clock " << clocks_;
  }

  void drain() {
    for (unsigned i = 0; i < Model::kLatency; ++i) {
      ASSERT_NO_FATAL_FAILURE(clock({}));
    }
    ASSERT_TRUE(due_.empty()) << due_.size() << " sums are missing";
  }

  std::uint32_t below(std::uint64_t end) { return static_cast<std::uint32_t>(random_() % end); }

  Inputs term(std::uint32_t q) {
    return {.valid = true,
            .a = below(q),
            .b = below(q),
            .q = q,
            .mu = machine::pe::mod_mul_barrett_reciprocal(q)};
  }

  // A sum of `terms` random terms with gaps in `gaps` of 8 clocks. Registers are used and written
  // on the way when they all hold residues of q.
  void random_sum(std::uint32_t q, unsigned terms, unsigned gaps, bool registers) {
    for (unsigned i = 0; i < terms;) {
      Inputs inputs = term(q);
      inputs.valid = below(8) >= gaps;
      inputs.first = i == 0;
      inputs.last = i == terms - 1 || below(4) == 0;
      if (registers) {
        inputs.from_register = below(2) != 0;
        inputs.register_index = below(kRegisters);
        inputs.write_valid = below(3) == 0;
        inputs.write_register = below(kRegisters);
        inputs.write_data = below(q);
      }
      i += inputs.valid;
      ASSERT_NO_FATAL_FAILURE(clock(inputs));
    }
  }

  void fill_registers(std::uint32_t q) {
    for (std::uint32_t i = 0; i < kRegisters; ++i) {
      ASSERT_NO_FATAL_FAILURE(
          clock({.write_valid = true, .write_register = i, .write_data = below(q)}));
    }
  }

  Model model_;
  std::array<std::uint32_t, kRegisters> registers_{};
  Uint128 sum_ = 0;
  std::deque<std::uint32_t> due_;
  std::mt19937_64 random_{0x6d6163};
};

TEST_F(MacElementBench, sums_of_every_length_with_a_new_modulus_each_leave_back_to_back) {
  for (unsigned i = 0; i < 5000; ++i) {
    const std::uint32_t q = (1u << 29) + 1 + below((1u << 29) - 1);
    ASSERT_NO_FATAL_FAILURE(random_sum(q, 1 + i % 40, 0, false));
  }
  ASSERT_NO_FATAL_FAILURE(drain());
}

TEST_F(MacElementBench, registers_feed_terms_while_being_written_and_gaps_lose_nothing) {
  for (unsigned i = 0; i < 200; ++i) {
    const std::uint32_t q = (1u << 29) + 1 + below((1u << 29) - 1);
    ASSERT_NO_FATAL_FAILURE(fill_registers(q));
    ASSERT_NO_FATAL_FAILURE(random_sum(q, 100, i % 7, true));
  }
  ASSERT_NO_FATAL_FAILURE(drain());
}

TEST_F(MacElementBench, term_reads_the_register_as_it_was_before_a_write_in_the_same_clock) {
  ASSERT_NO_FATAL_FAILURE(clock({.write_valid = true, .write_register = 5, .write_data = 100}));
  Inputs inputs = term(kPrime);
  inputs.a = 1;
  inputs.first = inputs.last = true;
  inputs.from_register = true;
  inputs.register_index = 5;
  Inputs writing = inputs;
  writing.write_valid = true;
  writing.write_register = 5;
  writing.write_data = 200;
  ASSERT_NO_FATAL_FAILURE(clock(writing));
  ASSERT_NO_FATAL_FAILURE(clock(inputs));
  ASSERT_EQ(due_, (std::deque<std::uint32_t>{100, 200}));
  ASSERT_NO_FATAL_FAILURE(drain());
}

TEST_F(MacElementBench, thousand_largest_products_never_leave_the_accumulators_range) {
  Inputs inputs = term(kPrime);
  inputs.a = inputs.b = kPrime - 1;
  inputs.last = true;
  for (unsigned i = 0; i < 1000; ++i) {
    inputs.first = i == 0;
    ASSERT_NO_FATAL_FAILURE(clock(inputs));
  }
  ASSERT_NO_FATAL_FAILURE(drain());
}

TEST_F(MacElementBench, sum_leaves_exactly_nine_clocks_after_its_last_term) {
  Inputs inputs = term(kPrime);
  inputs.first = inputs.last = true;
  drive(inputs);
  for (unsigned waited = 0; waited <= 18; ++waited) {
    EXPECT_EQ(dut_->valid_o, waited == 9) << "after " << waited << " clocks";
    edge();
    drive({});
  }
}

TEST_F(MacElementBench, reset_in_flight_clears_every_sum_without_waiting_for_an_edge) {
  for (unsigned in_flight = 1; in_flight <= Model::kLatency + 1; ++in_flight) {
    for (unsigned i = 0; i < in_flight; ++i) {
      Inputs inputs = term(kPrime);
      inputs.first = inputs.last = true;
      ASSERT_NO_FATAL_FAILURE(clock(inputs));
    }
    drive({.rst_n = false});
    EXPECT_EQ(dut_->valid_o, 0) << "in flight " << in_flight;
    Inputs inputs = term(kPrime);
    inputs.rst_n = false;
    inputs.first = inputs.last = true;
    ASSERT_NO_FATAL_FAILURE(clock(inputs));
    ASSERT_NO_FATAL_FAILURE(drain());
  }
}

TEST_F(MacElementBench, sum_that_goes_on_below_a_smaller_modulus_is_reported_by_name) {
  Inputs inputs = term(kPrime);
  inputs.a = kPrime - 1;
  inputs.b = 1;
  inputs.first = true;
  drive(inputs);
  EXPECT_EQ(reports_of_edge(), "");
  inputs = term((1u << 29) + 1);
  drive(inputs);
  std::string text;
  for (unsigned i = 0; i < Model::kLatency; ++i) {
    text += reports_of_edge();
    drive({});
  }
  EXPECT_TRUE(names(text, "AccumulatorReduced")) << text;
}

}  // namespace
}  // namespace heliodor::rtl_bench
