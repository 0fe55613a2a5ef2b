// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/formats/container/packing.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace heliodor::formats {
namespace {

// Bit by bit.
std::vector<std::uint8_t> packed_slowly(const std::vector<std::uint64_t>& values, unsigned bits) {
  std::vector<std::uint8_t> bytes(packed_bytes(values.size(), bits));
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (unsigned k = 0; k < bits; ++k) {
      const std::size_t at = i * bits + k;
      bytes[at / 8] |= static_cast<std::uint8_t>((values[i] >> k & 1) << (at % 8));
    }
  }
  return bytes;
}

TEST(PackingTest, every_width_and_many_lengths_pack_bit_by_bit) {
  std::mt19937_64 random(1);
  for (unsigned bits = 1; bits <= 63; ++bits) {
    for (const std::size_t count : {0U, 1U, 2U, 3U, 16U, 63U, 64U, 65U, 128U}) {
      SCOPED_TRACE(testing::Message() << bits << " bits, " << count << " values");
      std::vector<std::uint64_t> values(count);
      for (std::uint64_t& value : values) value = random() >> (64 - bits);
      if (count != 0) values.back() = (std::uint64_t{1} << bits) - 1;
      std::vector<std::uint8_t> packed(packed_bytes(count, bits));
      pack(values, bits, packed);
      EXPECT_EQ(packed, packed_slowly(values, bits));
      std::vector<std::uint64_t> back(count);
      EXPECT_TRUE(unpack(packed, bits, back));
      EXPECT_EQ(back, values);
    }
  }
}

TEST(PackingTest, bits_behind_the_last_value_are_noticed) {
  std::vector<std::uint8_t> packed(packed_bytes(3, 20));
  std::vector<std::uint64_t> values(3);
  EXPECT_TRUE(unpack(packed, 20, values));
  packed[7] = 0x10;  // bit 60
  EXPECT_FALSE(unpack(packed, 20, values));
  EXPECT_EQ(values, std::vector<std::uint64_t>(3));
}

TEST(PackingTest, sizes_are_whole_words) {
  EXPECT_EQ(packed_bytes(4096, 30), 4096U * 30 / 8);
  EXPECT_EQ(packed_bytes(4, 30), 16U);
  EXPECT_EQ(packed_bytes(0, 30), 0U);
}

}  // namespace
}  // namespace heliodor::formats
