// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Bench of heliodor_ntt_unit. Every clock, ready_o, read_valid_o and read_data_o are compared with
// the twin model; whole transforms are compared with ring::reference, the definition.

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "Vheliodor_ntt_unit.h"
#include "heliodor/ring/modulus.h"
#include "heliodor/ring/reference.h"
#include "heliodor/targets/machine/pe/mod_mul_barrett.h"
#include "heliodor/targets/machine/pe/ntt_unit.h"
#include "rtl/bench/verilated_test.h"

namespace heliodor::rtl_bench {
namespace {

using Model = machine::pe::NttUnit;
using Inputs = Model::Inputs;
using Row = machine::pe::NttRow;
using Words = std::vector<std::uint64_t>;

constexpr std::uint32_t kPrimes[] = {1073692673, 1073668097, 536903681};

class NttUnitBench : public VerilatedTest<Vheliodor_ntt_unit> {
 protected:
  NttUnitBench() { clock({.rst_n = false}); }

  void drive(const Inputs& inputs) {
    dut_->rst_ni = inputs.rst_n;
    dut_->start_valid_i = inputs.start_valid;
    dut_->inverse_i = inputs.inverse;
    dut_->log_degree_i = static_cast<std::uint8_t>(inputs.log_degree);
    dut_->q_i = inputs.q;
    dut_->mu_i = inputs.mu;
    dut_->twiddle_valid_i = inputs.twiddle_valid;
    dut_->twiddle_index_i = static_cast<std::uint16_t>(inputs.twiddle_index);
    dut_->twiddle_data_i = inputs.twiddle_data;
    dut_->write_valid_i = inputs.write_valid;
    dut_->write_row_i = static_cast<std::uint16_t>(inputs.write_row);
    set_bits(inputs.write_data);
    dut_->read_valid_i = inputs.read_valid;
    dut_->read_row_i = static_cast<std::uint16_t>(inputs.read_row);
    dut_->eval();
  }

  // Eight 30-bit words stand back to back in the 32-bit words of a wide port.
  void set_bits(const Row& row) {
    std::uint64_t bits = 0;
    unsigned filled = 0;
    unsigned out = 0;
    for (const std::uint32_t word : row) {
      bits |= std::uint64_t{word} << filled;
      filled += 30;
      if (filled >= 32) {
        dut_->write_data_i[out++] = static_cast<std::uint32_t>(bits);
        bits >>= 32;
        filled -= 32;
      }
    }
    dut_->write_data_i[out] = static_cast<std::uint32_t>(bits);
  }

  Row shown() const {
    Row row{};
    for (unsigned lane = 0; lane < row.size(); ++lane) {
      for (unsigned bit = 0; bit < 30; ++bit) {
        const unsigned at = 30 * lane + bit;
        row[lane] |= ((dut_->read_data_o[at / 32] >> (at % 32)) & 1u) << bit;
      }
    }
    return row;
  }

  void clock(const Inputs& inputs) {
    drive(inputs);
    const Model::Outputs expected = model_.step(inputs);
    ASSERT_EQ(dut_->ready_o, expected.ready) << "ready_o at clock " << clocks_;
    ASSERT_EQ(dut_->read_valid_o, expected.read_valid) << "read_valid_o at clock " << clocks_;
    if (expected.read_valid) {
      last_read_ = shown();
      ASSERT_EQ(last_read_, expected.read_data) << "read_data_o at clock " << clocks_;
    }
    edge();
    ASSERT_FALSE(context_.gotError()) << "an assertion of the module fired at clock " << clocks_;
  }

  void load_twiddles(const ring::Modulus& q, unsigned log_degree) {
    const auto twiddles = machine::pe::ntt_twiddles(
        static_cast<std::uint32_t>(q.value()), static_cast<std::uint32_t>(q.psi()), log_degree);
    for (std::uint32_t i = 0; i < twiddles.size(); ++i) {
      ASSERT_NO_FATAL_FAILURE(
          clock({.twiddle_valid = true, .twiddle_index = i, .twiddle_data = twiddles[i]}));
    }
  }

  void write(const Words& words) {
    for (std::uint32_t row = 0; row < words.size() / 8; ++row) {
      Inputs inputs{.write_valid = true, .write_row = row};
      for (unsigned lane = 0; lane < 8; ++lane) {
        inputs.write_data[lane] = static_cast<std::uint32_t>(words[8 * row + lane]);
      }
      ASSERT_NO_FATAL_FAILURE(clock(inputs));
    }
  }

  // A row a clock; row r leaves kReadLatency clocks after it was asked for.
  void expect_words(const Words& words) {
    for (std::uint32_t i = 0; i < words.size() / 8 + Model::kReadLatency; ++i) {
      const bool asking = i < words.size() / 8;
      ASSERT_NO_FATAL_FAILURE(clock({.read_valid = asking, .read_row = asking ? i : 0}));
      if (i >= Model::kReadLatency) {
        const std::uint32_t row = i - Model::kReadLatency;
        for (unsigned lane = 0; lane < 8; ++lane) {
          ASSERT_EQ(last_read_[lane], words[8 * row + lane]) << "index " << 8 * row + lane;
        }
      }
    }
  }

  static Inputs start(const ring::Modulus& q, unsigned log_degree, bool inverse) {
    const auto value = static_cast<std::uint32_t>(q.value());
    return {.start_valid = true,
            .inverse = inverse,
            .log_degree = log_degree,
            .q = value,
            .mu = machine::pe::mod_mul_barrett_reciprocal(value)};
  }

  // Starts and waits until the unit is ready again. What it is offered meanwhile, it must not take.
  std::uint64_t transform(const ring::Modulus& q, unsigned log_degree, bool inverse) {
    const std::uint64_t begin = clocks_;
    clock(start(q, log_degree, inverse));
    while (!dut_->ready_o && !HasFatalFailure()) {
      Inputs offered = start(q, 3, !inverse);
      offered.twiddle_valid = offered.write_valid = offered.read_valid = true;
      offered.twiddle_index = static_cast<std::uint32_t>(random_() % 4096);
      offered.write_row = offered.read_row = static_cast<std::uint32_t>(random_() % 512);
      clock(offered);
    }
    return clocks_ - begin;
  }

  Words random_words(const ring::Modulus& q) {
    Words words(q.degree());
    for (std::uint64_t& word : words) {
      word = random_() % q.value();
    }
    return words;
  }

  Model model_;
  Row last_read_{};
  std::mt19937_64 random_{0x6e7474};
};

TEST_F(NttUnitBench, transforms_of_every_degree_equal_the_reference_in_both_directions) {
  for (unsigned log_degree = 3; log_degree <= 12; ++log_degree) {
    const ring::Modulus q(kPrimes[log_degree % 3], std::uint64_t{1} << log_degree);
    const Words words = random_words(q);
    Words expected(words.size());
    ASSERT_NO_FATAL_FAILURE(load_twiddles(q, log_degree)) << log_degree;
    ASSERT_NO_FATAL_FAILURE(write(words)) << log_degree;
    transform(q, log_degree, false);
    ring::reference::ntt(q, words, expected);
    ASSERT_NO_FATAL_FAILURE(expect_words(expected)) << "forward " << log_degree;

    ASSERT_NO_FATAL_FAILURE(write(words)) << log_degree;
    transform(q, log_degree, true);
    ring::reference::intt(q, words, expected);
    ASSERT_NO_FATAL_FAILURE(expect_words(expected)) << "inverse " << log_degree;
  }
}

TEST_F(NttUnitBench, inverse_undoes_forward_back_to_back_with_largest_and_random_words) {
  const ring::Modulus q(kPrimes[0], 4096);
  ASSERT_NO_FATAL_FAILURE(load_twiddles(q, 12));
  for (const Words& words : {Words(4096, q.value() - 1), random_words(q)}) {
    ASSERT_NO_FATAL_FAILURE(write(words));
    transform(q, 12, false);
    transform(q, 12, true);
    ASSERT_NO_FATAL_FAILURE(expect_words(words));
  }
}

TEST_F(NttUnitBench, transform_takes_exactly_the_stated_clocks) {
  const std::uint64_t stated[] = {40, 55, 72, 93, 149, 293, 613, 1329, 2865, 6193};
  for (unsigned log_degree = 3; log_degree <= 12; ++log_degree) {
    const ring::Modulus q(kPrimes[1], std::uint64_t{1} << log_degree);
    ASSERT_NO_FATAL_FAILURE(load_twiddles(q, log_degree));
    ASSERT_NO_FATAL_FAILURE(write(random_words(q)));
    EXPECT_EQ(transform(q, log_degree, false), stated[log_degree - 3]) << log_degree;
    EXPECT_EQ(transform(q, log_degree, true), stated[log_degree - 3]) << log_degree;
  }
}

TEST_F(NttUnitBench, row_written_in_one_clock_is_read_and_transformed_from_the_next) {
  const ring::Modulus q(kPrimes[0], 8);
  ASSERT_NO_FATAL_FAILURE(load_twiddles(q, 3));
  for (std::uint32_t i = 0; i < 4; ++i) {
    ASSERT_NO_FATAL_FAILURE(write(random_words(q)));
    ASSERT_NO_FATAL_FAILURE(clock({.read_valid = true, .read_row = 0}));
  }
  const Words words = random_words(q);
  Words expected(8);
  ring::reference::ntt(q, words, expected);
  ASSERT_NO_FATAL_FAILURE(write(words));
  transform(q, 3, false);
  ASSERT_NO_FATAL_FAILURE(expect_words(expected));
}

TEST_F(NttUnitBench, row_asked_for_leaves_exactly_three_clocks_later) {
  ASSERT_NO_FATAL_FAILURE(clock({.write_valid = true, .write_row = 5, .write_data = {1, 2, 3}}));
  drive({.read_valid = true, .read_row = 5});
  for (unsigned waited = 0; waited <= 6; ++waited) {
    EXPECT_EQ(dut_->read_valid_o, waited == 3) << "after " << waited << " clocks";
    edge();
    drive({});
  }
}

TEST_F(NttUnitBench, reset_in_a_transform_makes_it_ready_at_once_and_the_next_one_right) {
  const ring::Modulus q(kPrimes[2], 64);
  ASSERT_NO_FATAL_FAILURE(load_twiddles(q, 6));
  const Words words = random_words(q);
  Words expected(words.size());
  ring::reference::ntt(q, words, expected);
  for (unsigned elapsed = 1; elapsed < 60; ++elapsed) {
    ASSERT_NO_FATAL_FAILURE(write(words));
    ASSERT_NO_FATAL_FAILURE(clock(start(q, 6, false)));
    for (unsigned i = 0; i < elapsed; ++i) {
      ASSERT_NO_FATAL_FAILURE(clock({}));
    }
    drive({.rst_n = false});
    EXPECT_TRUE(dut_->ready_o);
    ASSERT_NO_FATAL_FAILURE(clock({.rst_n = false, .start_valid = true}));
    ASSERT_NO_FATAL_FAILURE(write(words));
    transform(q, 6, false);
    ASSERT_NO_FATAL_FAILURE(expect_words(expected)) << elapsed;
  }
}

TEST_F(NttUnitBench, degree_out_of_range_is_reported_by_name) {
  for (const unsigned log_degree : {0u, 2u, 13u, 15u}) {
    drive({.start_valid = true, .log_degree = log_degree, .q = kPrimes[0]});
    EXPECT_TRUE(names(reports_of_edge(), "LogDegreeInRange")) << log_degree;
    drive({.rst_n = false});
    edge();
  }
}

}  // namespace
}  // namespace heliodor::rtl_bench
