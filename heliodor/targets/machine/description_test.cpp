// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/description.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/base/temporary_folder.h"
#include "heliodor/targets/machine/internal/test_machine.h"
#include "heliodor/targets/machine/shipped_machines.h"

namespace heliodor::machine {
namespace {

/// The small machine with the first `from` replaced by `to`.
std::string edited(const std::string& from, const std::string& to) {
  std::string text = internal::kSmallMachine;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string complaint(const std::string& text) {
  const auto result = parse_description(text);
  return result ? "" : base::to_string(result.diagnostics(), "m");
}

constexpr std::size_t at(Operation operation) { return static_cast<std::size_t>(operation); }

Unit unit(const std::string& name, std::uint32_t depth) {
  Unit unit;
  unit.name = name;
  unit.depth = depth;
  unit.clock_mhz = 1000;
  return unit;
}

MachineDescription parsed(const std::string& text) {
  const auto result = parse_description(text);
  EXPECT_TRUE(result) << base::to_string(result.diagnostics(), "m");
  return result ? *result : MachineDescription{};
}

TEST(DescriptionTest, every_key_reaches_its_field) {
  const MachineDescription machine =
      parsed(edited("depth = 5", "depth = 5\nclock_mhz = 1500\ncount = 2"));
  EXPECT_EQ(machine.name, "small");
  EXPECT_EQ(machine.word_bits, 64u);
  EXPECT_EQ(machine.wide_word_bits, 0u);
  EXPECT_EQ(machine.largest_word_bits(), 64u);
  EXPECT_EQ(machine.clock_mhz, 1000u);
  EXPECT_EQ(machine.queue_depth, 16u);
  EXPECT_EQ(machine.scratchpad,
            (Scratchpad{.capacity_words = 256, .banks = 4, .latency = 2, .ports = 2}));
  EXPECT_EQ(machine.scratchpad.rows(), 64u);
  EXPECT_EQ(machine.dram, (Dram{.bandwidth = 32, .latency = 10}));
  Unit vector = unit("vector", 3);
  vector.capabilities[at(Operation::arithmetic)] = Capability{.lanes = 4, .registers = 4};
  Unit ntt = unit("ntt", 5);
  ntt.capabilities[at(Operation::ntt)] = Capability{.lanes = 4, .radix = 4};
  ntt.clock_mhz = 1500;
  ntt.count = 2;
  Unit permutation = unit("permutation", 2);
  permutation.capabilities[at(Operation::permutation)] = Capability{.lanes = 4};
  Unit generator = unit("generator", 1);
  generator.capabilities[at(Operation::generator)] = Capability{.lanes = 4};
  EXPECT_EQ(machine.units, (std::vector<Unit>{vector, ntt, permutation, generator}));
}

TEST(DescriptionTest, wide_words_and_their_lanes_reach_their_fields) {
  const MachineDescription machine = parsed(internal::kWideMachine);
  EXPECT_EQ(machine.word_bits, 32u);
  EXPECT_EQ(machine.wide_word_bits, 60u);
  EXPECT_EQ(machine.largest_word_bits(), 60u);
  for (const Operation kind :
       {Operation::arithmetic, Operation::ntt, Operation::permutation, Operation::generator}) {
    EXPECT_EQ(machine.unit_for(kind)->can(kind)->wide_lanes, 2u);
  }
}

TEST(DescriptionTest, reads_and_writes_may_have_ports_of_their_own) {
  const MachineDescription machine = parsed(edited("ports = 2", "read_ports = 3\nwrite_ports = 1"));
  EXPECT_EQ(machine.scratchpad.ports, 3u);
  EXPECT_EQ(machine.scratchpad.write_ports, 1u);
  EXPECT_EQ(complaint(edited("ports = 2", "ports = 2\nread_ports = 2\nwrite_ports = 2")),
            "m:10:9: memory.scratchpad.ports excludes read_ports and write_ports\n");
  EXPECT_EQ(complaint(edited("ports = 2", "read_ports = 2")),
            "m:6:1: missing key memory.scratchpad.write_ports\n");
  EXPECT_EQ(complaint(edited("ports = 2", "write_ports = 2")),
            "m:6:1: missing key memory.scratchpad.read_ports\n");
  EXPECT_EQ(complaint(edited("ports = 2", "")),
            "m:6:1: missing key memory.scratchpad.ports, or read_ports and write_ports\n");
}

TEST(DescriptionTest, bandwidth_may_have_decimals_and_counts_may_not) {
  EXPECT_EQ(parsed(edited("bandwidth = 32", "bandwidth = 51.2")).dram.bandwidth, 51.2);
  EXPECT_EQ(complaint(edited("ports = 2", "ports = 2.0")),
            "m:10:9: memory.scratchpad.ports must be an integer\n");
  for (const char* value : {"0", "-1", "inf", "nan", "1e7"}) {
    EXPECT_NE(complaint(edited("bandwidth = 32", std::string("bandwidth = ") + value)), "");
  }
}

TEST(DescriptionTest, units_keep_the_order_of_the_text) {
  const MachineDescription machine = parsed(internal::kAwkwardMachine);
  ASSERT_EQ(machine.units.size(), 3u);
  EXPECT_EQ(machine.units[0].name, "vector");
  EXPECT_EQ(machine.units[1].name, "ntt");
  EXPECT_EQ(machine.units[2].name, "rest");
}

TEST(DescriptionTest, a_unit_may_execute_several_kinds_and_a_kind_may_be_absent) {
  const MachineDescription machine = parsed(edited("[units.ntt]\ndepth = 5\n", ""));
  EXPECT_EQ(machine.unit_for(Operation::ntt)->name, "vector");
  EXPECT_EQ(machine.unit_for(Operation::arithmetic)->name, "vector");
  const auto without =
      parsed(edited("[units.permutation]\ndepth = 2\npermutation = {lanes = 4}", ""));
  EXPECT_EQ(without.unit_for(Operation::permutation), nullptr);
}

TEST(DescriptionTest, a_kind_belongs_to_one_unit_only) {
  EXPECT_EQ(complaint(edited("permutation = {lanes = 4}",
                             "permutation = {lanes = 4}\nntt = {lanes = 4, radix = 2}")),
            "m:27:7: units.permutation.ntt belongs to unit ntt already\n");
}

TEST(DescriptionTest, a_unit_executes_something) {
  EXPECT_EQ(complaint(edited("permutation = {lanes = 4}", "")),
            "m:24:1: units.permutation has no kind of operation\n");
}

TEST(DescriptionTest, the_unit_that_does_arithmetic_has_no_copies) {
  EXPECT_EQ(complaint(edited("depth = 3", "depth = 3\ncount = 2")),
            "m:18:9: units.vector.count 2 exceeds arithmetic's 1\n");
}

TEST(DescriptionTest, unit_names_are_plain_and_not_that_of_the_off_chip_memory) {
  EXPECT_EQ(complaint(edited("[units.vector]", "[units.dram]")),
            "m:16:1: unit name dram must be 1 to 64 characters from a-z 0-9 _ - and not dram\n");
  EXPECT_NE(complaint(edited("[units.vector]", "[units.Vector]")), "");
}

TEST(DescriptionTest, syntax_errors_carry_line_and_column) {
  const auto result = parse_description("name = \"x\"\nword_bits = = 3\n");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostics()[0].position, base::Position::line(2, 13));
}

TEST(DescriptionTest, unknown_keys_are_named_where_they_stand) {
  EXPECT_EQ(complaint(edited("depth = 3", "depth = 3\n  lames = 4")),
            "m:18:3: unknown key units.vector.lames\n");
  EXPECT_EQ(complaint(edited("radix = 4", "radix = 4, registers = 2")),
            "m:22:30: unknown key units.ntt.ntt.registers\n");
  EXPECT_EQ(complaint(edited("word_bits", "colour = 1\nword_bits")), "m:2:1: unknown key colour\n");
  EXPECT_EQ(complaint(edited("[units.vector]", "[memory.tape]\n[units.vector]")),
            "m:16:9: unknown key memory.tape\n");
}

TEST(DescriptionTest, missing_keys_are_named_with_their_table) {
  EXPECT_EQ(complaint(edited("latency = 2\n", "")),
            "m:6:1: missing key memory.scratchpad.latency\n");
  EXPECT_EQ(complaint(edited(", radix = 4", "")), "m:22:7: missing key units.ntt.ntt.radix\n");
  EXPECT_EQ(complaint(edited("depth = 3\n", "")), "m:16:1: missing key units.vector.depth\n");
  EXPECT_EQ(complaint(edited("word_bits = 64\n", "")), "m:1:1: missing key word_bits\n");
  EXPECT_EQ(complaint(edited("name = \"small\"\n", "")), "m:1:1: missing key name\n");
}

TEST(DescriptionTest, all_faults_are_reported_at_once_in_the_order_of_the_text) {
  EXPECT_EQ(complaint(edited("latency = 2\nports = 2\n\n[memory.dram]\nbandwidth = 32",
                             "latency = 0\nports = 2\n\n[memory.dram]\nbandwith = 32")),
            "m:9:11: memory.scratchpad.latency 0 is outside [1, 1000]\n"
            "m:12:1: missing key memory.dram.bandwidth\n"
            "m:13:1: unknown key memory.dram.bandwith\n");
  const auto empty = parse_description("");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.diagnostics().size(), 6u);  // name, word_bits, clock_mhz, queue_depth, two tables
}

TEST(DescriptionTest, wrong_types_are_refused) {
  EXPECT_EQ(complaint(edited("ports = 2", "ports = \"2\"")),
            "m:10:9: memory.scratchpad.ports must be an integer\n");
  EXPECT_EQ(complaint(edited("bandwidth = 32", "bandwidth = true")),
            "m:13:13: memory.dram.bandwidth must be a number\n");
  EXPECT_EQ(complaint(edited("\"small\"", "7")), "m:1:8: name must be a string\n");
  EXPECT_EQ(complaint(edited("{lanes = 4}", "4")),
            "m:26:15: units.permutation.permutation must be a table\n");
  EXPECT_NE(complaint("memory = 3\n").find("m:1:10: memory must be a table\n"), std::string::npos);
  EXPECT_NE(complaint("units = {vector = 3}\n").find("m:1:19: units.vector must be a table\n"),
            std::string::npos);
}

TEST(DescriptionTest, bounds_are_tight_and_named) {
  const auto accepted = [](const std::string& from, const std::string& to) {
    return complaint(edited(from, to)).empty();
  };
  EXPECT_EQ(complaint(edited("word_bits = 64", "word_bits = 65")),
            "m:2:13: word_bits 65 is outside [16, 64]\n");
  EXPECT_TRUE(accepted("word_bits = 64", "word_bits = 16"));
  EXPECT_FALSE(accepted("word_bits = 64", "word_bits = 15"));
  EXPECT_TRUE(accepted("ports = 2", "ports = 64"));
  EXPECT_FALSE(accepted("ports = 2", "ports = 65"));
  EXPECT_FALSE(accepted("queue_depth = 16", "queue_depth = 0"));
  EXPECT_FALSE(accepted("queue_depth = 16", "queue_depth = 4097"));
  EXPECT_FALSE(accepted("capacity_words = 256", "capacity_words = 9223372036854775807"));
  EXPECT_FALSE(accepted("latency = 10", "latency = -1"));
  EXPECT_TRUE(accepted("registers = 4", "registers = 0"));
  EXPECT_FALSE(accepted("clock_mhz = 1000", "clock_mhz = 0"));
}

TEST(DescriptionTest, wide_words_fit_two_words) {
  const auto words = [](const std::string& narrow, const std::string& wide) {
    std::string text = internal::kWideMachine;
    text.replace(text.find("word_bits = 32"), 14, "word_bits = " + narrow);
    text.replace(text.find("word_bits = 60"), 14, "word_bits = " + wide);
    return complaint(text);
  };
  EXPECT_EQ(words("32", "33"), "");
  EXPECT_EQ(words("32", "64"), "");
  EXPECT_EQ(words("32", "32"), "m:3:18: wide_word_bits 32 is outside [33, 64] for word_bits 32\n");
  EXPECT_EQ(words("29", "59"), "m:3:18: wide_word_bits 59 is outside [30, 58] for word_bits 29\n");
}

TEST(DescriptionTest, wide_lanes_go_with_wide_words) {
  std::string text = internal::kWideMachine;
  const std::string lanes = ", wide_lanes = 2";
  text.erase(text.find(lanes), lanes.size());
  EXPECT_EQ(complaint(text),
            "m:19:14: missing key units.vector.arithmetic.wide_lanes of a machine with "
            "wide_word_bits\n");
  EXPECT_EQ(complaint(edited("{lanes = 4}", "{lanes = 4, wide_lanes = 2}")),
            "m:26:40: units.permutation.permutation.wide_lanes needs wide_word_bits\n");
  text = internal::kWideMachine;
  text.replace(text.find(lanes), lanes.size(), ", wide_lanes = 8");
  EXPECT_EQ(complaint(text), "m:19:39: units.vector.arithmetic.wide_lanes 8 exceeds lanes 4\n");
}

TEST(DescriptionTest, lanes_and_radix_fit_a_row_of_the_scratchpad) {
  EXPECT_EQ(complaint(edited("banks = 4", "banks = 6")),
            "m:8:9: memory.scratchpad.banks 6 is not a power of two\n");
  EXPECT_EQ(complaint(edited("lanes = 4", "lanes = 3")),
            "m:18:23: units.vector.arithmetic.lanes 3 is not a power of two\n");
  EXPECT_EQ(complaint(edited("lanes = 4", "lanes = 8")),
            "m:18:23: units.vector.arithmetic.lanes 8 exceeds banks 4\n");
  EXPECT_EQ(complaint(edited("radix = 4", "radix = 8")),
            "m:22:27: units.ntt.ntt.radix 8 exceeds banks 4\n");
  EXPECT_EQ(complaint(edited("capacity_words = 256", "capacity_words = 255")),
            "m:7:18: memory.scratchpad.capacity_words 255 is not a multiple of the 4 banks\n");
}

std::string override_complaint(const std::string& key, const std::string& value) {
  const auto result = parse_description(internal::kSmallMachine, {{key, value}});
  return result ? "" : base::to_string(result.diagnostics(), "m");
}

TEST(DescriptionTest, an_override_replaces_one_key) {
  const std::vector<Override> changes = {{"memory.dram.bandwidth", "25.6"},
                                         {"units.ntt.ntt.radix", "2"},
                                         {"units.vector.clock_mhz", "1500"},
                                         {"name", "\"other\""}};
  const auto machine = parse_description(internal::kSmallMachine, changes);
  ASSERT_TRUE(machine) << base::to_string(machine.diagnostics(), "m");
  MachineDescription expected = internal::small_machine();
  expected.name = "other";
  expected.dram.bandwidth = 25.6;
  expected.units[0].clock_mhz = 1500;
  expected.units[1].capabilities[at(Operation::ntt)]->radix = 2;
  EXPECT_EQ(*machine, expected);
}

TEST(DescriptionTest, overrides_are_checked_as_the_text_is) {
  EXPECT_EQ(override_complaint("memory.dram.bandwith", "3"),
            "m: unknown key memory.dram.bandwith\n");
  EXPECT_EQ(override_complaint("colour", "3"), "m: unknown key colour\n");
  EXPECT_EQ(override_complaint("memory.scratchpad.banks", "3"),
            "m: memory.scratchpad.banks 3 is not a power of two\n");
  EXPECT_EQ(override_complaint("memory.scratchpad.latency", "\"2\""),
            "m: memory.scratchpad.latency must be an integer\n");
  EXPECT_NE(override_complaint("units.fft.depth", "3").find("units.fft has no kind of operation"),
            std::string::npos);
  EXPECT_EQ(override_complaint("name.first", "3"),
            "m: override name.first = 3: name is not a table\n");
}

TEST(DescriptionTest, the_value_of_an_override_is_one_value_of_toml) {
  EXPECT_NE(override_complaint("memory.dram.bandwidth", "3x"), "");
  EXPECT_NE(override_complaint("memory.dram.bandwidth", ""), "");
  EXPECT_EQ(override_complaint("queue_depth", "3\nname = 4"),
            "m: override queue_depth = 3\nname = 4: more than one value\n");
}

TEST(DescriptionTest, names_are_short_and_plain) {
  for (const char* name : {"\"\"", "\"Small\"", "\"a b\"", "\"\\u0007\""}) {
    EXPECT_EQ(complaint(edited("\"small\"", name)),
              "m:1:8: name must be 1 to 64 characters from a-z 0-9 _ -\n");
  }
  EXPECT_EQ(complaint(edited("small", std::string(64, 'a'))), "");
  EXPECT_NE(complaint(edited("small", std::string(65, 'a'))), "");
}

TEST(DescriptionTest, clocks_need_a_common_tick) {
  EXPECT_EQ(complaint(edited("depth = 3", "depth = 3\nclock_mhz = 9973")),
            "m: the least common multiple of all clocks exceeds 1000000 MHz\n");
  EXPECT_EQ(tick_mhz(internal::awkward_machine()), 2400u);
}

TEST(DescriptionTest, an_unreadable_file_is_an_io_error) {
  try {
    load_description("/nonexistent/machine.toml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::io);
    EXPECT_NE(std::string(error.what()).find("/nonexistent/machine.toml"), std::string::npos);
  }
  EXPECT_THROW(load_description(testing::TempDir()), Error);  // a folder opens but cannot be read
}

TEST(DescriptionTest, a_file_is_parsed_as_its_text) {
  const base::TemporaryFolder folder;
  const std::string path = folder.path() / "small.toml";
  std::ofstream(path) << internal::kSmallMachine;
  EXPECT_EQ(load_description(path).value(), internal::small_machine());
}

TEST(ShippedMachinesTest, each_parses_and_bears_the_name_of_its_file) {
  ASSERT_EQ(shipped_machines(),
            (std::vector<std::string>{"basalisc", "tutorial", "u280_adaptive"}));
  for (const std::string& name : shipped_machines()) {
    const auto machine = parse_description(shipped_text(name));
    ASSERT_TRUE(machine) << base::to_string(machine.diagnostics(), name);
    EXPECT_EQ(machine->name, name);
    EXPECT_EQ(shipped_description(name), *machine);
  }
}

TEST(ShippedMachinesTest, an_unknown_name_is_unavailable_and_the_known_ones_are_listed) {
  try {
    shipped_text("abacus");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unavailable);
    EXPECT_STREQ(error.what(),
                 "there is no machine \"abacus\"; there are: basalisc, tutorial, u280_adaptive");
  }
}

TEST(DescriptionTest, units_of_keys_are_found_by_their_paths) {
  EXPECT_EQ(unit_of_key("clock_mhz"), "MHz");
  EXPECT_EQ(unit_of_key("memory.dram.bandwidth"), "GB/s (1e9 bytes)");
  EXPECT_EQ(unit_of_key("units.any-name.depth"), "unit cycles");
  EXPECT_EQ(unit_of_key("units.any-name.ntt.radix"), "points");
  for (const char* path :
       {"", "memory", "memory.dram", "units.ntt", "units.ntt.ntt", "depth", "units.depth",
        "memory.dram.width", "units.x.ntt.registers", "x.clock_mhz"})
    EXPECT_EQ(unit_of_key(path), "") << path;
}

}  // namespace
}  // namespace heliodor::machine
