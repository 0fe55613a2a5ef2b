// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Twin model of rtl/permute/heliodor_permute_omega.sv: lane i goes to lane
// ((i*a + b) mod lanes) xor c, a odd. Source of the network: D. H. Lawrie, "Access and alignment of
// data in an array processor", IEEE Trans. Computers C-24, 1975.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heliodor/targets/machine/pe/generated/rtl_package.h"
#include "heliodor/targets/machine/pe/pipelined_element.h"

namespace heliodor::machine::pe {

// Where an omega network with destination-tag routing brings each lane: result[p] is the lane that
// arrives at line p when lane i asks for line targets[i]. Nothing if two lanes ask one switch for
// the same output. targets.size() is a power of two.
std::optional<std::vector<std::size_t>> omega_route(std::span<const std::size_t> targets);

using PermuteOmegaLanes = std::array<std::uint32_t, kPermuteOmegaLanes>;

struct PermuteOmegaOperands {
  std::uint32_t a = 0;  // a, b, c below kPermuteOmegaLanes
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  PermuteOmegaLanes data{};
};

// The precondition of the hardware: a odd.
bool permute_omega_accepts(const PermuteOmegaOperands& operands) noexcept;

// The permuted lanes if the operands are accepted. Otherwise values without meaning.
PermuteOmegaLanes permute_omega(const PermuteOmegaOperands& operands) noexcept;

using PermuteOmega =
    PipelinedElement<PermuteOmegaOperands, PermuteOmegaLanes, permute_omega, kPermuteOmegaLatency>;

}  // namespace heliodor::machine::pe
