// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Traces of other tools as a row of file_kind.h.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "heliodor/cli/internal/file_kind.h"

namespace heliodor::cli {

bool is_trace(const OpenedFile& file);

///   kind: "trace"; format: "fhetch" or "p-isa"; instruction_count; instructions: {name: count}
nlohmann::ordered_json describe_trace(const OpenedFile& file);

void print_trace(const nlohmann::ordered_json& description, std::ostream& out);

}  // namespace heliodor::cli
