// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/cli.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/cli/exit_code.h"
#include "heliodor/cli/internal/commands.h"

namespace heliodor::cli {
namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 right, 1 wrong result, 2 bad input, 3 not available here.\n";
// Help without empty lines, so that a screen holds that of every command.
class DenseFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::istringstream lines(CLI::Formatter::make_help(app, std::move(name), mode));
    std::string help;
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) help += line + '\n';
    }
    return help;
  }
};

constexpr const char* kMoreHelp = "heliodor COMMAND --help explains a command.\n";

ExitCode parse_and_run(std::span<const char* const> args, Context& context) {
  CLI::App app("Exact, fast, programmable fully homomorphic encryption.", "heliodor");
  app.set_version_flag("--version", "heliodor " HELIODOR_VERSION);
  app.require_subcommand(1);
  // The commands inherit these.
  app.footer(kExitCodes);
  app.get_formatter()->column_width(24);
  app.failure_message([](const CLI::App* /*app*/, const CLI::Error& error) {
    return fmt::format("heliodor: {}\nRun with --help for more information.\n", error.what());
  });
  add_demo(app, context);
  add_run(app, context);
  add_inspect(app, context);
  add_convert(app, context);
  add_plan(app, context);
  add_bench(app, context);
  add_params(app, context);
  add_simulate(app, context);
  add_doctor(app, context);
  add_explain(app, context);
  app.footer(std::string(kExitCodes) + kMoreHelp);
  const auto dense = std::make_shared<DenseFormatter>();
  dense->column_width(24);
  for (CLI::App* command : app.get_subcommands([](CLI::App* /*command*/) { return true; })) {
    for (CLI::App* nested : command->get_subcommands([](CLI::App* /*nested*/) { return true; })) {
      nested->formatter(dense);
    }
    command->formatter(dense);
  }
  const auto has_name = [&](const CLI::App* command) { return command->check_name(args[0]); };
  const auto commands = app.get_subcommands([](CLI::App* /*command*/) { return true; });
  if (!args.empty() && args[0][0] != '-' && std::ranges::none_of(commands, has_name)) {
    // The parser would only say that a command is missing.
    throw Error(ErrorCode::out_of_range,
                fmt::format("'{}' is not a command; heliodor --help lists them", args[0]));
  }
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));  // CLI11 wants them reversed
  } catch (const CLI::ParseError& error) {
    // Requests for help and for the version arrive here too, with code 0.
    return app.exit(error, context.out, context.err) == 0 ? ExitCode::right : ExitCode::bad_input;
  }
  return context.result;
}

}  // namespace

int run(std::span<const char* const> args, std::ostream& out, std::ostream& err,
        Terminal terminal) noexcept {
  ExitCode result = ExitCode::wrong_result;
  try {
    Context context{out, err, ExitCode::right, terminal == Terminal::yes ? &err : nullptr};
    result = parse_and_run(args, context);
  } catch (const Error& error) {
    err << fmt::format("heliodor: {}\nheliodor explain {} says more.\n", error.what(),
                       base::to_string(error.code()));
    result = exit_code(error.code());
  } catch (const std::bad_alloc&) {
    err << "heliodor: out of memory\n";
    result = ExitCode::not_available;
  } catch (const std::exception& error) {
    err << "heliodor: internal error: " << error.what() << '\n';
  }
  return static_cast<int>(result);
}

}  // namespace heliodor::cli
