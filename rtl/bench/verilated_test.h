// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// What every bench shares: a Verilated module with random initial registers, a clock, and the texts
// of its assertions.

#pragma once

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <memory>
#include <string>

namespace heliodor::rtl_bench {

// Dut: a Verilated class with the ports clk_i and rst_ni.
template <class Dut>
class VerilatedTest : public ::testing::Test {
 protected:
  VerilatedTest() {
    context_.fatalOnError(false);
    context_.randReset(2);
    context_.randSeed(20);
    dut_ = std::make_unique<Dut>(&context_);
    dut_->clk_i = 0;
    dut_->rst_ni = 1;
    dut_->eval();
    // The falling edge of the reset has to be seen.
    dut_->rst_ni = 0;
    dut_->eval();
  }

  ~VerilatedTest() override { dut_->final(); }

  // One rising and one falling edge with the inputs as they stand on the ports.
  void edge() {
    dut_->clk_i = 1;
    dut_->eval();
    context_.timeInc(1);
    dut_->clk_i = 0;
    dut_->eval();
    context_.timeInc(1);
    ++clocks_;
  }

  // As edge(), with what the module's assertions print.
  std::string reports_of_edge() {
    ::testing::internal::CaptureStdout();
    edge();
    std::string text = ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(context_.gotError(), !text.empty()) << text;
    context_.gotError(false);
    context_.gotFinish(false);
    return text;
  }

  static bool names(const std::string& text, const std::string& assertion) {
    return text.find(assertion + " does not hold") != std::string::npos;
  }

  VerilatedContext context_;
  std::unique_ptr<Dut> dut_;
  std::uint64_t clocks_ = 0;
};

}  // namespace heliodor::rtl_bench
