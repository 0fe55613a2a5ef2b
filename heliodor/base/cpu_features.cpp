// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/cpu_features.h"

namespace heliodor::base {
namespace {

CpuFeatures detect() noexcept {
  CpuFeatures features;
#ifdef __x86_64__
  // The compiler's run time also asks the operating system (XCR0) whether it saves the wide
  // registers.
  __builtin_cpu_init();
  features.avx2 = __builtin_cpu_supports("avx2");
  features.fma = __builtin_cpu_supports("fma");
  features.avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  features.avx512_ifma = features.avx512 && __builtin_cpu_supports("avx512ifma");
  features.avx512_vbmi = features.avx512 && __builtin_cpu_supports("avx512vbmi");
#endif
  return features;
}

}  // namespace

const CpuFeatures& cpu_features() noexcept {
  static const CpuFeatures features = detect();
  return features;
}

std::string to_string(const CpuFeatures& features) {
  std::string text;
  const auto append = [&text](bool present, const char* name) {
    if (present) {
      text += text.empty() ? "" : " ";
      text += name;
    }
  };
  append(features.avx2, "avx2");
  append(features.fma, "fma");
  append(features.avx512, "avx512");
  append(features.avx512_ifma, "avx512_ifma");
  append(features.avx512_vbmi, "avx512_vbmi");
  return text.empty() ? "none" : text;
}

}  // namespace heliodor::base
