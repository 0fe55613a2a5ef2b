// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/permute_omega.h"

#include <bit>
#include <utility>

namespace heliodor::machine::pe {

static_assert(kPermuteOmegaLatency == 1 + std::countr_zero(kPermuteOmegaLanes),
              "a clock for the destinations and one for each stage");

std::optional<std::vector<std::size_t>> omega_route(std::span<const std::size_t> targets) {
  const std::size_t lines = targets.size();
  std::vector<std::size_t> lane_at(lines);
  for (std::size_t line = 0; line < lines; ++line) {
    lane_at[line] = line;
  }
  std::vector<std::size_t> next(lines);
  for (std::size_t bit = lines / 2; bit != 0; bit /= 2) {
    for (std::size_t pair = 0; pair < lines / 2; ++pair) {
      const std::size_t upper = lane_at[pair];
      const std::size_t lower = lane_at[pair + lines / 2];
      const bool upper_down = (targets[upper] & bit) != 0;
      const bool lower_down = (targets[lower] & bit) != 0;
      if (upper_down == lower_down) {
        return std::nullopt;
      }
      next[2 * pair + (upper_down ? 1 : 0)] = upper;
      next[2 * pair + (lower_down ? 1 : 0)] = lower;
    }
    std::swap(lane_at, next);
  }
  return lane_at;
}

bool permute_omega_accepts(const PermuteOmegaOperands& operands) noexcept {
  return operands.a % 2 == 1;
}

PermuteOmegaLanes permute_omega(const PermuteOmegaOperands& operands) noexcept {
  PermuteOmegaLanes result{};
  for (std::uint32_t lane = 0; lane < kPermuteOmegaLanes; ++lane) {
    const std::uint32_t target =
        ((lane * operands.a + operands.b) % kPermuteOmegaLanes) ^ operands.c;
    result[target] = operands.data[lane];
  }
  return result;
}

}  // namespace heliodor::machine::pe
