// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a schedule costs: the sum over its kernel calls of what each costs with its operands in
// cache, and of what it waits for bytes that are not.
//
// How long a kernel waits for a place (an operand, a slot, a table of twiddle factors) depends on
// what has been touched since its last touch (reuse.h): whether that fits in a cache was measured,
// not assumed. The program is taken to have run before on the same memory. A whole step waits only
// for what its own repetition would not find, since that is in the kernel's cost.
//
// Against measurement: within 25 % on one thread for ntt, dot and dot_scalar, degrees 2^12 to 2^16.
#pragma once

#include "heliodor/program/limb_program.h"
#include "heliodor/targets/cpu/kernel_rates.h"
#include "heliodor/targets/cpu/schedule.h"

namespace heliodor::cpu {

struct PredictedTime {
  double kernels_ns = 0;  ///< calls with operands in cache
  double memory_ns = 0;   ///< waiting for bytes from the shared cache and from memory

  double total_ns() const noexcept { return kernels_ns + memory_ns; }
};

/// One run of one binding on `threads` >= 1 threads, with the schedule of that concurrency. The
/// threads' waking is not counted, and they are taken to share neither cache nor memory. Linear in
/// the program's size, up to a logarithm.
PredictedTime predict_time(const program::LimbProgram& program, const Schedule& schedule,
                           const KernelRates& rates, unsigned threads = 1);

}  // namespace heliodor::cpu
