// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// The complete core at the size it is made for: N = 4096 and 12 limbs, a million clocks for each
// two ciphertexts.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "heliodor/targets/stream/session_cycles.h"
#include "rtl/top/relinearize_openfhe.h"

namespace heliodor::rtl_bench {
namespace {

// Runs a whole batch of distinct ciphertexts; returns its cycles.
std::uint64_t run_and_check(const stream::RelinearizeShape& shape) {
  const stream::internal::RelinearizeData data(shape, shape.batch);
  const auto program = stream::internal::relinearize_sample(data.moduli());
  const stream::internal::RelinearizeBindings bound(data);
  const auto plan = relinearize_rtl_target().plan(program);
  const auto report = plan->run(bound.bindings(), bound.shared());
  EXPECT_FALSE(report.fault) << report.fault->reason;
  std::size_t wrong = 0;
  for (std::size_t slot = 0; slot < shape.batch; ++slot) {
    for (std::size_t limb = 0; limb < shape.limbs; ++limb) {
      const auto expected = data.expected_limb(slot, limb);
      for (std::size_t component = 0; component < 2; ++component) {
        const auto& actual = bound.output(slot, 2 * limb + component);
        for (std::size_t k = 0; k < shape.degree(); ++k) {
          wrong += actual[k] != expected[component][k] ? 1 : 0;
        }
      }
    }
  }
  EXPECT_EQ(wrong, 0U) << "residues differ";
  const std::uint64_t cycles = report.cost.cycles.value_or(0);
  EXPECT_EQ(cycles, stream::relinearize_cycles(shape).total);
  return cycles;
}

TEST(BvRelinearizeFull, all_6291456_residues_of_64_distinct_ciphertexts_are_right_at_200_a_second) {
  const std::uint64_t cycles = run_and_check({12, 12, 64});
  const double rate = 64 * stream::kSessionClockHz / static_cast<double>(cycles);
  EXPECT_GE(rate, 200);
  RecordProperty("cycles", std::to_string(cycles));
  RecordProperty("ciphertexts_per_second_at_100_MHz", std::to_string(rate));
}

TEST(BvRelinearizeFull, sixteen_limbs_and_an_odd_batch_are_right_where_they_fit) {
  run_and_check({11, 16, 3});
}

TEST(BvRelinearizeFull, openfhes_ciphertexts_and_keys_give_openfhes_limbs) {
  const char* folder = std::getenv("HELIODOR_OPENFHE_VECTORS");
  const auto path = std::filesystem::path(folder != nullptr ? folder : "") / "bgv_bv_n4096_l12";
  if (folder == nullptr || !std::filesystem::exists(path / "case.json")) {
    GTEST_SKIP() << "HELIODOR_OPENFHE_VECTORS names no folder with bgv_bv_n4096_l12";
  }
  check_relinearized_products(OpenfheCase(path), 4);
}

}  // namespace
}  // namespace heliodor::rtl_bench
