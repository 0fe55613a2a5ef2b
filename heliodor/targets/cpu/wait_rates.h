// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a byte costs that is not in the L2 cache, by how much memory has been touched since it was:
// the difference between calls that walk through so much memory and the same calls on one tile.
#pragma once

#include "heliodor/base/limb_arena.h"
#include "heliodor/targets/cpu/kernel_rates.h"

namespace heliodor::cpu {

/// Fills KernelRates::waits. Takes 64 MiB of memory; throws Error{out_of_memory}.
void measure_waits(const KernelTable& kernels, decltype(KernelRates::waits)& waits);

/// Words below 2^28, so canonical for moduli of 30 bits and more.
void fill_for_timing(base::LimbArena& arena);

}  // namespace heliodor::cpu
