// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/bench_floor.h"

namespace heliodor::cli {
namespace {

using cpu::Multiplier;

constexpr unsigned kMaxBits52 = 50;  // larger primes do not fit the 52-bit multiplier

// Multiplications per product added up. Reductions and products with constants take three with
// either multiplier: quotient, and the two words of the quotient's product (Barrett, Shoup).
double per_term(Multiplier multiplier) { return multiplier == Multiplier::vector_52 ? 2 : 1; }

// A 64-bit Harvey butterfly on 32-bit multipliers: 5 multiplications and 11 other operations, at
// most two per cycle together.
constexpr double kOperations60 = 16;

bool is_wide(unsigned bits, const cpu::RateLoops& loops) {
  return loops.multiplier == Multiplier::vector_52 && bits > kMaxBits52;
}

}  // namespace

std::optional<double> count_multiplies(const WorkCount& work, unsigned bits,
                                       const cpu::RateLoops& loops) {
  if (loops.multiplier == Multiplier::vector_32 || is_wide(bits, loops)) return std::nullopt;
  const double multiplies = 3 * (work.butterflies + work.outputs + work.scalings) +
                            per_term(loops.multiplier) * work.terms;
  return multiplies / static_cast<double>(loops.lanes);
}

std::optional<Floor> floor_of(const WorkCount& work, unsigned bits, const Traffic& traffic,
                              const cpu::RateLoops& loops, const cpu::OperationRates& operations,
                              const cpu::ReadRates& reads) {
  Floor floor{0, "multiply"};
  if (const auto multiplies = count_multiplies(work, bits, loops)) {
    floor.ns = *multiplies * operations.multiply_ns;
  } else if (is_wide(bits, loops) && work.terms + work.outputs + work.scalings == 0) {
    const double vectors = work.butterflies / static_cast<double>(loops.lanes);
    floor = {kOperations60 * vectors * operations.add_ns, "add"};
  } else {
    return std::nullopt;
  }
  const cpu::CacheSizes& caches = cpu::cache_sizes();
  const double per_byte = traffic.footprint <= static_cast<double>(caches.l2)   ? reads.l2_ns
                          : traffic.footprint <= static_cast<double>(caches.l3) ? reads.l3_ns
                                                                                : reads.memory_ns;
  if (traffic.bytes * per_byte > floor.ns) floor = {traffic.bytes * per_byte, "bandwidth"};
  return floor;
}

}  // namespace heliodor::cli
