// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The machines that the tests of this component share.
#pragma once

#include "heliodor/targets/machine/description.h"

namespace heliodor::machine::internal {

/// 64 rows of 4 words, 2 ports, latency 2; every unit and the off-chip memory take a chunk per
/// cycle.
inline constexpr const char* kSmallMachine = R"(name = "small"
word_bits = 64
clock_mhz = 1000
queue_depth = 16

[memory.scratchpad]
capacity_words = 256
banks = 4
latency = 2
ports = 2

[memory.dram]
bandwidth = 32
latency = 10

[units.vector]
depth = 3
arithmetic = {lanes = 4, registers = 4}

[units.ntt]
depth = 5
ntt = {lanes = 4, radix = 4}

[units.permutation]
depth = 2
permutation = {lanes = 4}

[units.generator]
depth = 1
generator = {lanes = 4}
)";

inline MachineDescription small_machine() { return parse_description(kSmallMachine).value(); }

/// The small machine with words of 32 bits and, at half the rate, of 60; a narrow chunk still takes
/// the off-chip memory one cycle.
inline constexpr const char* kWideMachine = R"(name = "wide"
word_bits = 32
wide_word_bits = 60
clock_mhz = 1000
queue_depth = 16

[memory.scratchpad]
capacity_words = 256
banks = 4
latency = 2
ports = 2

[memory.dram]
bandwidth = 16
latency = 10

[units.vector]
depth = 3
arithmetic = {lanes = 4, wide_lanes = 2, registers = 4}

[units.ntt]
depth = 5
ntt = {lanes = 4, wide_lanes = 2, radix = 4}

[units.permutation]
depth = 2
permutation = {lanes = 4, wide_lanes = 2}

[units.generator]
depth = 1
generator = {lanes = 4, wide_lanes = 2}
)";

inline MachineDescription wide_machine() { return parse_description(kWideMachine).value(); }

/// Unlike the small machine in every respect that lowering and timing see: chunks of many cycles,
/// passes of few stages, a single port, four clocks, a unit of two kinds, copies of a unit, a
/// bandwidth that no cycle divides.
inline constexpr const char* kAwkwardMachine = R"(name = "awkward"
word_bits = 64
clock_mhz = 600
queue_depth = 3

[memory.scratchpad]
capacity_words = 1048576
banks = 32
latency = 5
ports = 1

[memory.dram]
bandwidth = 23.7
latency = 33

[units.vector]
depth = 9
clock_mhz = 800
arithmetic = {lanes = 8, registers = 3}

[units.ntt]
depth = 17
clock_mhz = 1200
count = 2
ntt = {lanes = 2, radix = 4}

[units.rest]
depth = 4
clock_mhz = 400
permutation = {lanes = 32}
generator = {lanes = 1}
)";

inline MachineDescription awkward_machine() { return parse_description(kAwkwardMachine).value(); }

}  // namespace heliodor::machine::internal
