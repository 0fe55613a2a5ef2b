// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Random circuits to the full depth on parameters of 128 bits.
#include <gtest/gtest.h>

#include <array>

#include "heliodor/ring/automorphism.h"
#include "tests/exact/bfv_setup.h"
#include "tests/exact/subjects.h"

namespace heliodor::exact {
namespace {

struct Case {
  std::uint64_t degree;
  std::size_t depth;  // the deepest that 128 bits carry, summands 2
  std::size_t circuits;
};

class BfvCircuitTest : public testing::TestWithParam<Case> {};

TEST_P(BfvCircuitTest, random_circuits_decrypt_right_at_every_depth) {
  const auto& [degree, depth, circuits] = GetParam();
  const bfv::Requirements requirements{
      .t = 65537, .depth = depth, .summands = 2, .min_degree = degree};
  const bfv::Parameters parameters = bfv::Parameters::for_depth(requirements);
  ASSERT_EQ(parameters.degree(), degree);
  bfv::Requirements deeper = requirements;
  ++deeper.depth;
  ASSERT_GT(bfv::Parameters::for_depth(deeper).degree(), degree);
  ASSERT_GE(parameters.rlwe().security(), rlwe::SecurityLevel::bits128);
  const std::array elements = {ring::galois_element_of_rotation(1, degree)};
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    BfvSetup bfv(parameters, fastest(), elements, rlwe::Matching::automatic, seed);
    for (std::size_t i = 0; i < circuits / 4; ++i) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << " circuit " << i);
      run_random_circuit(bfv, depth);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Degrees, BfvCircuitTest,
                         testing::Values(Case{8192, 2, 800}, Case{16384, 6, 160},
                                         Case{32768, 13, 40}));

}  // namespace
}  // namespace heliodor::exact
