// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/shipped_machines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heliodor/base/error.h"
#include "heliodor/targets/machine/internal/embedded_machines.h"

namespace heliodor::machine {

std::vector<std::string> shipped_machines() {
  std::vector<std::string> names;
  for (const internal::EmbeddedMachine& machine : internal::embedded_machines()) {
    names.emplace_back(machine.name);
  }
  return names;
}

std::string_view shipped_text(std::string_view name) {
  for (const internal::EmbeddedMachine& machine : internal::embedded_machines()) {
    if (machine.name == name) return machine.text;
  }
  throw Error(ErrorCode::unavailable, fmt::format("there is no machine \"{}\"; there are: {}", name,
                                                  fmt::join(shipped_machines(), ", ")));
}

MachineDescription shipped_description(std::string_view name) {
  return parse_description(shipped_text(name)).value();
}

}  // namespace heliodor::machine
