// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Bench of heliodor_coefficient_store. Every clock, the outputs of the Verilated module are
// compared with the twin model; every word that is read is also compared with the fill it belongs
// to, kept in a queue of whole fills.

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>

#include "Vheliodor_coefficient_store.h"
#include "heliodor/targets/machine/pe/coefficient_store.h"
#include "rtl/bench/verilated_test.h"

namespace heliodor::rtl_bench {
namespace {

using Model = machine::pe::CoefficientStore;
using Inputs = Model::Inputs;

constexpr std::uint32_t kDepth = machine::pe::kCoefficientStoreDepth;

class CoefficientStoreBench : public VerilatedTest<Vheliodor_coefficient_store> {
 protected:
  using Fill = std::map<std::uint32_t, std::uint64_t>;

  CoefficientStoreBench() { clock({.rst_n = false}); }

  void drive(const Inputs& inputs) {
    dut_->rst_ni = inputs.rst_n;
    dut_->write_valid_i = inputs.write_valid;
    dut_->write_last_i = inputs.write_last;
    dut_->write_address_i = static_cast<std::uint16_t>(inputs.write_address);
    dut_->write_data_i = inputs.write_data;
    dut_->read_valid_i = inputs.read_valid;
    dut_->read_last_i = inputs.read_last;
    dut_->read_address_i = static_cast<std::uint16_t>(inputs.read_address);
    dut_->eval();
  }

  void clock(const Inputs& inputs) {
    drive(inputs);
    const Model::Outputs expected = model_.step(inputs);
    ASSERT_EQ(dut_->write_ready_o, expected.write_ready) << "write_ready_o at clock " << clocks_;
    ASSERT_EQ(dut_->read_ready_o, expected.read_ready) << "read_ready_o at clock " << clocks_;
    ASSERT_EQ(dut_->read_valid_o, expected.read_valid) << "read_valid_o at clock " << clocks_;
    if (due_) {
      ASSERT_TRUE(dut_->read_valid_o) << "at clock " << clocks_;
      ASSERT_EQ(dut_->read_data_o, *due_) << "of the fill, at clock " << clocks_;
      ++words_read_;
    }
    if (expected.read_valid) {
      ASSERT_EQ(dut_->read_data_o, expected.read_data) << "at clock " << clocks_;
    }
    due_.reset();
    if (inputs.rst_n) {
      account(inputs);
    } else {
      full_.clear();
      filling_.clear();
    }
    edge();
  }

  // What moves at this edge, with the fills as the only memory.
  void account(const Inputs& inputs) {
    if (inputs.read_valid && dut_->read_ready_o) {
      due_ = full_.front().at(inputs.read_address);
      if (inputs.read_last) {
        full_.pop_front();
      }
    }
    if (inputs.write_valid && dut_->write_ready_o) {
      filling_[inputs.write_address] = inputs.write_data;
      if (inputs.write_last) {
        full_.push_back(filling_);
        filling_.clear();
      }
    }
  }

  // `fills` whole fills in scrambled order, written and read with these chances of 8 in a clock.
  void stream(unsigned fills, unsigned write_chance, unsigned read_chance) {
    std::uint64_t written = 0;
    std::uint64_t read = 0;
    while (read < std::uint64_t{fills} * kDepth) {
      Inputs inputs;
      inputs.write_valid = written < std::uint64_t{fills} * kDepth && random_() % 8 < write_chance;
      inputs.write_last = written % kDepth == kDepth - 1;
      inputs.write_address = static_cast<std::uint32_t>(written * 77 % kDepth);
      inputs.write_data = random_();
      inputs.read_valid = random_() % 8 < read_chance;
      inputs.read_last = read % kDepth == kDepth - 1;
      inputs.read_address = static_cast<std::uint32_t>(read * 131 % kDepth);
      written += inputs.write_valid && model_.outputs().write_ready;
      read += inputs.read_valid && model_.outputs().read_ready;
      ASSERT_NO_FATAL_FAILURE(clock(inputs));
    }
    ASSERT_NO_FATAL_FAILURE(clock({}));
  }

  Model model_;
  Fill filling_;
  std::deque<Fill> full_;
  std::optional<std::uint64_t> due_;
  std::uint64_t words_read_ = 0;
  std::mt19937_64 random_{0x73746f7265};
};

TEST_F(CoefficientStoreBench, every_read_returns_the_word_of_its_own_fill_under_any_stalls) {
  for (const unsigned write_chance : {1u, 4u, 8u}) {
    for (const unsigned read_chance : {1u, 4u, 8u}) {
      ASSERT_NO_FATAL_FAILURE(stream(6, write_chance, read_chance))
          << write_chance << ' ' << read_chance;
    }
  }
  EXPECT_EQ(words_read_, 9u * 6 * kDepth);
}

TEST_F(CoefficientStoreBench, filling_and_reading_overlap_at_a_word_a_clock_each) {
  constexpr unsigned kFills = 10;
  const std::uint64_t start = clocks_;
  ASSERT_NO_FATAL_FAILURE(stream(kFills, 8, 8));
  EXPECT_EQ(clocks_ - start, (kFills + 1) * kDepth + 1) << "one fill ahead, then side by side";
}

TEST_F(CoefficientStoreBench, writer_waits_behind_two_full_banks_and_reader_before_an_open_one) {
  EXPECT_FALSE(dut_->read_ready_o);
  Inputs write{.write_valid = true, .write_last = true, .write_address = 3, .write_data = 1};
  ASSERT_NO_FATAL_FAILURE(clock(write));
  write.write_data = 2;
  ASSERT_NO_FATAL_FAILURE(clock(write));
  EXPECT_FALSE(dut_->write_ready_o);
  write.write_data = 3;
  ASSERT_NO_FATAL_FAILURE(clock(write)) << "refused";
  const Inputs read{.read_valid = true, .read_last = true, .read_address = 3};
  ASSERT_NO_FATAL_FAILURE(clock(read));
  EXPECT_EQ(dut_->read_data_o, 1u);
  ASSERT_NO_FATAL_FAILURE(clock(read));
  EXPECT_EQ(dut_->read_data_o, 2u);
  ASSERT_NO_FATAL_FAILURE(clock(read)) << "refused";
  EXPECT_FALSE(dut_->read_valid_o);
}

TEST_F(CoefficientStoreBench, reset_gives_both_banks_to_the_writer_without_waiting_for_an_edge) {
  for (unsigned handed_over = 1; handed_over <= 2; ++handed_over) {
    for (unsigned i = 0; i < handed_over; ++i) {
      ASSERT_NO_FATAL_FAILURE(clock({.write_valid = true, .write_last = true}));
    }
    drive({.rst_n = false});
    EXPECT_TRUE(dut_->write_ready_o);
    EXPECT_FALSE(dut_->read_ready_o);
    ASSERT_NO_FATAL_FAILURE(clock({.rst_n = false, .write_valid = true, .write_last = true}));
    ASSERT_NO_FATAL_FAILURE(stream(2, 8, 8));
  }
}

}  // namespace
}  // namespace heliodor::rtl_bench
