// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/describe_trace.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "heliodor/base/error.h"
#include "heliodor/cli/table.h"
#include "heliodor/formats/trace/summary.h"

namespace heliodor::cli {

namespace trace = formats::trace;

bool is_trace(const OpenedFile& file) { return trace::trace_format(file.text()).has_value(); }

nlohmann::ordered_json describe_trace(const OpenedFile& file) {
  const trace::TraceFormat format = trace::trace_format(file.text()).value();
  nlohmann::ordered_json json = {
      {"kind", "trace"}, {"format", format == trace::TraceFormat::fhetch ? "fhetch" : "p-isa"}};
  try {
    const auto counts = trace::count_instructions(file.text(), format);
    std::size_t all = 0;
    for (const auto& [name, count] : counts) all += count;
    json["instruction_count"] = all;
    json["instructions"] = counts;
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", file.path(), error.what()));
  }
  return json;
}

void print_trace(const nlohmann::ordered_json& description, std::ostream& out) {
  out << fmt::format("{} trace; heliodor convert makes a program of it\n\n",
                     description["format"] == "fhetch" ? "FHETCH" : "P-ISA");
  Table table({"instruction", "count"});
  for (const auto& [name, count] : description["instructions"].items()) {
    table.add_row({name, count.dump()});
  }
  table.add_row({"all", description["instruction_count"].dump()});
  table.write(out);
}

}  // namespace heliodor::cli
