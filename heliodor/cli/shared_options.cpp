// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The options that several commands have, with one name and one meaning.
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <ostream>
#include <string>

#include "heliodor/cli/internal/commands.h"

namespace heliodor::cli {

CLI::Validator whole_number() {
  const auto complaint = [](std::string& text) -> std::string {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec == std::errc() && result.ptr == end) return "";
    return fmt::format("'{}' is not a whole number in [0, {}]", text, UINT64_MAX);
  };
  return {complaint, "", "whole number"};
}

CLI::Option* add_json(CLI::App& command, bool& json) {
  return command.add_flag("--json", json, "Print JSON");
}

void add_threads(CLI::App& command, unsigned& threads) {
  command.add_option("--threads", threads, "Threads of CPU targets, 0 for all")
      ->check(whole_number())
      ->capture_default_str();
}

void add_seed(CLI::App& command, std::uint64_t& seed) {
  command.add_option("--seed", seed, "Test seed: repeatable, so nothing is secret")
      ->check(whole_number())
      ->capture_default_str();
}

rlwe::SecurityLevel security_named(const std::string& name) {
  if (name == "none") return rlwe::SecurityLevel::none;
  if (name == "128") return rlwe::SecurityLevel::bits128;
  if (name == "192") return rlwe::SecurityLevel::bits192;
  if (name == "256") return rlwe::SecurityLevel::bits256;
  throw Error(ErrorCode::out_of_range,
              fmt::format("security '{}' is not none, 128, 192 or 256", name));
}

void announce_test_seed(std::uint64_t seed, Context& context) {
  context.err << fmt::format(
      "heliodor: TEST SEED {}: ALL RANDOMNESS IS REPEATABLE, NOTHING IS "
      "SECRET\n",
      seed);
}

}  // namespace heliodor::cli
