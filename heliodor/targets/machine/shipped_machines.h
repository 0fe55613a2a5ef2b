// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The machines that come with Heliodor. Their descriptions, machines/*.toml, are built into the
// library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heliodor/targets/machine/description.h"

namespace heliodor::machine {

/// The names, in alphabetical order.
std::vector<std::string> shipped_machines();

/// The text of machines/NAME.toml. Throws Error{unavailable} for another name; the message lists
/// those there are.
std::string_view shipped_text(std::string_view name);

/// The same, parsed.
MachineDescription shipped_description(std::string_view name);

}  // namespace heliodor::machine
