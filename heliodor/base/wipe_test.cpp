// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/wipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace heliodor::base {
namespace {

using ::testing::ElementsAre;

TEST(WipeTest, a_span_becomes_zero_and_its_neighbours_stay) {
  std::array<std::int8_t, 5> values = {1, -1, 1, -1, 1};
  wipe(std::span(values).subspan(1, 3));
  EXPECT_THAT(values, ElementsAre(1, 0, 0, 0, 1));
}

TEST(WipeTest, an_empty_span_is_left_alone) { wipe(std::span<std::uint64_t>()); }

TEST(WipeTest, a_secret_vector_moves_without_copying) {
  SecretVector<std::int8_t> from = {1, 2, 3};
  const auto* data = from.data();
  const SecretVector<std::int8_t> to = std::move(from);
  EXPECT_EQ(to.data(), data);
  EXPECT_THAT(to, ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace heliodor::base
