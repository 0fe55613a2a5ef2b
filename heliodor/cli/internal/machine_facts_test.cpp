// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/machine_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heliodor/cli/internal/command_fixture.h"

namespace heliodor::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A machine made of files.
class MachineFactsTest : public CommandTest {
 protected:
  void put(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    write(name, text);
  }
  void put_pci_device(const std::string& slot, const char* kind, const char* vendor,
                      const char* device) const {
    put("sys/bus/pci/devices/" + slot + "/class", kind);
    put("sys/bus/pci/devices/" + slot + "/vendor", vendor);
    put("sys/bus/pci/devices/" + slot + "/device", device);
  }
  SystemPaths paths() const { return {path("sys"), path("proc")}; }
};

TEST_F(MachineFactsTest, huge_pages_are_the_word_in_brackets) {
  EXPECT_EQ(transparent_huge_pages(paths()), "unknown");
  put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  EXPECT_EQ(transparent_huge_pages(paths()), "madvise");
}

TEST_F(MachineFactsTest, memory_is_what_the_kernel_counts_in_kib) {
  EXPECT_FALSE(memory(paths()).has_value());
  put("proc/meminfo",
      "MemTotal:       16303428 kB\nMemFree:         1000 kB\nMemAvailable:    9876543 kB\n"
      "HugePages_Total:       0\nHugepagesize:       2048 kB\n");
  ASSERT_TRUE(memory(paths()).has_value());
  EXPECT_EQ(memory(paths())->total, 16303428U * std::uint64_t{1024});
  EXPECT_EQ(memory(paths())->available, 9876543U * std::uint64_t{1024});
}

TEST_F(MachineFactsTest, gpus_are_display_controllers_of_any_vendor) {
  EXPECT_THAT(gpus(paths()), IsEmpty());
  put_pci_device("0000:00:1f.0", "0x060100\n", "0x8086\n", "0x7a04\n");
  put_pci_device("0000:01:00.0", "0x030200\n", "0x10de\n", "0x2335\n");
  put_pci_device("0000:02:00.0", "0x030000\n", "0x1a03\n", "0x2000\n");
  EXPECT_THAT(gpus(paths()), ElementsAre("1a03:2000", "NVIDIA 10de:2335"));
}

TEST_F(MachineFactsTest, a_program_is_an_executable_file_in_the_first_folder_that_has_it) {
  put("a/tool", "text");
  put("b/tool", "text");
  put("c/tool", "text");
  std::filesystem::create_directories(path("d/tool"));
  for (const char* folder : {"b", "c"}) {
    std::filesystem::permissions(path(std::string(folder) + "/tool"),
                                 std::filesystem::perms::owner_all);
  }
  const std::string folders =
      path("none") + ":" + path("d") + ":" + path("a") + "::" + path("b") + ":" + path("c");
  EXPECT_EQ(find_program("tool", folders), std::filesystem::path(path("b/tool")));
  EXPECT_FALSE(find_program("hammer", folders).has_value());
  EXPECT_FALSE(find_program("tool", "").has_value());
}

}  // namespace
}  // namespace heliodor::cli
