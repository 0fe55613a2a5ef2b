// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What embed_machines.cmake generates: the texts of machines/*.toml.
#pragma once

#include <span>
#include <string_view>

namespace heliodor::machine::internal {

struct EmbeddedMachine {
  std::string_view name;
  std::string_view text;
};

/// In the order of CMakeLists.txt, which is alphabetical.
std::span<const EmbeddedMachine> embedded_machines() noexcept;

}  // namespace heliodor::machine::internal
