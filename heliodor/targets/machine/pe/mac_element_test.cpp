// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/mac_element.h"

#include <gtest/gtest.h>

#include <vector>

namespace heliodor::machine::pe {
namespace {

constexpr std::uint32_t kPrime = 1073692673;

MacElement::Inputs term(std::uint32_t a, std::uint32_t b) {
  return {.valid = true, .a = a, .b = b, .q = kPrime, .mu = mod_mul_barrett_reciprocal(kPrime)};
}

// Every sum that leaves while the terms enter, one a clock, and until the last has left.
std::vector<std::uint32_t> sums_of(MacElement& model,
                                   const std::vector<MacElement::Inputs>& terms) {
  std::vector<std::uint32_t> sums;
  for (std::size_t i = 0; i < terms.size() + MacElement::kLatency; ++i) {
    const auto outputs = model.step(i < terms.size() ? terms[i] : MacElement::Inputs{});
    if (outputs.valid) {
      sums.push_back(outputs.r);
    }
  }
  return sums;
}

TEST(MacElementTest, sums_start_at_first_leave_at_last_and_go_on_after_it) {
  MacElement model;
  std::vector<MacElement::Inputs> terms = {term(2, 3), term(4, 5), term(6, 7), term(8, 9)};
  terms[0].first = terms[3].first = true;
  terms[1].last = terms[2].last = terms[3].last = true;
  EXPECT_EQ(sums_of(model, terms), (std::vector<std::uint32_t>{26, 68, 72}));
}

TEST(MacElementTest, sum_wraps_at_the_modulus) {
  MacElement model;
  std::vector<MacElement::Inputs> terms(3, term(kPrime - 1, 1));
  terms[0].first = terms[2].last = true;
  EXPECT_EQ(sums_of(model, terms), (std::vector<std::uint32_t>{kPrime - 3}));
}

TEST(MacElementTest, register_replaces_the_port_and_shows_a_write_one_clock_later) {
  MacElement model;
  model.step({.write_valid = true, .write_register = 7, .write_data = 10});
  MacElement::Inputs inputs = term(3, 1000);
  inputs.first = inputs.last = inputs.from_register = true;
  inputs.register_index = 7;
  MacElement::Inputs writing = inputs;
  writing.write_valid = true;
  writing.write_register = 7;
  writing.write_data = 20;
  EXPECT_EQ(sums_of(model, {writing, inputs}), (std::vector<std::uint32_t>{30, 60}));
}

TEST(MacElementTest, reset_clears_what_is_in_flight) {
  MacElement model;
  MacElement::Inputs inputs = term(2, 3);
  inputs.first = inputs.last = true;
  for (unsigned i = 0; i < MacElement::kLatency; ++i) {
    model.step(inputs);
  }
  MacElement::Inputs reset = inputs;
  reset.rst_n = false;
  model.step(reset);
  EXPECT_TRUE(sums_of(model, {}).empty());
}

}  // namespace
}  // namespace heliodor::machine::pe
