// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where the lazy forward transform needs a bias or a reduction so that every intermediate integer
// stays in [0, 2^52): computed in exact integers from the prime itself, never from tests (random
// data stays far from the bounds).
//
// All values at a stage lie in [lo, hi]. A butterfly adds or subtracts T in [0, t] with t = q +
// floor(hi*q/M) + 1, so they then lie in [lo - t, hi + t]; required is lo - t >= 0 and hi + t < M.
// Before the first stage the bias K*q is added to the u half only (the y half is only multiplied).
// At a reduction the u half enters [K*q, K*q + q + hi*q/M], while the y half is still as large as
// before: the first stage after a reduction pays for the old hi.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace heliodor::cpu::avx512 {

struct RangeEntry {
  bool reduce;             ///< the u half is reduced at entry (the first pass adds a bias instead)
  std::uint64_t multiple;  ///< K
  std::uint64_t highest;   ///< the largest value that any register may represent within this pass
};

/// One entry per pass for canonical inputs, with reductions only where the next pass does not fit;
/// nothing if even a reduction before every pass is not enough. q < 2^50.
std::optional<std::vector<RangeEntry>> plan_forward_ranges(std::uint64_t q,
                                                           std::span<const unsigned> log_radices);

}  // namespace heliodor::cpu::avx512
