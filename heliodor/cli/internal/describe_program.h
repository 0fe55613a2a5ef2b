// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What `heliodor inspect` says of a LimbProgram.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "heliodor/cli/internal/file_kind.h"

namespace heliodor::cli {

/// In text or binary form. Throws Error{malformed_file} with every diagnostic and its place.
nlohmann::ordered_json describe_program(const OpenedFile& file);
void print_program(const nlohmann::ordered_json& description, std::ostream& out);
std::string program_text(const OpenedFile& file);

}  // namespace heliodor::cli
