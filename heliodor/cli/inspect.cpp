// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor inspect: what is in a file. internal/file_kind.cpp lists the kinds.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "heliodor/base/error.h"
#include "heliodor/cli/internal/commands.h"
#include "heliodor/cli/internal/file_kind.h"

namespace heliodor::cli {
namespace {

struct InspectOptions {
  std::string file;
  bool text = false;
  bool json = false;
};

void inspect(const InspectOptions& options, Context& context) {
  const OpenedFile file(options.file);
  const FileKind& kind = kind_of(file);
  if (options.text) {
    if (kind.text == nullptr) {
      throw Error(ErrorCode::mismatch,
                  fmt::format("{}: --text prints programs only", options.file));
    }
    context.out << kind.text(file);
    return;
  }
  const nlohmann::ordered_json description = kind.describe(file);
  if (options.json) {
    nlohmann::ordered_json json = {{"command", "inspect"}, {"file", options.file}};
    json.update(description);
    context.out << json.dump(2) << '\n';
  } else {
    kind.print(description, context.out);
  }
}

}  // namespace

void add_inspect(CLI::App& app, Context& context) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command =
      app.add_subcommand("inspect", "Describe a program, a machine, a key or a ciphertext.");
  command
      ->add_option("FILE", options->file, "Program, trace, machine, container, OpenFHE, SEAL file")
      ->required();
  auto* text = command->add_flag("--text", options->text, "Print a program in text form");
  add_json(*command, options->json)->excludes(text);
  command->callback([options, &context] { inspect(*options, context); });
}

}  // namespace heliodor::cli
