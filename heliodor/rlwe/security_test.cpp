// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/security.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace heliodor::rlwe {
namespace {

constexpr std::array kLevels = {SecurityLevel::bits128, SecurityLevel::bits192,
                                SecurityLevel::bits256};

TEST(SecurityTest, the_limits_are_those_of_the_guidelines) {
  // Bossuat et al. 2024, Table 5.2, classical, uniform ternary.
  EXPECT_EQ(max_log_qp(SecurityLevel::bits128, 1024), 26);
  EXPECT_EQ(max_log_qp(SecurityLevel::bits192, 1024), std::nullopt);
  EXPECT_EQ(max_log_qp(SecurityLevel::bits256, 1024), std::nullopt);
  const auto expect_row = [](std::uint64_t degree, double at128, double at192, double at256) {
    EXPECT_EQ(max_log_qp(SecurityLevel::bits128, degree), at128);
    EXPECT_EQ(max_log_qp(SecurityLevel::bits192, degree), at192);
    EXPECT_EQ(max_log_qp(SecurityLevel::bits256, degree), at256);
  };
  expect_row(2048, 53, 36, 27);
  expect_row(4096, 106, 73, 56);
  expect_row(8192, 214, 147, 114);
  expect_row(16384, 430, 297, 230);
  expect_row(32768, 868, 597, 462);
  expect_row(65536, 1747, 1199, 929);
  expect_row(131072, 3523, 2411, 1866);
}

TEST(SecurityTest, limits_grow_with_the_degree_and_fall_with_the_level) {
  for (std::uint64_t degree = 2048; degree < 131072; degree *= 2) {
    for (const SecurityLevel level : kLevels) {
      // Twice the degree carries at least twice the modulus, as 2^b security needs N/log2(QP)
      // fixed.
      EXPECT_GE(*max_log_qp(level, 2 * degree), 2 * *max_log_qp(level, degree) - 1);
    }
    EXPECT_GT(*max_log_qp(kLevels[0], degree), *max_log_qp(kLevels[1], degree));
    EXPECT_GT(*max_log_qp(kLevels[1], degree), *max_log_qp(kLevels[2], degree));
  }
}

TEST(SecurityTest, a_degree_without_a_row_has_no_limit_and_no_security) {
  for (const std::uint64_t degree : {512U, 1000U, 3000U, 262144U}) {
    for (const SecurityLevel level : kLevels) EXPECT_EQ(max_log_qp(level, degree), std::nullopt);
    EXPECT_EQ(security_level(degree, 10, false), SecurityLevel::none);
  }
}

TEST(SecurityTest, no_security_has_no_limit) {
  EXPECT_EQ(max_log_qp(SecurityLevel::none, 16), INFINITY);
  EXPECT_EQ(max_log_qp(SecurityLevel::none, 4096), INFINITY);
}

TEST(SecurityTest, the_verdict_is_the_highest_level_whose_limit_holds) {
  EXPECT_EQ(security_level(4096, 56, false), SecurityLevel::bits256);
  EXPECT_EQ(security_level(4096, 56.01, false), SecurityLevel::bits192);
  EXPECT_EQ(security_level(4096, 73, false), SecurityLevel::bits192);
  EXPECT_EQ(security_level(4096, 73.01, false), SecurityLevel::bits128);
  EXPECT_EQ(security_level(4096, 106, false), SecurityLevel::bits128);
  EXPECT_EQ(security_level(4096, 106.01, false), SecurityLevel::none);
  EXPECT_EQ(security_level(1024, 10, false), SecurityLevel::bits128);
}

TEST(SecurityTest, sparse_secrets_have_no_verdict) {
  EXPECT_EQ(security_level(32768, 100, true), SecurityLevel::none);
}

TEST(SecurityTest, levels_have_names) {
  EXPECT_EQ(to_string(SecurityLevel::none), "none");
  EXPECT_EQ(to_string(SecurityLevel::bits128), "128 bits");
  EXPECT_EQ(to_string(SecurityLevel::bits192), "192 bits");
  EXPECT_EQ(to_string(SecurityLevel::bits256), "256 bits");
}

}  // namespace
}  // namespace heliodor::rlwe
