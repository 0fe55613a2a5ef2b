// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// The bench that the stream blocks share. Every clock, the outputs of the Verilated module are
// compared with the twin model; the words that leave are compared with a queue of those that
// entered; and the handshake rules of AXI4-Stream are checked on the output.

#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <random>

#include "heliodor/targets/machine/pe/stream.h"
#include "rtl/bench/verilated_test.h"

namespace heliodor::rtl_bench {

template <class Dut, class Model>
class StreamTest : public VerilatedTest<Dut> {
 protected:
  using Inputs = machine::pe::StreamInputs;
  using Outputs = decltype(Model().outputs());
  using Word = machine::pe::StreamWord;
  using VerilatedTest<Dut>::clocks_;
  using VerilatedTest<Dut>::context_;
  using VerilatedTest<Dut>::dut_;

  StreamTest() { clock({false, false, {}, false}); }

  void drive(const Inputs& inputs) {
    dut_->rst_ni = inputs.rst_n;
    dut_->in_valid_i = inputs.in_valid;
    dut_->in_data_i = inputs.in.data;
    dut_->in_last_i = inputs.in.last;
    dut_->out_ready_i = inputs.out_ready;
    dut_->eval();
  }

  Word shown() const { return {dut_->out_data_o, dut_->out_last_o != 0}; }

  // One clock with these inputs.
  void clock(const Inputs& inputs) {
    drive(inputs);
    const Outputs expected = model_.step(inputs);
    ASSERT_EQ(dut_->in_ready_o, expected.in_ready) << "in_ready_o at clock " << clocks_;
    ASSERT_EQ(dut_->out_valid_o, expected.out_valid) << "out_valid_o at clock " << clocks_;
    if (expected.out_valid) {
      ASSERT_EQ(shown().data, expected.out.data) << "out_data_o at clock " << clocks_;
      ASSERT_EQ(shown().last, expected.out.last) << "out_last_o at clock " << clocks_;
    }
    compare_more(expected);
    if (!inputs.rst_n) {
      inside_.clear();
      held_.reset();
    } else {
      ASSERT_NO_FATAL_FAILURE(account(inputs));
    }
    this->edge();
    ASSERT_FALSE(context_.gotError()) << "an assertion of the module fired at clock " << clocks_;
  }

  // Clocks with nothing offered and the output ready until the block is empty.
  void drain() {
    for (unsigned i = 0; i < 200 && !inside_.empty(); ++i) {
      ASSERT_NO_FATAL_FAILURE(clock({true, false, {}, true}));
    }
    ASSERT_TRUE(inside_.empty()) << inside_.size() << " words are missing";
  }

  // Offers `words` random words, each with chance offer of 8 in a clock and held until taken; the
  // output is ready with chance take of 8. Returns the clocks until the last word was taken in.
  std::uint64_t transfer(unsigned words, unsigned offer, unsigned take) {
    const std::uint64_t start = clocks_;
    bool offered = false;
    Word word;
    while (words > 0) {
      if (!offered) {
        offered = random_() % 8 < offer;
        word = {random_(), random_() % 4 == 0};
      }
      const bool taken = offered && model_.outputs().in_ready;
      clock({true, offered, word, random_() % 8 < take});
      if (this->HasFatalFailure()) {
        return 0;
      }
      if (taken) {
        offered = false;
        --words;
      }
    }
    return clocks_ - start;
  }

  // Compares outputs that one block has and the others lack.
  virtual void compare_more(const Outputs&) {}

  Model model_;
  std::deque<Word> inside_;
  std::optional<Word> held_;
  std::mt19937_64 random_{0x73747265616d};
  std::uint64_t left_ = 0;

 private:
  void account(const Inputs& inputs) {
    if (held_) {
      ASSERT_TRUE(dut_->out_valid_o) << "a stalled word vanished at clock " << clocks_;
      ASSERT_EQ(shown(), *held_) << "a stalled word changed at clock " << clocks_;
    }
    held_ = dut_->out_valid_o && !inputs.out_ready ? std::optional<Word>(shown()) : std::nullopt;
    if (dut_->out_valid_o && inputs.out_ready) {
      ASSERT_FALSE(inside_.empty()) << "a word from nowhere at clock " << clocks_;
      ASSERT_EQ(shown(), inside_.front()) << "order at clock " << clocks_;
      inside_.pop_front();
      ++left_;
    }
    if (inputs.in_valid && dut_->in_ready_o) {
      inside_.push_back(inputs.in);
    }
  }
};

}  // namespace heliodor::rtl_bench
