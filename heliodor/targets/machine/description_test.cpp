// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/description.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "heliodor/base/error.h"
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

TEST(DescriptionTest, every_key_reaches_its_field) {
  const MachineDescription machine =
      parse_description(edited("depth = 3", "depth = 3\nclock_mhz = 1500")).value();
  EXPECT_EQ(machine.name, "small");
  EXPECT_EQ(machine.word_bits, 64u);
  EXPECT_EQ(machine.clock_mhz, 1000u);
  EXPECT_EQ(machine.queue_depth, 16u);
  EXPECT_EQ(machine.scratchpad,
            (Scratchpad{.capacity_words = 256, .banks = 4, .latency = 2, .ports = 2}));
  EXPECT_EQ(machine.scratchpad.rows(), 64u);
  EXPECT_EQ(machine.unit(UnitKind::host), (Unit{.lanes = 4, .depth = 10, .clock_mhz = 1000}));
  EXPECT_EQ(machine.unit(UnitKind::vector), (Unit{.lanes = 4, .depth = 3, .clock_mhz = 1500}));
  EXPECT_EQ(machine.unit(UnitKind::ntt),
            (Unit{.lanes = 4, .depth = 5, .clock_mhz = 1000, .stages_per_pass = 2}));
  EXPECT_EQ(machine.unit(UnitKind::permutation), (Unit{.lanes = 4, .depth = 2, .clock_mhz = 1000}));
  EXPECT_EQ(machine.unit(UnitKind::generator), (Unit{.lanes = 4, .depth = 1, .clock_mhz = 1000}));
}

TEST(DescriptionTest, a_unit_may_be_absent) {
  const auto machine = parse_description(edited("[units.permutation]\nlanes = 4\ndepth = 2\n", ""));
  ASSERT_TRUE(machine);
  EXPECT_FALSE(machine->unit(UnitKind::permutation));
}

TEST(DescriptionTest, syntax_errors_carry_line_and_column) {
  const auto result = parse_description("name = \"x\"\nword_bits = = 3\n");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostics()[0].position, base::Position::line(2, 13));
}

TEST(DescriptionTest, unknown_keys_are_named_where_they_stand) {
  EXPECT_EQ(complaint(edited("depth = 3", "depth = 3\n  lames = 4")),
            "m:19:3: unknown key units.vector.lames\n");
  EXPECT_EQ(complaint(edited("[units.vector]", "[units.fft]\n[units.vector]")),
            "m:16:8: unknown key units.fft\n");
  EXPECT_EQ(complaint(edited("word_bits", "colour = 1\nword_bits")), "m:2:1: unknown key colour\n");
}

TEST(DescriptionTest, missing_keys_are_named_with_their_table) {
  EXPECT_EQ(complaint(edited("latency = 2\n", "")), "m:6:1: missing key scratchpad.latency\n");
  EXPECT_EQ(complaint(edited("stages_per_pass = 2\n", "")),
            "m:20:1: missing key units.ntt.stages_per_pass\n");
  EXPECT_EQ(complaint(edited("word_bits = 64\n", "")), "m:1:1: missing key word_bits\n");
  EXPECT_EQ(complaint(edited("name = \"small\"\n", "")), "m:1:1: missing key name\n");
}

TEST(DescriptionTest, an_empty_text_misses_everything_at_once) {
  const auto result = parse_description("");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.diagnostics().size(), 7u);
}

TEST(DescriptionTest, wrong_types_are_refused) {
  EXPECT_EQ(complaint(edited("ports = 2", "ports = \"2\"")),
            "m:10:9: scratchpad.ports must be an integer\n");
  EXPECT_EQ(complaint(edited("ports = 2", "ports = 2.0")),
            "m:10:9: scratchpad.ports must be an integer\n");
  EXPECT_EQ(complaint(edited("\"small\"", "7")), "m:1:8: name must be a string\n");
}

TEST(DescriptionTest, a_number_in_place_of_a_table_is_refused) {
  EXPECT_NE(complaint("host = 3\n").find("m:1:8: host must be a table\n"), std::string::npos);
}

TEST(DescriptionTest, bounds_are_tight_and_named) {
  const auto accepted = [](const std::string& from, const std::string& to) {
    return complaint(edited(from, to)).empty();
  };
  EXPECT_EQ(complaint(edited("word_bits = 64", "word_bits = 65")),
            "m:2:13: word_bits 65 is outside [16, 64]\n");
  EXPECT_TRUE(accepted("word_bits = 64", "word_bits = 16"));
  EXPECT_FALSE(accepted("word_bits = 64", "word_bits = 15"));
  EXPECT_EQ(complaint(edited("ports = 2", "ports = 0")),
            "m:10:9: scratchpad.ports 0 is outside [1, 64]\n");
  EXPECT_TRUE(accepted("ports = 2", "ports = 64"));
  EXPECT_FALSE(accepted("ports = 2", "ports = 65"));
  EXPECT_FALSE(accepted("queue_depth = 16", "queue_depth = 0"));
  EXPECT_FALSE(accepted("queue_depth = 16", "queue_depth = 4097"));
  EXPECT_FALSE(accepted("capacity_words = 256", "capacity_words = 9223372036854775807"));
  EXPECT_FALSE(accepted("latency = 10", "latency = -1"));
  EXPECT_FALSE(accepted("stages_per_pass = 2", "stages_per_pass = 17"));
  EXPECT_FALSE(accepted("clock_mhz = 1000", "clock_mhz = 0"));
}

TEST(DescriptionTest, lanes_divide_a_row_of_the_scratchpad) {
  EXPECT_EQ(complaint(edited("banks = 4", "banks = 6")),
            "m:8:9: scratchpad.banks 6 is not a power of two\n");
  EXPECT_EQ(complaint(edited("lanes = 4", "lanes = 3")),
            "m:17:9: units.vector.lanes 3 is not a power of two\n");
  EXPECT_EQ(complaint(edited("lanes = 4", "lanes = 8")),
            "m:17:9: units.vector.lanes 8 is outside [1, 4]\n");
  EXPECT_EQ(complaint(edited("capacity_words = 256", "capacity_words = 255")),
            "m:7:18: scratchpad.capacity_words 255 is not a multiple of the 4 banks\n");
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
  MachineDescription machine = internal::awkward_machine();
  EXPECT_EQ(tick_mhz(machine), 2400u);
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
  const std::string path = testing::TempDir() + "heliodor_small_machine.toml";
  std::ofstream(path) << internal::kSmallMachine;
  EXPECT_EQ(load_description(path).value(), internal::small_machine());
}

TEST(ShippedMachinesTest, each_parses_and_bears_the_name_of_its_file) {
  ASSERT_EQ(shipped_machines(), std::vector<std::string>{"tutorial"});
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
    EXPECT_STREQ(error.what(), "there is no machine \"abacus\"; there are: tutorial");
  }
}

}  // namespace
}  // namespace heliodor::machine
