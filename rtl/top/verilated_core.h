// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// A Verilated streaming core behind the interface that its model has.

#pragma once

#include <verilated.h>

#include <memory>

#include "heliodor/targets/stream/session_core.h"

namespace heliodor::rtl_bench {

// Dut: a Verilated class with the ports of a streaming core; degree_i only if it has that setting.
// Registers start with random bits and one reset.
template <class Dut>
class VerilatedCore final : public stream::SessionCore {
 public:
  VerilatedCore() {
    context_.fatalOnError(false);
    context_.randReset(2);
    context_.randSeed(20);
    dut_ = std::make_unique<Dut>(&context_);
    dut_->clk_i = 0;
    dut_->rst_ni = 1;
    dut_->eval();
    stream::CoreInputs reset;
    reset.rst_n = false;
    VerilatedCore::clock(reset);
  }

  ~VerilatedCore() override { dut_->final(); }

  stream::CoreOutputs outputs() const override {
    return {.in_ready = dut_->in_ready_o != 0,
            .out_valid = dut_->out_valid_o != 0,
            .out_data = dut_->out_data_o,
            .out_last = dut_->out_last_o != 0};
  }

  void clock(const stream::CoreInputs& inputs) override {
    dut_->rst_ni = inputs.rst_n;
    if constexpr (requires { dut_->degree_i; }) dut_->degree_i = inputs.degree;
    dut_->in_valid_i = inputs.in_valid;
    dut_->in_data_i = inputs.in_data;
    dut_->in_last_i = inputs.in_last;
    dut_->out_ready_i = inputs.out_ready;
    dut_->eval();
    dut_->clk_i = 1;
    dut_->eval();
    context_.timeInc(1);
    dut_->clk_i = 0;
    dut_->eval();
    context_.timeInc(1);
  }

  // Whether an assertion of the RTL has fired since the last call.
  bool assertion_fired() {
    const bool fired = context_.gotError();
    context_.gotError(false);
    context_.gotFinish(false);
    return fired;
  }

 private:
  VerilatedContext context_;
  std::unique_ptr<Dut> dut_;
};

}  // namespace heliodor::rtl_bench
