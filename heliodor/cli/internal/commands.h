// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The subcommands. Each adds itself to the parser; when the user chose it, it runs at the end of
// parsing, writes to the context's streams and leaves its exit code there. Errors leave as
// exceptions.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <iosfwd>
#include <string>

#include "heliodor/cli/exit_code.h"
#include "heliodor/rlwe/security.h"

namespace heliodor::cli {

struct Context {
  std::ostream& out;
  std::ostream& err;
  ExitCode result = ExitCode::right;
  std::ostream* terminal = nullptr;  ///< err where it is a terminal: progress bars go there
};

/// Refuses anything but decimal digits that fit 64 bits: the parser alone would take "-1" for a
/// huge number.
CLI::Validator whole_number();

// The options that several commands share.
CLI::Option* add_json(CLI::App& command, bool& json);
void add_threads(CLI::App& command, unsigned& threads);
void add_seed(CLI::App& command, std::uint64_t& seed);

/// "none", "128", "192", "256"; Error{out_of_range} for other names.
rlwe::SecurityLevel security_named(const std::string& name);

/// Says loudly, on err, that randomness comes from a test seed. Commands with --seed call it, and
/// have "test_seed" in their JSON.
void announce_test_seed(std::uint64_t seed, Context& context);

void add_demo(CLI::App& app, Context& context);
void add_run(CLI::App& app, Context& context);
void add_inspect(CLI::App& app, Context& context);
void add_convert(CLI::App& app, Context& context);
void add_doctor(CLI::App& app, Context& context);
void add_plan(CLI::App& app, Context& context);
void add_bench(CLI::App& app, Context& context);
void add_params(CLI::App& app, Context& context);
void add_explain(CLI::App& app, Context& context);
void add_simulate(CLI::App& app, Context& context);

}  // namespace heliodor::cli
