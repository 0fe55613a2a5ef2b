// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/convert_trace.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "heliodor/base/diagnostic.h"
#include "heliodor/base/error.h"
#include "heliodor/cli/internal/commands.h"
#include "heliodor/cli/program_file.h"
#include "heliodor/formats/mapped_file.h"
#include "heliodor/formats/trace/fhetch.h"
#include "heliodor/formats/trace/p_isa.h"
#include "heliodor/formats/trace/summary.h"

namespace heliodor::cli {
namespace {

namespace trace = formats::trace;

constexpr const char* kFhetch = "fhetch";
constexpr const char* kPIsa = "p-isa";
constexpr const char* kFhetchSuffix = ".fhetch";

std::optional<trace::TraceFormat> format_of(const std::string& text, const TraceOptions& options) {
  if (options.from == kFhetch) return trace::TraceFormat::fhetch;
  if (options.from == kPIsa) return trace::TraceFormat::p_isa;
  return trace::trace_format(text);
}

base::Result<program::LimbProgram> parse(const std::string& text, trace::TraceFormat format,
                                         const TraceOptions& options) {
  if (format == trace::TraceFormat::fhetch) return trace::parse_fhetch(text, options.degree);
  trace::PIsaContext context{.moduli = options.moduli};
  if (options.degree) context.register_words = *options.degree;
  return trace::parse_p_isa(text, context);
}

void check_options(const std::string& path, std::optional<trace::TraceFormat> format,
                   const TraceOptions& options) {
  if (options.degree && !format) {
    throw Error(ErrorCode::mismatch, fmt::format("{}: --degree is for traces", path));
  }
  if ((format == trace::TraceFormat::p_isa) == options.moduli.empty()) {
    throw Error(ErrorCode::mismatch,
                options.moduli.empty()
                    ? fmt::format("{}: a P-ISA kernel does not state its moduli: --moduli", path)
                    : fmt::format("{}: --moduli is for P-ISA kernels", path));
  }
}

}  // namespace

void TraceOptions::add_to(CLI::App& command) {
  command.add_option("--from", from, "Form of IN, where it does not tell: fhetch, p-isa")
      ->check(CLI::IsMember({kFhetch, kPIsa}));
  command.add_option("--to", to, "Form of OUT, where its name does not tell: fhetch")
      ->check(CLI::IsMember({kFhetch}));
  command.add_option("--degree", degree, "Ring degree of a trace; words of a P-ISA register")
      ->check(whole_number());
  command.add_option("--moduli", moduli, "Moduli of a P-ISA kernel: 1179649,1376257")
      ->check(whole_number())
      ->delimiter(',');
}

program::LimbProgram import_program(const std::string& path, const TraceOptions& options) {
  const std::string text = read_file(path);
  const auto format = format_of(text, options);
  check_options(path, format, options);
  if (!format) return parse_program(path, text);
  auto program = parse(text, *format, options);
  if (!program) {
    throw Error(ErrorCode::malformed_file, base::to_string(program.diagnostics(), path));
  }
  return std::move(program).value();
}

void export_program(const std::string& path, const program::LimbProgram& program,
                    const TraceOptions& options) {
  const bool fhetch =
      options.to == kFhetch || std::filesystem::path(path).extension() == kFhetchSuffix;
  if (!fhetch) return save_program(path, program);
  const std::string text = trace::to_fhetch(program);
  formats::write_file(path, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

}  // namespace heliodor::cli
