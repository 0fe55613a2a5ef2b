// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/cpu_features.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace heliodor::base {
namespace {

/// The flags that the Linux kernel reports for the first processor: an oracle that does not share
/// the compiler's detection. Empty on other architectures.
std::set<std::string> kernel_flags() {
  std::ifstream file("/proc/cpuinfo");
  EXPECT_TRUE(file.is_open());
  std::set<std::string> flags;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("flags")) {
      std::istringstream words(line.substr(line.find(':') + 1));
      for (std::string word; words >> word;) {
        flags.insert(word);
      }
      break;
    }
  }
  return flags;
}

TEST(CpuFeaturesTest, detection_agrees_with_the_kernel) {
  const std::set<std::string> flags = kernel_flags();
  const bool avx512 = flags.contains("avx512f") && flags.contains("avx512dq") &&
                      flags.contains("avx512bw") && flags.contains("avx512vl");
  EXPECT_EQ(cpu_features().avx2, flags.contains("avx2"));
  EXPECT_EQ(cpu_features().fma, flags.contains("fma"));
  EXPECT_EQ(cpu_features().avx512, avx512);
  EXPECT_EQ(cpu_features().avx512_ifma, avx512 && flags.contains("avx512ifma"));
  EXPECT_EQ(cpu_features().avx512_vbmi, avx512 && flags.contains("avx512vbmi"));
}

TEST(CpuFeaturesTest, detection_happens_once) { EXPECT_EQ(&cpu_features(), &cpu_features()); }

TEST(CpuFeaturesTest, each_feature_is_named) {
  EXPECT_EQ(to_string(CpuFeatures{}), "none");
  EXPECT_EQ(to_string(CpuFeatures{.avx2 = true}), "avx2");
  EXPECT_EQ(to_string(CpuFeatures{.fma = true}), "fma");
  EXPECT_EQ(to_string(CpuFeatures{.avx512 = true}), "avx512");
  EXPECT_EQ(to_string(CpuFeatures{.avx512_ifma = true}), "avx512_ifma");
  EXPECT_EQ(to_string(CpuFeatures{.avx512_vbmi = true}), "avx512_vbmi");
  EXPECT_EQ(to_string(CpuFeatures{true, true, true, true, true}),
            "avx2 fma avx512 avx512_ifma avx512_vbmi");
}

}  // namespace
}  // namespace heliodor::base
