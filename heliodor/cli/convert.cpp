// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor convert: a program between its text and its binary form.
#include <fmt/format.h>

#include <memory>
#include <ostream>
#include <string>

#include "heliodor/cli/internal/commands.h"
#include "heliodor/cli/program_file.h"

namespace heliodor::cli {
namespace {

struct ConvertOptions {
  std::string from;
  std::string to;
};

void convert(const ConvertOptions& options, Context& context) {
  const program::LimbProgram program = load_program(options.from);
  save_program(options.to, program);
  context.out << fmt::format("{}: \"{}\", {} instructions\n", options.to, program.name(),
                             program.instruction_count());
}

}  // namespace

void add_convert(CLI::App& app, Context& context) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command =
      app.add_subcommand("convert", "Write a program in text (.limb) or binary (.hlp) form.");
  command->add_option("IN", options->from, "Program in text or binary form")->required();
  command->add_option("OUT", options->to, "File to write; its ending chooses the form")->required();
  command->callback([options, &context] { convert(*options, context); });
}

}  // namespace heliodor::cli
