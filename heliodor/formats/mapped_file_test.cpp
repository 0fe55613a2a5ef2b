// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/formats/mapped_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/base/temporary_folder.h"

namespace heliodor::formats {
namespace {

class MappedFileTest : public testing::Test {
 protected:
  const base::TemporaryFolder temporary_;
  const std::filesystem::path& folder_ = temporary_.path();
};

ErrorCode code_of(const std::filesystem::path& path) {
  try {
    const MappedFile file(path);
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::mismatch;
}

TEST_F(MappedFileTest, bytes_written_are_mapped) {
  const std::vector<std::uint8_t> bytes{3, 1, 4, 1, 5};
  write_file(folder_ / "pi", bytes);
  MappedFile file(folder_ / "pi");
  EXPECT_TRUE(std::ranges::equal(file.bytes(), bytes));
  const MappedFile moved = std::move(file);
  EXPECT_TRUE(std::ranges::equal(moved.bytes(), bytes));
}

TEST_F(MappedFileTest, files_for_the_owner_are_for_nobody_else) {
  write_file(folder_ / "key", std::vector<std::uint8_t>(3, 1));
  write_file(folder_ / "key", std::vector<std::uint8_t>(5, 1), Access::owner);
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(folder_ / "key").permissions(),
            perms::owner_read | perms::owner_write);
  EXPECT_EQ(MappedFile(folder_ / "key").bytes().size(), 5U);
}

TEST_F(MappedFileTest, a_file_replaced_while_mapped_keeps_its_old_bytes) {
  write_file(folder_ / "x", std::vector<std::uint8_t>(10000, 1));
  const MappedFile old(folder_ / "x");
  write_file(folder_ / "x", std::vector<std::uint8_t>(1, 2));
  EXPECT_EQ(old.bytes().back(), 1U);
  EXPECT_EQ(MappedFile(folder_ / "x").bytes().size(), 1U);
}

TEST_F(MappedFileTest, missing_files_folders_and_empty_files_are_errors) {
  EXPECT_EQ(code_of(folder_ / "missing"), ErrorCode::io);
  EXPECT_EQ(code_of(folder_), ErrorCode::io);
  EXPECT_EQ(code_of("/dev/null"), ErrorCode::io);
  write_file(folder_ / "empty", {});
  EXPECT_EQ(code_of(folder_ / "empty"), ErrorCode::malformed_file);
}

TEST_F(MappedFileTest, a_file_that_cannot_be_written_is_an_error_and_leaves_nothing) {
  const std::vector<std::uint8_t> bytes{1};
  try {
    write_file(folder_ / "nowhere" / "x", bytes);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
  }
  EXPECT_THROW(write_file(folder_, bytes), Error);  // a folder stands there
  EXPECT_FALSE(std::filesystem::exists(folder_.string() + ".partial"));
}

}  // namespace
}  // namespace heliodor::formats
