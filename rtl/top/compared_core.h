// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// A Verilated streaming core and its model side by side.

#pragma once

#include <gtest/gtest.h>

#include "rtl/top/verilated_core.h"

namespace heliodor::rtl_bench {

// The RTL; a failure of the test at the first clock in which it differs from the model or in which
// one of its assertions fires.
template <class Dut, class Model>
class ComparedCore final : public stream::SessionCore {
 public:
  ~ComparedCore() override { EXPECT_GT(clocks_, 0U) << "nothing was compared"; }

  stream::CoreOutputs outputs() const override { return rtl_.outputs(); }

  void clock(const stream::CoreInputs& inputs) override {
    compare(rtl_.outputs(), model_.outputs());
    rtl_.clock(inputs);
    model_.clock(inputs);
    ++clocks_;
    if (rtl_.assertion_fired() && !differed_) {
      differed_ = true;
      ADD_FAILURE() << "an assertion of the RTL fired at clock " << clocks_;
    }
  }

 private:
  void compare(const stream::CoreOutputs& rtl, const stream::CoreOutputs& model) {
    const bool same =
        rtl.in_ready == model.in_ready && rtl.out_valid == model.out_valid &&
        (!rtl.out_valid || (rtl.out_data == model.out_data && rtl.out_last == model.out_last));
    if (same || differed_) return;
    differed_ = true;
    ADD_FAILURE() << "RTL and model differ at clock " << clocks_ << ": in_ready " << rtl.in_ready
                  << '/' << model.in_ready << ", out_valid " << rtl.out_valid << '/'
                  << model.out_valid << ", out_data " << rtl.out_data << '/' << model.out_data
                  << ", out_last " << rtl.out_last << '/' << model.out_last;
  }

  VerilatedCore<Dut> rtl_;
  Model model_;
  std::uint64_t clocks_ = 0;
  bool differed_ = false;
};

}  // namespace heliodor::rtl_bench
