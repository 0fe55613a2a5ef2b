// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The parameters section of a container.
#pragma once

#include <string>
#include <string_view>

#include "heliodor/rlwe/parameters.h"

namespace heliodor::formats {

/// The start of messages about native files.
inline constexpr const char* kContainerPlace = "Heliodor file";

/// Everything but the security asked for.
std::string to_json(const rlwe::Parameters::Description& description);

/// With security none. Throws Error{malformed_file} for what does not make rlwe::Parameters.
rlwe::Parameters::Description parameters_from_json(std::string_view text);

}  // namespace heliodor::formats
