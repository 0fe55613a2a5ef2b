// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/formats/byte_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/formats/byte_writer.h"

namespace heliodor::formats {
namespace {

using testing::HasSubstr;

template <typename Action>
void expect_malformed(Action action, const std::string& mention) {
  try {
    action();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::malformed_file);
    EXPECT_THAT(error.what(), HasSubstr(mention));
  }
}

constexpr std::array<std::uint8_t, 8> kBytes{1, 2, 3, 4, 5, 6, 7, 8};

TEST(ByteReaderTest, numbers_are_little_endian_at_any_address) {
  ByteReader in(kBytes, "test file");
  EXPECT_EQ(in.take<std::uint8_t>("a"), 1U);
  EXPECT_EQ(in.peek<std::uint16_t>("b"), 0x0302U);
  EXPECT_EQ(in.take<std::uint32_t>("c"), 0x05040302U);
  EXPECT_EQ(in.offset(), 5U);
  EXPECT_EQ(in.left(), 3U);
}

TEST(ByteReaderTest, the_end_is_named_with_its_place) {
  ByteReader in(kBytes, "test file", 100);
  in.take<std::uint32_t>("a");
  expect_malformed([&] { in.take<std::uint64_t>("degree"); },
                   "test file, byte 104: degree needs 8 bytes, 4 are left");
  expect_malformed([&] { in.expect_end(); }, "test file, byte 104: 4 bytes follow the end");
  in.take<std::uint32_t>("b");
  EXPECT_NO_THROW(in.expect_end());
}

TEST(ByteReaderTest, a_count_that_cannot_be_there_is_refused) {
  for (const std::uint64_t count :
       {std::uint64_t{3}, std::uint64_t{1} << 61, std::numeric_limits<std::uint64_t>::max()}) {
    ByteWriter out;
    out.put(count);
    out.put(std::uint64_t{0});
    out.put(std::uint64_t{0});
    ByteReader in(out.bytes(), "test file");
    expect_malformed([&] { in.take_count(8, "item count"); }, "byte 0: item count");
  }
  ByteWriter out;
  out.put(std::uint64_t{2});
  out.put(std::uint64_t{0});
  out.put(std::uint64_t{0});
  ByteReader in(out.bytes(), "test file");
  EXPECT_EQ(in.take_count(8, "item count"), 2U);
}

TEST(ByteReaderTest, a_part_ends_where_it_says) {
  ByteReader in(kBytes, "test file");
  in.take<std::uint16_t>("a");
  ByteReader part = in.take_part(3, "part");
  EXPECT_EQ(in.offset(), 5U);
  EXPECT_EQ(part.take<std::uint16_t>("b"), 0x0403U);
  expect_malformed([&] { part.take<std::uint16_t>("c"); }, "byte 4: c needs 2 bytes, 1 are left");
  expect_malformed([&] { in.take_part(4, "part"); }, "byte 5: part needs 4 bytes, 3 are left");
}

TEST(WordViewTest, words_are_read_from_any_address) {
  std::vector<std::uint8_t> bytes(17);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
  const WordView words(Bytes(bytes).subspan(1));
  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[0], 0x0807060504030201U);
  std::array<std::uint64_t, 2> copy{};
  words.copy_to(copy);
  EXPECT_EQ(copy[1], words[1]);
}

TEST(ByteWriterTest, what_is_written_is_read) {
  ByteWriter out;
  out.put(std::uint8_t{7});
  out.put(-2.5);
  out.align(16);
  EXPECT_EQ(out.size(), 16U);
  ByteReader in(out.bytes(), "test file");
  EXPECT_EQ(in.take<std::uint8_t>("a"), 7U);
  EXPECT_EQ(in.take<double>("b"), -2.5);
  EXPECT_EQ(in.take_bytes(7, "c").back(), 0U);
}

}  // namespace
}  // namespace heliodor::formats
