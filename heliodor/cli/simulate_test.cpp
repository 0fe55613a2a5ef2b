// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "heliodor/cli/bench_programs.h"
#include "heliodor/cli/internal/command_fixture.h"
#include "heliodor/program/text.h"
#include "heliodor/targets/machine/lower.h"
#include "heliodor/targets/machine/machine_target.h"
#include "heliodor/targets/machine/micro_binary.h"
#include "heliodor/targets/machine/micro_text.h"
#include "heliodor/targets/machine/shipped_machines.h"

namespace heliodor::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class SimulateTest : public CommandTest {};

using Json = nlohmann::ordered_json;

Outcome simulate(std::vector<std::string> args) {
  args.insert(args.begin(), "simulate");
  return heliodor_command(args);
}

Json simulate_json(std::vector<std::string> args) {
  args.emplace_back("--json");
  const Outcome outcome = simulate(std::move(args));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.code == 0 ? Json::parse(outcome.out) : Json();
}

// A key switch that takes milliseconds.
std::vector<std::string> small(std::vector<std::string> more = {}) {
  std::vector<std::string> args = {"keyswitch", "--degree",  "256", "--bits",   "30", "--limbs",
                                   "4",         "--special", "2",   "--digits", "2"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

TEST_F(SimulateTest, cycles_are_those_that_the_target_counts) {
  const machine::MachineTarget target(machine::shipped_description("tutorial"));
  const std::uint64_t cycles = *target.predict(transform_program(46, 4096, true)).cycles;
  const Json run = simulate_json({"ntt", "--degree", "4096"})["runs"][0];
  EXPECT_EQ(run["cycles"], cycles);
  EXPECT_EQ(run["machine"], "tutorial");
  EXPECT_DOUBLE_EQ(run["seconds"].get<double>(), static_cast<double>(cycles) * 1e-9);
}

TEST_F(SimulateTest, traffic_is_that_of_the_inputs_and_outputs) {
  const Json run = simulate_json({"dot", "--degree", "1024", "--digits", "3"})["runs"][0];
  const std::uint64_t limb = 1024 * 8;  // words of 64 bits
  EXPECT_EQ(run["off_chip_bytes"].at("operands"), 3 * limb);
  EXPECT_EQ(run["off_chip_bytes"].at("keys"), 3 * limb);
  EXPECT_EQ(run["off_chip_bytes"].at("outputs"), limb);
  EXPECT_EQ(run["off_chip_bytes"].at("spills"), 0);
}

TEST_F(SimulateTest, residents_cause_no_traffic) {
  const Json run = simulate_json({"dot", "--degree", "1024", "--digits", "3", "--resident",
                                  "operands,keys,outputs"})["runs"][0];
  for (const auto& bytes : run["off_chip_bytes"]) EXPECT_EQ(bytes, 0);
  const Json keys =
      simulate_json({"dot", "--degree", "1024", "--digits", "3", "--resident", "keys"})["runs"][0];
  EXPECT_EQ(keys["off_chip_bytes"].at("keys"), 0);
  EXPECT_GT(keys["off_chip_bytes"].at("operands"), 0);
}

TEST_F(SimulateTest, seeded_keys_halve_the_key_traffic) {
  const Json whole = simulate_json(small())["runs"][0];
  const Json seeded = simulate_json(small({"--seeded-key"}))["runs"][0];
  EXPECT_EQ(2 * seeded["off_chip_bytes"].at("keys").get<std::uint64_t>(),
            whole["off_chip_bytes"].at("keys").get<std::uint64_t>());
  EXPECT_GT(whole["off_chip_bytes"].at("keys"), 0);
}

TEST_F(SimulateTest, data_equal_the_reference_for_each_method) {
  for (const char* method : {"bv", "hybrid", "klss"}) {
    const Json run = simulate_json(small({"--method", method, "--with-data"}))["runs"][0];
    EXPECT_EQ(run["equal"], true) << method;
  }
  EXPECT_EQ(simulate_json(small({"--seeded-key", "--with-data"}))["runs"][0]["equal"], true);
  EXPECT_FALSE(simulate_json(small())["runs"][0].contains("equal"));
}

TEST_F(SimulateTest, text_names_cycles_units_traffic_and_what_bounds) {
  const Outcome outcome = simulate(small());
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* word : {"keyswitch, hybrid on tutorial", "cycles", "vector", "ntt", "dram",
                           "key", "busy", "security: none", "scratchpad"})
    EXPECT_THAT(outcome.out, HasSubstr(word));
}

TEST_F(SimulateTest, page_and_trace_are_written) {
  const std::string page = path("report.html"), trace = path("trace.json");
  const Json json = simulate_json(small({"--html", page, "--trace", trace}));
  EXPECT_THAT(read("report.html"), HasSubstr("<title>keyswitch, hybrid on tutorial</title>"));
  EXPECT_THAT(read("report.html"), HasSubstr("capacity_words"));
  EXPECT_THAT(read("report.html"), HasSubstr("Rows of the scratchpad"));
  const auto events = Json::parse(read("trace.json"))["traceEvents"];
  EXPECT_GT(events.size(), 10U);
  const Outcome again = simulate(small({"--html", path("again.html")}));
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(read("again.html"), read("report.html"));
}

TEST_F(SimulateTest, settings_change_the_description) {
  const Json slow = simulate_json({"ntt", "--degree", "4096", "--set", "memory.dram.bandwidth=8"});
  const Json usual = simulate_json({"ntt", "--degree", "4096"});
  EXPECT_GT(slow["runs"][0]["cycles"], usual["runs"][0]["cycles"]);
  EXPECT_EQ(slow["runs"][0]["set"]["memory.dram.bandwidth"], "8");
}

TEST_F(SimulateTest, sweep_gives_what_single_runs_give) {
  const Json json = simulate_json(
      small({"--sweep", "memory.dram.bandwidth=16..64:x2", "--html", path("s.html")}));
  const auto& points = json["sweep"]["points"];
  ASSERT_EQ(points.size(), 3U);
  for (const auto& point : points) {
    const std::string value = point["value"];
    const Json single = simulate_json(small({"--set", "memory.dram.bandwidth=" + value}));
    EXPECT_EQ(point["cycles"], single["runs"][0]["cycles"]);
  }
  EXPECT_THAT(read("s.html"), HasSubstr("Time over memory.dram.bandwidth"));
}

TEST_F(SimulateTest, methods_and_machines_are_compared) {
  const Json methods = simulate_json(small({"--compare", "hybrid", "klss"}));
  ASSERT_EQ(methods["runs"].size(), 2U);
  EXPECT_EQ(methods["comparison"], true);
  EXPECT_EQ(methods["runs"][0]["program"], "keyswitch, hybrid");
  EXPECT_EQ(methods["runs"][1]["program"], "keyswitch, klss");
  const std::string faster = write("faster.toml", [] {
    std::string text(machine::shipped_text("tutorial"));
    text.replace(text.find("name = \"tutorial\""), 17, "name = \"faster\"");
    text.replace(text.find("bandwidth = 128"), 15, "bandwidth = 512");
    return text;
  }());
  const Outcome machines = simulate(small({"--compare", "tutorial", faster}));
  EXPECT_EQ(machines.code, 0) << machines.err;
  EXPECT_THAT(machines.out, HasSubstr("keyswitch, hybrid on faster"));
  EXPECT_THAT(machines.out, HasSubstr("of the first"));
}

TEST_F(SimulateTest, repeats_multiply_the_total) {
  const Json json = simulate_json({"ntt:3", "dot:2", "--degree", "1024"});
  EXPECT_EQ(json["total"]["cycles"].get<std::uint64_t>(),
            3 * json["runs"][0]["cycles"].get<std::uint64_t>() +
                2 * json["runs"][1]["cycles"].get<std::uint64_t>());
}

TEST_F(SimulateTest, program_files_in_both_forms_run) {
  const std::string text = write("product.limb", kProductText);
  const Json run = simulate_json({text, "--with-data"})["runs"][0];
  EXPECT_EQ(run["program"], "product");
  EXPECT_EQ(run["equal"], true);
  EXPECT_EQ(run["degree"], 4);
}

TEST_F(SimulateTest, micro_program_files_in_both_forms_run) {
  const machine::MachineDescription tutorial = machine::shipped_description("tutorial");
  const machine::MicroProgram micro = machine::lower(tutorial, transform_program(30, 256, true));
  const std::string text = write("hand.txt", "# by hand\n\n" + machine::to_text(micro));
  const auto bytes = machine::encode_micro_binary(micro);
  const std::string binary = write("hand.bin", std::string(bytes.begin(), bytes.end()));
  const Json run = simulate_json({text, "--with-data", "--html", path("hand.html")})["runs"][0];
  EXPECT_EQ(run["micro_operations"], micro.ops.size());
  EXPECT_FALSE(run.contains("equal"));
  EXPECT_THAT(read("hand.html"), Not(HasSubstr("Rows of the scratchpad")));
  EXPECT_EQ(simulate_json({binary})["runs"][0]["cycles"], run["cycles"]);
  EXPECT_EQ(simulate({text, "--seeded-key"}).code, 2);
}

TEST_F(SimulateTest, faults_of_micro_programs_are_wrong_results) {
  const std::string file = write("hand.txt",
                                 "micro 1\n"
                                 "degree 64 chunk 64 word_bits 64 rows 2 registers 0 spills 0\n"
                                 "modulus q0 = 257 psi 9\n"
                                 "outputs 1\n"
                                 "store r0 c0 -> o0 : q0\n");
  const Outcome outcome = simulate({file, "--with-data"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("fault in cycle"));
}

// What follows "```<language>" up to "```", for each such block.
std::vector<std::string> blocks(const std::string& page, const std::string& language) {
  std::vector<std::string> found;
  const std::string open = "```" + language + "\n";
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    at += open.size();
    found.push_back(page.substr(at, page.find("```", at) - at));
  }
  return found;
}

// "..." stands for anything in its line, a line of it for any lines.
std::regex pattern_of(const std::string& shown) {
  std::string pattern;
  std::istringstream lines(shown);
  for (std::string line; std::getline(lines, line);) {
    if (line == "...") {
      pattern += "(?:.*\n)*";
      continue;
    }
    line = std::regex_replace(line, std::regex(R"([\^$.|?*+(){}\[\]\\])"), R"(\$&)");
    line = std::regex_replace(line, std::regex(R"(\\.\\.\\.)"), ".*");
    pattern += std::regex_replace(line, std::regex(" +"), " +") + "\n";
  }
  return std::regex(pattern);
}

TEST_F(SimulateTest, guide_shows_a_machine_that_works_and_what_it_prints) {
  std::ifstream file("docs/machines.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto machines = blocks(page, "toml");
  ASSERT_EQ(machines.size(), 1U);
  EXPECT_LE(std::ranges::count(machines[0], '\n'), 60);
  write("lantern.toml", machines[0]);
  const auto sessions = blocks(page, "console");
  EXPECT_GE(sessions.size(), 5U);
  for (const std::string& session : sessions) {
    const std::size_t end = session.find('\n');
    std::istringstream words(session.substr(0, end));
    std::vector<std::string> args;
    for (std::string word; words >> word;) {
      const bool names_file = word.ends_with(".toml") || word.ends_with(".html");
      args.push_back(names_file ? path(word) : word);
    }
    ASSERT_EQ(args[0] + args[1], "$heliodor");
    const Outcome outcome = heliodor_command({args.begin() + 2, args.end()});
    std::string printed = outcome.out + outcome.err;
    const std::string folder = path("");
    for (std::size_t at; (at = printed.find(folder)) != std::string::npos;)
      printed.erase(at, folder.size());
    EXPECT_TRUE(std::regex_match(printed, pattern_of(session.substr(end + 1))))
        << session << "printed\n"
        << printed;
  }
}

TEST_F(SimulateTest, bad_requests_say_what_is_wrong) {
  struct Case {
    std::vector<std::string> args;
    int code;
    const char* says;
  };
  const std::string broken = write("broken.toml", "name = \"broken\"\nwords = 1\n");
  const std::string micro = write("broken.txt", "micro 1\nwhat is this\n");
  const Case cases[] = {
      {{"missing.limb"}, 2, "missing.limb"},
      {{"ntt", "--machine", "none"}, 3, "tutorial"},
      {{"ntt", "--machine", "none.toml"}, 2, "none.toml"},
      {{"ntt", "--machine", broken}, 2, "words"},
      {{micro}, 2, "broken.txt:"},
      {{"ntt", "--set", "memory.dram.width=8"}, 2, "memory.dram.width"},
      {{"ntt", "--set", "nothing"}, 2, "KEY=VALUE"},
      {{"ntt", "--sweep", "memory.dram.bandwidth"}, 2, "KEY=VALUE"},
      {{"ntt", "--sweep", "memory.dram.bandwidth=1"}, 2, ".."},
      {{"ntt", "--method", "hybrid"}, 2, "keyswitch"},
      {{"keyswitch", "--method", "none"}, 2, "bv, hybrid or klss"},
      {small({"--method", "klss", "--seeded-key"}), 3, "no seed"},
      {{"dot", "--seeded-key", "--degree", "64"}, 2, "--seeded-key is for keyswitch"},
      {{"ntt", "--resident", "all"}, 2, "all"},
      {{"ntt", "--compare", "tutorial", "hybrid"}, 2, "two machines or two methods"},
      {{"ntt", "dot", "--compare", "tutorial", "tutorial"}, 2, "one workload, not 2"},
      {{"ntt", "dot", "--trace", path("t.json")}, 2, "one workload, not 2"},
      {{"ntt", "--degree", "256", "--html", path("none/r.html")}, 2, "cannot be written"},
      {{"ntt", "--degree", "3"}, 2, ""},
      {{"keyswitch", "--digits", "99"}, 2, "digits"},
      {{"dot", "--degree", "65536", "--digits", "1000", "--set",
        "memory.scratchpad.capacity_words=65536"},
       3,
       "scratchpad"},
  };
  for (const Case& request : cases) {
    const Outcome outcome = simulate(request.args);
    EXPECT_EQ(outcome.code, request.code) << request.args.back() << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(request.says));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

}  // namespace
}  // namespace heliodor::cli
