// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Many random circuits at secure parameters, to the full depth.

#include <gtest/gtest.h>

#include "tests/exact/ckks_setup.h"
#include "tests/exact/subjects.h"

namespace heliodor::exact {
namespace {

struct Size {
  std::uint64_t degree;
  std::size_t depth;
  unsigned scale_bits;
  int circuits;
};

class CkksCircuits : public ::testing::TestWithParam<Size> {};

TEST_P(CkksCircuits, decode_within_their_bounds) {
  const auto& [degree, depth, scale_bits, circuits] = GetParam();
  constexpr std::int64_t one[] = {1};
  CkksSetup ckks(ckks::Parameters::for_depth({.depth = depth,
                                              .scale_bits = scale_bits,
                                              .integer_bits = 3,
                                              .value_bound = 0.5,
                                              .degree = degree}),
                 fastest(), one);
  for (int circuit = 0; circuit < circuits; ++circuit) run_random_circuit(ckks);
}

INSTANTIATE_TEST_SUITE_P(Sizes, CkksCircuits,
                         ::testing::Values(Size{8192, 2, 42, 600}, Size{16384, 5, 45, 300},
                                           Size{32768, 11, 47, 100}));

}  // namespace
}  // namespace heliodor::exact
