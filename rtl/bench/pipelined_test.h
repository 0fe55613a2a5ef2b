// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// The bench of blocks that are a function and a latency, with initiation interval 1. Every clock,
// valid_o and, where it is high, the result are compared with the twin model; every result is also
// compared with an oracle, queued when its operands were issued.

#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <string>

#include "rtl/bench/verilated_test.h"

namespace heliodor::rtl_bench {

// Block has Dut, Model (a PipelinedElement), and the static functions
//   void drive(Dut&, const Operands&), Result shown(const Dut&), Result oracle(const Operands&).
template <class Block>
class PipelinedTest : public VerilatedTest<typename Block::Dut> {
 protected:
  using Base = VerilatedTest<typename Block::Dut>;
  using Model = typename Block::Model;
  using Inputs = typename Model::Inputs;
  using Operands = typename Model::Operands;
  using Base::clocks_;
  using Base::context_;
  using Base::dut_;

  PipelinedTest() { clock({false, false, {}}); }

  void drive(const Inputs& inputs) {
    dut_->rst_ni = inputs.rst_n;
    dut_->valid_i = inputs.valid;
    Block::drive(*dut_, inputs.operands);
    dut_->eval();
  }

  // One clock. Outputs are looked at before the edge, when a consumer would take them.
  void clock(const Inputs& inputs) {
    drive(inputs);
    const typename Model::Outputs expected = model_.step(inputs);
    ASSERT_EQ(dut_->valid_o, expected.valid) << "valid_o at clock " << clocks_;
    if (expected.valid) {
      ASSERT_TRUE(Block::shown(*dut_) == expected.result) << "against the twin, clock " << clocks_;
    }
    if (!inputs.rst_n) {
      due_.clear();
    } else if (inputs.valid) {
      due_.push_back(Block::oracle(inputs.operands));
    }
    if (dut_->valid_o) {
      ASSERT_FALSE(due_.empty()) << "a result without operands at clock " << clocks_;
      ASSERT_TRUE(Block::shown(*dut_) == due_.front()) << "against the oracle, clock " << clocks_;
      due_.pop_front();
      ++results_;
    }
    this->edge();
    ASSERT_FALSE(context_.gotError()) << "an assertion of the module fired at clock " << clocks_;
  }

  void issue(const Operands& operands) { clock({true, true, operands}); }

  void drain() {
    for (unsigned i = 0; i < Model::kLatency; ++i) {
      ASSERT_NO_FATAL_FAILURE(clock({true, false, {}}));
    }
    ASSERT_TRUE(due_.empty()) << due_.size() << " results are missing";
  }

  // `count` operand sets of draw(), one every clock.
  template <class Draw>
  void expect_full_rate(unsigned count, Draw draw) {
    const std::uint64_t start = clocks_;
    const std::uint64_t before = results_;
    for (unsigned i = 0; i < count; ++i) {
      ASSERT_NO_FATAL_FAILURE(issue(draw()));
    }
    ASSERT_NO_FATAL_FAILURE(drain());
    EXPECT_EQ(results_ - before, count);
    EXPECT_EQ(clocks_ - start, count + Model::kLatency) << "initiation interval 1";
  }

  // `count` clocks, a third of them with `idle` operands and without valid.
  template <class Draw>
  void expect_gaps_lose_nothing(unsigned count, Draw draw, const Operands& idle) {
    const std::uint64_t before = results_;
    std::uint64_t issued = 0;
    std::uint32_t random = 1;
    for (unsigned i = 0; i < count; ++i) {
      random = random * 1664525 + 1013904223;
      const bool valid = (random >> 16) % 3 != 0;
      ASSERT_NO_FATAL_FAILURE(clock({true, valid, valid ? draw() : idle}));
      issued += valid;
    }
    ASSERT_NO_FATAL_FAILURE(drain());
    EXPECT_EQ(results_ - before, issued);
  }

  void expect_latency(unsigned latency, const Operands& operands) {
    drive({true, true, operands});
    for (unsigned waited = 0; waited <= 2 * latency; ++waited) {
      EXPECT_EQ(dut_->valid_o, waited == latency) << "after " << waited << " clocks";
      this->edge();
      drive({true, false, {}});
    }
  }

  template <class Draw>
  void expect_reset_clears(Draw draw) {
    for (unsigned in_flight = 1; in_flight <= Model::kLatency + 1; ++in_flight) {
      for (unsigned i = 0; i < in_flight; ++i) {
        ASSERT_NO_FATAL_FAILURE(issue(draw()));
      }
      drive({false, true, draw()});
      EXPECT_EQ(dut_->valid_o, 0) << "in flight " << in_flight;
      const std::uint64_t before = results_;
      ASSERT_NO_FATAL_FAILURE(clock({false, true, draw()}));
      ASSERT_NO_FATAL_FAILURE(drain());
      EXPECT_EQ(results_, before) << "in flight " << in_flight;
    }
  }

  // What the module's assertions print when these inputs are clocked in, and nothing compared.
  std::string reports_of(const Inputs& inputs) {
    drive(inputs);
    return this->reports_of_edge();
  }

  bool reports(const Operands& operands, const std::string& assertion) {
    return Base::names(reports_of({true, true, operands}), assertion);
  }

  Model model_;
  std::deque<typename Model::Result> due_;
  std::uint64_t results_ = 0;
};

}  // namespace heliodor::rtl_bench
