// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Many circuits of secure parameters at several degrees.
#include <gtest/gtest.h>

#include "heliodor/ring/automorphism.h"
#include "heliodor/targets/registry/registry.h"
#include "tests/exact/bgv_setup.h"

namespace heliodor::exact {
namespace {

struct Depth {
  std::uint64_t degree;
  std::size_t depth;  // the deepest that 128 bits carry, summands 2
  std::size_t circuits;
};

class BgvDepthTest : public testing::TestWithParam<Depth> {};

TEST_P(BgvDepthTest, random_circuits_decrypt_to_full_depth) {
  const auto [degree, depth, circuits] = GetParam();
  bgv::Parameters parameters =
      bgv::Parameters::for_depth({.t = 65537, .depth = depth, .summands = 2, .min_degree = degree});
  ASSERT_EQ(parameters.degree(), degree);
  const auto deeper = bgv::Parameters::for_depth(
      {.t = 65537, .depth = depth + 1, .summands = 2, .min_degree = degree});
  ASSERT_GT(deeper.degree(), degree);
  ASSERT_GE(parameters.rlwe().security(), rlwe::SecurityLevel::bits128);
  const std::uint64_t rotation = ring::galois_element_of_rotation(1, degree);
  BgvSetup bgv(std::move(parameters), registry::make_target("cpu"), {&rotation, 1});
  for (std::size_t i = 0; i < circuits; ++i) run_random_circuit(bgv, depth);
}

INSTANTIATE_TEST_SUITE_P(Degrees, BgvDepthTest,
                         testing::Values(Depth{8192, 2, 500}, Depth{16384, 5, 300},
                                         Depth{32768, 13, 200}),
                         [](const auto& depth) {
                           return "n" + std::to_string(depth.param.degree) + "_depth" +
                                  std::to_string(depth.param.depth);
                         });

}  // namespace
}  // namespace heliodor::exact
