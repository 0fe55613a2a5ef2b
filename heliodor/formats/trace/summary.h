// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a trace is and what stands in it, before anything is asked about its meaning.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace heliodor::formats::trace {

enum class TraceFormat {
  fhetch,  ///< fhetch.h
  p_isa,   ///< p_isa.h
};

/// The format that a text begins like; nothing for other texts.
std::optional<TraceFormat> trace_format(std::string_view text);

/// How often each instruction occurs, also those that cannot be imported. Throws
/// Error{malformed_file} with line and column where a line has no instruction.
std::map<std::string, std::size_t> count_instructions(std::string_view text, TraceFormat format);

}  // namespace heliodor::formats::trace
