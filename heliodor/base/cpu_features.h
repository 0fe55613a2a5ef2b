// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the processor and the operating system offer. The only place that asks; targets/cpu chooses
// by it.
#pragma once

#include <string>

namespace heliodor::base {

struct CpuFeatures {
  bool avx2 = false;
  bool fma = false;          ///< three-operand fused multiply-add
  bool avx512 = false;       ///< F, DQ, BW and VL together
  bool avx512_ifma = false;  ///< only with avx512
  bool avx512_vbmi = false;  ///< only with avx512
};

/// Detected once per process; all false on other architectures.
const CpuFeatures& cpu_features() noexcept;

/// "avx2 fma avx512 avx512_ifma avx512_vbmi", or "none".
std::string to_string(const CpuFeatures& features);

}  // namespace heliodor::base
