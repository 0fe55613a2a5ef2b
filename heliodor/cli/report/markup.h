// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Text and numbers for pages. What comes from outside (names of programs, files, units) passes
// through escape(), so that no name can be markup.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heliodor::cli {

/// Well-formed as text and as a quoted attribute of XML and HTML. What XML forbids (control
/// characters, bytes that are not UTF-8) becomes U+FFFD.
std::string escape(std::string_view text);

/// "12,345,678"
std::string format_count(std::uint64_t count);

/// Three significant digits and a decimal prefix: 54525952 with "B" is "54.5 MB", 0.5 is "0.5 B".
std::string format_quantity(double value, std::string_view unit);

/// "12.3 %"
std::string format_share(double share);

}  // namespace heliodor::cli
