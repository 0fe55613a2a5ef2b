// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "rtl/top/verilated_session.h"

#include <gtest/gtest.h>

namespace heliodor::rtl_bench {

VerilatedSession::VerilatedSession() {
  context_.fatalOnError(false);
  context_.randReset(2);
  context_.randSeed(20);
  dut_ = std::make_unique<Vheliodor_bv_session>(&context_);
  dut_->clk_i = 0;
  dut_->rst_ni = 1;
  dut_->eval();
  stream::CoreInputs reset;
  reset.rst_n = false;
  clock(reset);
}

VerilatedSession::~VerilatedSession() { dut_->final(); }

stream::CoreOutputs VerilatedSession::outputs() const {
  return {.in_ready = dut_->in_ready_o != 0,
          .out_valid = dut_->out_valid_o != 0,
          .out_data = dut_->out_data_o,
          .out_last = dut_->out_last_o != 0};
}

void VerilatedSession::clock(const stream::CoreInputs& inputs) {
  dut_->rst_ni = inputs.rst_n;
  dut_->degree_i = inputs.degree;
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

bool VerilatedSession::assertion_fired() {
  const bool fired = context_.gotError();
  context_.gotError(false);
  context_.gotFinish(false);
  return fired;
}

ComparedSession::~ComparedSession() { EXPECT_GT(clocks_, 0U) << "nothing was compared"; }

void ComparedSession::clock(const stream::CoreInputs& inputs) {
  const stream::CoreOutputs rtl = rtl_.outputs();
  const stream::CoreOutputs model = model_.outputs();
  const bool same =
      rtl.in_ready == model.in_ready && rtl.out_valid == model.out_valid &&
      (!rtl.out_valid || (rtl.out_data == model.out_data && rtl.out_last == model.out_last));
  if (!same && !differed_) {
    differed_ = true;
    ADD_FAILURE() << "RTL and model differ at clock " << clocks_ << ": in_ready " << rtl.in_ready
                  << '/' << model.in_ready << ", out_valid " << rtl.out_valid << '/'
                  << model.out_valid << ", out_data " << rtl.out_data << '/' << model.out_data
                  << ", out_last " << rtl.out_last << '/' << model.out_last;
  }
  rtl_.clock(inputs);
  model_.clock(inputs);
  ++clocks_;
  if (rtl_.assertion_fired() && !differed_) {
    differed_ = true;
    ADD_FAILURE() << "an assertion of the RTL fired at clock " << clocks_;
  }
}

}  // namespace heliodor::rtl_bench
