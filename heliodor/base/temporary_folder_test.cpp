// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace heliodor::base {
namespace {

TEST(TemporaryFolderTest, each_is_empty_and_its_own) {
  const TemporaryFolder one, other;
  EXPECT_NE(one.path(), other.path());
  EXPECT_TRUE(std::filesystem::is_directory(one.path()));
  EXPECT_TRUE(std::filesystem::is_empty(one.path()));
}

TEST(TemporaryFolderTest, is_for_the_owner_alone) {
  const TemporaryFolder folder;
  EXPECT_EQ(std::filesystem::status(folder.path()).permissions(),
            std::filesystem::perms::owner_all);
}

TEST(TemporaryFolderTest, goes_with_what_it_holds) {
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    std::filesystem::create_directories(path / "inner");
    std::ofstream(path / "inner" / "file") << "text";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace heliodor::base
