// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/trace/summary.h"

#include <algorithm>

#include "heliodor/base/error.h"
#include "heliodor/formats/trace/fhetch.h"
#include "heliodor/formats/trace/internal/line_reader.h"
#include "heliodor/formats/trace/p_isa.h"

namespace heliodor::formats::trace {
namespace {

using internal::Fault;
using internal::LineReader;

/// The line's instruction; empty if it has none.
std::string_view instruction(LineReader& line, TraceFormat format) {
  if (line.done()) return {};
  if (format == TraceFormat::p_isa) {
    line.label("a label");
    line.expect(',');
    return line.word("an instruction");
  }
  const std::string_view word = line.word("an instruction");
  return word == "modulus_count" || word == "m" ? std::string_view{} : word;
}

}  // namespace

std::optional<TraceFormat> trace_format(std::string_view text) {
  if (is_fhetch(text)) return TraceFormat::fhetch;
  if (is_p_isa(text)) return TraceFormat::p_isa;
  return std::nullopt;
}

std::map<std::string, std::size_t> count_instructions(std::string_view text, TraceFormat format) {
  std::map<std::string, std::size_t> counts;
  try {
    std::size_t number = 0;
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      const std::string_view whole = text.substr(start, end - start);
      LineReader line(whole.substr(0, whole.find('#')), ++number);
      const std::string_view name = instruction(line, format);
      if (!name.empty()) ++counts[std::string(name)];
      start = end + 1;
    }
  } catch (const Fault& fault) {
    throw Error(ErrorCode::malformed_file,
                base::to_string(base::Diagnostics{{fault.place, fault.message}}, "trace"));
  }
  return counts;
}

}  // namespace heliodor::formats::trace
