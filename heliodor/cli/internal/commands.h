// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The subcommands. Each adds itself to the parser; when the user chose it, it runs at the end of
// parsing, writes to the context's streams and leaves its exit code there. Errors leave as
// exceptions.
#pragma once

#include <CLI/CLI.hpp>
#include <iosfwd>

#include "heliodor/cli/exit_code.h"

namespace heliodor::cli {

struct Context {
  std::ostream& out;
  std::ostream& err;
  ExitCode result = ExitCode::right;
};

/// Refuses anything but decimal digits that fit 64 bits: the parser alone would take "-1" for a
/// huge number.
CLI::Validator whole_number();

void add_demo(CLI::App& app, Context& context);
void add_run(CLI::App& app, Context& context);
void add_inspect(CLI::App& app, Context& context);
void add_convert(CLI::App& app, Context& context);
void add_doctor(CLI::App& app, Context& context);
void add_plan(CLI::App& app, Context& context);
void add_bench(CLI::App& app, Context& context);

}  // namespace heliodor::cli
