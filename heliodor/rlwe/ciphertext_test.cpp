// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/ciphertext.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

namespace heliodor::rlwe {
namespace {

using ::testing::Each;

LimbMatrix counted(std::size_t parts, std::size_t limb_count) {
  LimbMatrix x(parts, limb_count, 16);
  std::uint64_t next = 1;
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t i = 0; i < limb_count; ++i) {
      for (std::uint64_t& word : x.limb(part, i)) word = next++;
    }
  }
  return x;
}

TEST(LimbMatrixTest, a_new_matrix_is_zero) {
  const LimbMatrix x(2, 3, 16);
  EXPECT_EQ(x.parts(), 2U);
  EXPECT_EQ(x.limb_count(), 3U);
  EXPECT_EQ(x.degree(), 16U);
  for (std::size_t part = 0; part < 2; ++part) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_THAT(x.limb(part, i), Each(0));
  }
  EXPECT_EQ(LimbMatrix().parts(), 0U);
}

TEST(LimbMatrixTest, limbs_do_not_overlap) {
  const LimbMatrix x = counted(2, 3);
  EXPECT_EQ(x.limb(1, 2)[15], 2U * 3 * 16);
  EXPECT_EQ(x.limb(0, 0)[0], 1U);
}

TEST(LimbMatrixTest, a_copy_is_equal_and_independent) {
  LimbMatrix x = counted(2, 3);
  LimbMatrix copy = x;
  EXPECT_EQ(copy, x);
  copy.limb(1, 1)[3] = 0;
  EXPECT_NE(copy, x);
  x = copy;
  EXPECT_EQ(copy, x);
}

TEST(LimbMatrixTest, shapes_count_in_comparisons) {
  EXPECT_NE(LimbMatrix(2, 3, 16), LimbMatrix(3, 2, 16));
  EXPECT_NE(LimbMatrix(1, 1, 16), LimbMatrix(1, 1, 32));
  EXPECT_EQ(LimbMatrix(), LimbMatrix());
}

TEST(LimbMatrixTest, a_moved_from_matrix_has_no_parts) {
  LimbMatrix x = counted(2, 3);
  const LimbMatrix moved = std::move(x);
  EXPECT_EQ(moved, counted(2, 3));
  EXPECT_EQ(x.parts(), 0U);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(x, LimbMatrix());
  LimbMatrix y(1, 1, 16);
  y = counted(3, 2);
  EXPECT_EQ(y, counted(3, 2));
}

TEST(LimbMatrixTest, wiping_leaves_zeros) {
  LimbMatrix x = counted(2, 3);
  x.wipe();
  EXPECT_EQ(x, LimbMatrix(2, 3, 16));
}

TEST(SecretLimbsTest, secrets_are_moved_and_never_copied) {
  static_assert(!std::is_copy_constructible_v<SecretLimbs>);
  static_assert(!std::is_copy_assignable_v<SecretLimbs>);
  SecretLimbs x(1, 2, 16);
  x.limb(0, 1)[5] = 7;
  SecretLimbs y;
  y = std::move(x);
  EXPECT_EQ(y.limb(0, 1)[5], 7U);
  EXPECT_EQ(x.parts(), 0U);  // NOLINT(bugprone-use-after-move)
}

}  // namespace
}  // namespace heliodor::rlwe
