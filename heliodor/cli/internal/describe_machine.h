// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What `heliodor inspect` says of a machine description.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "heliodor/cli/internal/file_kind.h"

namespace heliodor::cli {

/// Throws Error{invalid_description} with every diagnostic and its place.
nlohmann::ordered_json describe_machine(const OpenedFile& file);
void print_machine(const nlohmann::ordered_json& description, std::ostream& out);

}  // namespace heliodor::cli
