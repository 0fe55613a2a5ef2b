// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/formats/container/container.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "heliodor/base/error.h"

namespace heliodor::formats {
namespace {

using testing::HasSubstr;
using FileBytes = std::vector<std::uint8_t>;

base::SecretVector<std::uint8_t> text(const std::string& content) {
  return {content.begin(), content.end()};
}

FileBytes sample() {
  ContainerWriter out;
  out.add(SectionKind::parameters, text("{}"));
  out.add(SectionKind::limbs, base::SecretVector<std::uint8_t>(100, 0xab));
  out.add(SectionKind::note, text("a note"), true);
  const auto file = out.finish();
  return {file.begin(), file.end()};
}

// Makes the checksum of header and table right again.
void reseal(FileBytes& file) {
  std::uint32_t count;
  std::memcpy(&count, file.data() + 16, sizeof count);
  std::vector<std::uint8_t> sealed(file.begin(), file.begin() + 56);
  sealed.insert(sealed.end(), file.begin() + 64, file.begin() + 64 + 32 * std::ptrdiff_t{count});
  const std::uint64_t checksum = XXH64(sealed.data(), sealed.size(), 0);
  std::memcpy(file.data() + 56, &checksum, sizeof checksum);
}

template <typename T>
FileBytes with(FileBytes file, std::size_t at, T value, bool sealed = true) {
  std::memcpy(file.data() + at, &value, sizeof value);
  if (sealed) reseal(file);
  return file;
}

void expect_malformed(const FileBytes& file, const std::string& mention) {
  try {
    Container::view(file);
    ADD_FAILURE() << "nothing was thrown: " << mention;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::malformed_file);
    EXPECT_THAT(error.what(), HasSubstr(mention));
  }
}

TEST(ContainerTest, sections_come_back_aligned_and_in_order) {
  const FileBytes file = sample();
  EXPECT_TRUE(Container::is_container(file));
  const Container container = Container::view(file);
  ASSERT_EQ(container.sections().size(), 3U);
  EXPECT_EQ(container.sections()[0].kind, SectionKind::parameters);
  EXPECT_EQ(container.section(0).size(), 2U);
  EXPECT_TRUE(std::ranges::equal(container.section(1), FileBytes(100, 0xab)));
  EXPECT_TRUE(container.sections()[2].optional);
  EXPECT_EQ(container.file_bytes() % kSectionAlignment, 0U);
  for (const auto& section : container.sections()) {
    EXPECT_EQ(section.offset % kSectionAlignment, 0U);
  }
}

TEST(ContainerTest, a_flipped_bit_anywhere_is_found) {
  const FileBytes file = sample();
  for (std::size_t at = 0; at < file.size(); ++at) {
    FileBytes flipped = file;
    flipped[at] ^= 0x20;
    try {
      const Container container = Container::view(flipped);
      for (std::size_t i = 0; i < container.sections().size(); ++i) container.section(i);
      ADD_FAILURE() << "byte " << at;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::malformed_file) << error.what();
    }
  }
}

TEST(ContainerTest, each_field_of_the_header_is_checked) {
  const FileBytes file = sample();
  expect_malformed(with(file, 0, std::uint8_t{0x88}), "no container");
  expect_malformed(with(file, 8, std::uint16_t{2}), "version 2.0 is not 1.x");
  expect_malformed(with(file, 12, std::uint32_t{0x04030201}), "endian mark");
  expect_malformed(with(file, 16, std::uint32_t{0xffffffff}, false), "section table needs");
  expect_malformed(with(file, 20, std::uint32_t{1}), "flags");
  expect_malformed(with(file, 24, std::uint64_t{file.size() + 64}), "its header says");
  expect_malformed(with(file, 40, std::uint8_t{1}), "reserved");
  expect_malformed(with(file, 56, std::uint64_t{0}, false), "checksum of header");
}

TEST(ContainerTest, a_newer_minor_version_is_read) {
  EXPECT_NO_THROW(Container::view(with(sample(), 10, std::uint16_t{7})));
}

TEST(ContainerTest, each_field_of_a_section_is_checked) {
  const FileBytes file = sample();
  constexpr std::size_t kSecond = 64 + 32;
  expect_malformed(with(file, kSecond, std::uint32_t{99}), "kind 99 is unknown");
  expect_malformed(with(file, kSecond + 4, std::uint32_t{2}), "unknown section flags");
  for (const std::uint64_t offset : {0ULL, 64ULL, 257ULL, ~0ULL, ~0ULL << 6}) {
    expect_malformed(with(file, kSecond + 8, std::uint64_t{offset}), "expected at 256");
  }
  for (const std::uint64_t length : {1ULL << 20, ~0ULL, ~0ULL - 300}) {
    expect_malformed(with(file, kSecond + 16, std::uint64_t{length}), "a section of");
  }
  expect_malformed(with(file, kSecond + 16, std::uint64_t{20}), "expected at");
  FileBytes grown = file;
  grown.resize(grown.size() + 64);
  expect_malformed(with(grown, 24, std::uint64_t{grown.size()}), "the sections end at");
}

TEST(ContainerTest, an_unknown_optional_section_is_kept_apart) {
  const FileBytes file = with(sample(), 64 + 2 * 32, std::uint32_t{99});
  const Container container = Container::view(file);
  EXPECT_EQ(static_cast<unsigned>(container.sections()[2].kind), 99U);
  EXPECT_EQ(container.section(2).size(), 6U);
}

TEST(ContainerTest, a_file_from_a_test_seed_must_be_accepted_by_name) {
  ContainerWriter out;
  out.add(SectionKind::parameters, text("{}"));
  out.add(SectionKind::test_seed, text("seed"));
  const auto secret = out.finish();
  const FileBytes file(secret.begin(), secret.end());
  try {
    Container::view(file);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::insecure);
  }
  EXPECT_EQ(Container::view(file, TestSeeds::accept).sections().size(), 2U);
}

}  // namespace
}  // namespace heliodor::formats
