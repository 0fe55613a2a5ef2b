// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The table for CPUs with AVX-512 (F, DQ, BW, VL) and IFMA: 52-bit kernels for moduli up to 50
// bits, 64-bit words in halves beyond.
#pragma once

#include "heliodor/targets/cpu/kernel_table.h"

namespace heliodor::cpu::avx512 {

const KernelTable& kernel_table();

}  // namespace heliodor::cpu::avx512
