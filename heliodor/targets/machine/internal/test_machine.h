// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The machines that the tests of this component share.
#pragma once

#include "heliodor/targets/machine/description.h"

namespace heliodor::machine::internal {

/// 64 rows of 4 words, 2 ports, latency 2; every unit takes a chunk per cycle.
inline constexpr const char* kSmallMachine = R"(name = "small"
word_bits = 64
clock_mhz = 1000
queue_depth = 16

[scratchpad]
capacity_words = 256
banks = 4
latency = 2
ports = 2

[host]
words_per_cycle = 4
latency = 10

[units.vector]
lanes = 4
depth = 3

[units.ntt]
lanes = 4
depth = 5
stages_per_pass = 2

[units.permutation]
lanes = 4
depth = 2

[units.generator]
lanes = 4
depth = 1
)";

inline MachineDescription small_machine() { return parse_description(kSmallMachine).value(); }

/// Unlike the small machine in every respect that lowering and timing see: several chunks per row
/// access, several passes per chunk, a single port, four clocks.
inline MachineDescription awkward_machine() {
  MachineDescription machine = small_machine();
  machine.name = "awkward";
  machine.clock_mhz = 600;
  machine.queue_depth = 3;
  machine.scratchpad = {.capacity_words = 1 << 20, .banks = 32, .latency = 5, .ports = 1};
  machine.unit(UnitKind::host) = Unit{.lanes = 5, .depth = 33, .clock_mhz = 600};
  machine.unit(UnitKind::vector) = Unit{.lanes = 8, .depth = 9, .clock_mhz = 800};
  machine.unit(UnitKind::ntt) =
      Unit{.lanes = 2, .depth = 17, .clock_mhz = 1200, .stages_per_pass = 2};
  machine.unit(UnitKind::permutation) = Unit{.lanes = 32, .depth = 1, .clock_mhz = 400};
  machine.unit(UnitKind::generator) = Unit{.lanes = 1, .depth = 4, .clock_mhz = 600};
  return machine;
}

}  // namespace heliodor::machine::internal
