// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// The oracle evaluates the polynomial by Horner's rule.

#include "heliodor/targets/machine/pe/ntt_unit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "heliodor/targets/machine/pe/mod_mul_barrett.h"

namespace heliodor::machine::pe {
namespace {

constexpr std::uint32_t kPrime = 1073692673;

// A primitive root of unity of order 2^(log_degree + 1): 236231 has order 2^13.
std::uint32_t root(unsigned log_degree) {
  std::uint64_t psi = 236231;
  for (unsigned i = log_degree; i < 12; ++i) {
    psi = psi * psi % kPrime;
  }
  return static_cast<std::uint32_t>(psi);
}

class NttUnitTest : public ::testing::Test {
 protected:
  void load(unsigned log_degree) {
    const auto twiddles = ntt_twiddles(kPrime, root(log_degree), log_degree);
    for (std::uint32_t i = 0; i < twiddles.size(); ++i) {
      model_.step({.twiddle_valid = true, .twiddle_index = i, .twiddle_data = twiddles[i]});
    }
    words_.resize(twiddles.size());
    for (std::uint32_t& word : words_) {
      word = static_cast<std::uint32_t>(random_() % kPrime);
    }
    for (std::uint32_t row = 0; row < words_.size() / 8; ++row) {
      NttUnit::Inputs inputs{.write_valid = true, .write_row = row};
      std::copy_n(words_.begin() + 8 * row, 8, inputs.write_data.begin());
      model_.step(inputs);
    }
  }

  std::uint64_t transform(unsigned log_degree, bool inverse) {
    std::uint64_t clocks = 0;
    NttUnit::Inputs inputs{.start_valid = true,
                           .inverse = inverse,
                           .log_degree = log_degree,
                           .q = kPrime,
                           .mu = mod_mul_barrett_reciprocal(kPrime)};
    do {
      model_.step(inputs);
      inputs = {};
      ++clocks;
    } while (!model_.outputs().ready);
    return clocks;
  }

  std::vector<std::uint32_t> read() {
    std::vector<std::uint32_t> words;
    for (std::uint32_t i = 0; words.size() < words_.size(); ++i) {
      const auto outputs = model_.step({.read_valid = i < words_.size() / 8, .read_row = i % 512});
      if (outputs.read_valid) {
        words.insert(words.end(), outputs.read_data.begin(), outputs.read_data.end());
      }
    }
    return words;
  }

  NttUnit model_;
  std::vector<std::uint32_t> words_;
  std::mt19937_64 random_{0x6e7474};
};

TEST_F(NttUnitTest, slot_holds_the_value_at_the_odd_power_of_its_reversed_index) {
  for (unsigned log_degree = 3; log_degree <= 7; ++log_degree) {
    load(log_degree);
    transform(log_degree, false);
    const std::vector<std::uint32_t> slots = read();
    for (std::uint32_t slot = 0; slot < slots.size(); ++slot) {
      unsigned power = 1;
      for (unsigned bit = 0; bit < log_degree; ++bit) {
        power += ((slot >> bit) & 1) << (log_degree - bit);
      }
      std::uint64_t x = 1;
      for (unsigned i = 0; i < power; ++i) {
        x = x * root(log_degree) % kPrime;
      }
      std::uint64_t value = 0;
      for (std::size_t i = words_.size(); i-- > 0;) {
        value = (value * x + words_[i]) % kPrime;
      }
      ASSERT_EQ(slots[slot], value) << "slot " << slot << " of 2^" << log_degree;
    }
  }
}

TEST_F(NttUnitTest, inverse_undoes_forward_at_every_degree) {
  for (unsigned log_degree = 3; log_degree <= 12; ++log_degree) {
    load(log_degree);
    EXPECT_EQ(transform(log_degree, false), ntt_unit_clocks(log_degree));
    EXPECT_EQ(transform(log_degree, true), ntt_unit_clocks(log_degree));
    ASSERT_EQ(read(), words_) << log_degree;
  }
}

TEST_F(NttUnitTest, largest_transform_takes_fewer_clocks_than_one_that_drains_after_each_stage) {
  EXPECT_EQ(ntt_unit_clocks(12), 6193u);
  EXPECT_LT(ntt_unit_clocks(12), 12u * (512 + 11));
}

}  // namespace
}  // namespace heliodor::machine::pe
