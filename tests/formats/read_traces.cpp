// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/formats/read_traces.h"

#include <stdexcept>

#include "heliodor/formats/trace/fhetch.h"
#include "heliodor/formats/trace/p_isa.h"
#include "heliodor/program/verifier.h"

namespace heliodor::vectors {
namespace {

bool check(const base::Result<program::LimbProgram>& program) {
  if (!program) {
    if (program.diagnostics().empty()) throw std::logic_error("a refusal without a diagnostic");
    return false;
  }
  if (!program::verify(*program).empty()) throw std::logic_error("imported but not well formed");
  const auto again = formats::trace::parse_fhetch(formats::trace::to_fhetch(*program));
  if (!again) throw std::logic_error(to_string(again.diagnostics(), "exported"));
  return true;
}

}  // namespace

bool read_fhetch(std::string_view text) {
  formats::trace::is_fhetch(text);
  auto program = formats::trace::parse_fhetch(text);
  if (!program && program.diagnostics()[0].message.starts_with("the degree")) {
    program = formats::trace::parse_fhetch(text, 16);
  }
  return check(program);
}

bool read_p_isa(std::string_view text) {
  formats::trace::is_p_isa(text);
  return check(formats::trace::parse_p_isa(text, {{193}, 16}));
}

}  // namespace heliodor::vectors
