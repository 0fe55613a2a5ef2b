// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// heliodor explain: what an error code means and what to do about it.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "heliodor/base/generated/error_texts.h"
#include "heliodor/cli/exit_code.h"
#include "heliodor/cli/internal/commands.h"

namespace heliodor::cli {
namespace {

struct ExplainOptions {
  std::string code;
  bool json = false;
};

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

const base::ErrorText& find_text(const std::string& name) {
  const auto named = [&](const base::ErrorText& text) { return to_string(text.code) == name; };
  const auto* const found = std::ranges::find_if(base::kErrorTexts, named);
  if (found != base::kErrorTexts.end()) return *found;
  throw Error(ErrorCode::out_of_range,
              fmt::format("'{}' is not an error code; heliodor explain lists them", name));
}

nlohmann::ordered_json to_json(const base::ErrorText& text) {
  return {{"code", to_string(text.code)},
          {"exit_code", static_cast<int>(exit_code(text.code))},
          {"meaning", text.meaning},
          {"causes", lines_of(text.causes)},
          {"remedies", lines_of(text.remedies)}};
}

void print(const base::ErrorText& text, std::ostream& out) {
  out << fmt::format("{} (exit code {}): {}\n", to_string(text.code),
                     static_cast<int>(exit_code(text.code)), text.meaning);
  for (const auto& [title, lines] :
       {std::pair("Usual causes:", text.causes), std::pair("What to do:", text.remedies)}) {
    out << '\n' << title << '\n';
    for (const std::string& line : lines_of(lines)) out << "  * " << line << '\n';
  }
}

void print_all_codes(std::ostream& out) {
  for (const base::ErrorText& text : base::kErrorTexts)
    out << fmt::format("{:<20} {}\n", to_string(text.code), text.meaning);
}

void explain_code(const ExplainOptions& options, Context& context) {
  if (options.json) {
    nlohmann::ordered_json json = {{"command", "explain"},
                                   {"codes", nlohmann::ordered_json::array()}};
    for (const base::ErrorText& text : base::kErrorTexts) {
      if (options.code.empty() || &text == &find_text(options.code))
        json["codes"].push_back(to_json(text));
    }
    context.out << json.dump(2) << '\n';
  } else if (options.code.empty()) {
    print_all_codes(context.out);
  } else {
    print(find_text(options.code), context.out);
  }
}

}  // namespace

void add_explain(CLI::App& app, Context& context) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand("explain", "Say what an error code means and what to do.");
  command->add_option("CODE", options->code, "Error code, as errors name it; all without");
  add_json(*command, options->json);
  command->callback([options, &context] { explain_code(*options, context); });
}

}  // namespace heliodor::cli
