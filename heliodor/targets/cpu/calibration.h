// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the KernelRates of a table on this machine. Each number is the fastest of a few
// repetitions, on limbs and constants made up for the purpose.
#pragma once

#include "heliodor/targets/cpu/kernel_rates.h"

namespace heliodor::cpu {

/// Takes under 3 seconds on one thread, and 64 MiB of memory. Throws
/// Error{out_of_memory}.
KernelRates calibrate(const KernelTable& kernels);

}  // namespace heliodor::cpu
