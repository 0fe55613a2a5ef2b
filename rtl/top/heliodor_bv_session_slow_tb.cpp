// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Whole sessions of the size that the core is made for: N = 4096, 12 limbs, 12 digits, 64 slots,
// 25.8 million clocks each.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "rtl/top/session_openfhe.h"

namespace heliodor::rtl_bench {
namespace {

constexpr std::uint64_t kDegree = 4096;
constexpr std::size_t kLimbs = 12;
constexpr std::size_t kDigits = 12;
constexpr std::size_t kBatch = 64;
constexpr std::uint64_t kPayload = 6 * kDegree * 1048;

TEST(BvSessionFull, all_6291456_residues_of_64_distinct_ciphertexts_are_right_at_the_input_rate) {
  const auto program =
      stream::internal::sample_program(stream::internal::sample_moduli(kDegree, kLimbs), kDigits);
  const stream::internal::SampleData data(program, kDigits, kBatch, 4096);
  const std::uint64_t cycles = run_and_check(program, data);
  EXPECT_EQ(cycles, stream::session_cycles({kDegree, 6, kDigits, kBatch}).total);
  EXPECT_LE(cycles, kPayload + 6 * 148);
  const double rate = kBatch * stream::kSessionClockHz / static_cast<double>(cycles);
  EXPECT_GE(rate, 248.4);
  RecordProperty("cycles", std::to_string(cycles));
  RecordProperty("ciphertexts_per_second_at_100_MHz", std::to_string(rate));
}

TEST(BvSessionFull, four_products_of_openfhe_among_64_slots_are_openfhes_limb_for_limb) {
  const char* folder = std::getenv("HELIODOR_OPENFHE_VECTORS");
  const auto path = std::filesystem::path(folder != nullptr ? folder : "") / "bgv_bv_n4096_l12";
  if (folder == nullptr || !std::filesystem::exists(path / "case.json")) {
    GTEST_SKIP() << "HELIODOR_OPENFHE_VECTORS names no folder with bgv_bv_n4096_l12";
  }
  check_openfhe_products(OpenfheCase(path), kBatch);
}

}  // namespace
}  // namespace heliodor::rtl_bench
