// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/avx512/range_plan.h"

#include <cstddef>

#include "heliodor/ring/modulus.h"

namespace heliodor::cpu::avx512 {
namespace {

__extension__ using Int128 = __int128;

constexpr Int128 kM = Int128{1} << 52;

struct Range {
  Int128 lo, hi;
};

// The range after `stages` stages, if it never leaves [0, M). `y_hi` bounds the y half of the first
// stage.
std::optional<Range> after_stages(Int128 q, Range range, Int128 y_hi, unsigned stages) {
  for (unsigned s = 0; s < stages; ++s) {
    const Int128 y = s == 0 ? y_hi : range.hi;
    const Int128 t = q + y * q / kM + 1;
    range = {range.lo - t, range.hi + t};
    if (range.lo < 0 || range.hi >= kM) return std::nullopt;
  }
  return range;
}

// Passes that share one K, and the largest value within them.
struct Segment {
  std::size_t passes;
  std::uint64_t multiple;
  Int128 hi;
};

// The longest run of passes from `first` that one K carries, with the smallest such K.
std::optional<Segment> longest_segment(Int128 q, std::span<const unsigned> log_radices,
                                       std::size_t first, Int128 old_hi) {
  for (std::size_t passes = log_radices.size() - first; passes > 0; --passes) {
    unsigned stages = 0;
    for (std::size_t i = first; i < first + passes; ++i) stages += log_radices[i];
    // Each stage lowers lo by at least q, so K < stages + 1 is hopeless, and so is K*q >= M.
    for (Int128 k = stages; k * q < kM && k <= 4 * Int128{stages}; ++k) {
      const Int128 spread = first == 0 ? q - 1 : q + old_hi * q / kM + 1;
      const auto range = after_stages(q, {k * q, k * q + spread}, old_hi, stages);
      if (range) return Segment{passes, static_cast<std::uint64_t>(k), range->hi};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<RangeEntry>> plan_forward_ranges(std::uint64_t q,
                                                           std::span<const unsigned> log_radices) {
  std::vector<RangeEntry> entries;
  Int128 old_hi = Int128{q} - 1;  // of the y half: canonical inputs
  while (entries.size() < log_radices.size()) {
    const std::size_t first = entries.size();
    const auto segment = longest_segment(q, log_radices, first, old_hi);
    if (!segment) return std::nullopt;
    entries.push_back({first > 0, segment->multiple, static_cast<std::uint64_t>(segment->hi)});
    for (std::size_t i = 1; i < segment->passes; ++i)
      entries.push_back({false, 0, static_cast<std::uint64_t>(segment->hi)});
    old_hi = segment->hi;
  }
  return entries;
}

}  // namespace heliodor::cpu::avx512
