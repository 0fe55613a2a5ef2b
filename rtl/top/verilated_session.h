// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// The Verilated session core behind the interface that its model has, and both side by side.

#pragma once

#include <verilated.h>

#include <memory>

#include "Vheliodor_bv_session.h"
#include "heliodor/targets/stream/session_core.h"
#include "heliodor/targets/stream/session_model.h"

namespace heliodor::rtl_bench {

// heliodor_bv_session as a SessionCore. Registers start with random bits and one reset.
class VerilatedSession final : public stream::SessionCore {
 public:
  VerilatedSession();
  ~VerilatedSession() override;

  stream::CoreOutputs outputs() const override;
  void clock(const stream::CoreInputs& inputs) override;

  // Whether an assertion of the RTL has fired since the last call.
  bool assertion_fired();

 private:
  VerilatedContext context_;
  std::unique_ptr<Vheliodor_bv_session> dut_;
};

// The RTL; a failure of the test at the first clock in which it differs from the model or in which
// one of its assertions fires.
class ComparedSession final : public stream::SessionCore {
 public:
  ~ComparedSession() override;

  stream::CoreOutputs outputs() const override { return rtl_.outputs(); }
  void clock(const stream::CoreInputs& inputs) override;

 private:
  VerilatedSession rtl_;
  stream::SessionModel model_;
  std::uint64_t clocks_ = 0;
  bool differed_ = false;
};

}  // namespace heliodor::rtl_bench
