// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a name of a program, an input or an output may be: 1 to 200 bytes of printable UTF-8 without
// quotes and backslashes, so that it stands between quotes in the text form without escapes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace heliodor::program::internal {

inline constexpr std::size_t kMaxNameBytes = 200;

/// What is wrong with a name, as a message; nothing if it is fine. The message never repeats the
/// name.
std::optional<std::string> name_fault(std::string_view name);

}  // namespace heliodor::program::internal
