// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// PeakRates: what this CPU does at most, measured now. Floors are made of these, so that a ratio
// compares two measurements of one run and not a measurement with a data sheet.
#pragma once

#include <cstddef>

#include "heliodor/base/limb_arena.h"
#include "heliodor/targets/cpu/kernel_table.h"

namespace heliodor::cpu {

/// Bytes of the cache of one core, and of the one it shares: 1 MiB and 8 MiB where the system does
/// not tell, and at most 8 MiB and 64 MiB.
struct CacheSizes {
  std::size_t l2;
  std::size_t l3;
};
const CacheSizes& cache_sizes();

struct OperationRates {
  double multiply_ns;  ///< per multiplication of RateLoops, all lanes together
  double add_ns;
};

/// Fastest of a few loops; takes some 50 microseconds. One thread.
OperationRates measure_operation_rates(const KernelTable& kernels);

/// ns per byte read in order by one thread.
struct ReadRates {
  double l2_ns;
  double l3_ns;
  double memory_ns;
};

/// Holds the memory that is read: four times the shared cache.
class ReadRateMeter {
 public:
  explicit ReadRateMeter(const KernelTable& kernels);

  /// Takes some 10 milliseconds.
  ReadRates measure() const;

 private:
  double ns_per_byte(std::size_t bytes, std::size_t passes) const;

  const KernelTable& kernels_;
  base::LimbArena words_;
};

}  // namespace heliodor::cpu
