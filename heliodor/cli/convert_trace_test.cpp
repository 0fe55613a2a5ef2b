// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/cli/internal/command_fixture.h"
#include "heliodor/cli/internal/describe_trace.h"

namespace heliodor::cli {
namespace {

using testing::HasSubstr;

const std::string kTrace =
    "modulus_count 2\n"
    "m[0] 0xFFFFFFFFFFFFFFFF\n"
    "m[1] 0x11\n"
    "sr_mulp %3, %1, %2, m=1\n";

const std::string kKernel = "# kernel\n0, mac, c_0, a_0, b_0, 0\n";

class ConvertTraceTest : public CommandTest {};

TEST_F(ConvertTraceTest, a_program_goes_to_fhetch_and_back) {
  const std::string program = write("p.limb", kProductText);
  for (const std::vector<std::string>& to :
       {std::vector<std::string>{path("p.fhetch")}, {path("p.txt"), "--to", "fhetch"}}) {
    std::vector<std::string> command{"convert", program};
    command.insert(command.end(), to.begin(), to.end());
    const Outcome there = heliodor_command(command);
    ASSERT_EQ(there.code, 0) << there.err;
    const Outcome back = heliodor_command({"convert", to[0], path("back.limb")});
    ASSERT_EQ(back.code, 0) << back.err;
    EXPECT_EQ(read("back.limb"), kProductText);
  }
}

TEST_F(ConvertTraceTest, a_trace_without_a_degree_takes_that_of_the_option) {
  const std::string file = write("t.fhetch", kTrace);
  const Outcome without = heliodor_command({"convert", file, path("t.limb")});
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, HasSubstr("t.fhetch: the degree of the ring is missing"));
  const Outcome with = heliodor_command({"convert", file, path("t.limb"), "--degree", "4"});
  ASSERT_EQ(with.code, 0) << with.err;
  EXPECT_THAT(read("t.limb"), HasSubstr("degree 4\nmodulus q0 17 psi 2\n"));
}

TEST_F(ConvertTraceTest, a_kernel_takes_its_moduli_from_the_option) {
  const std::string file = write("k.csv", kKernel);
  const Outcome without = heliodor_command({"convert", file, path("k.limb")});
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, HasSubstr("k.csv: a P-ISA kernel does not state its moduli"));
  const Outcome with = heliodor_command(
      {"convert", file, path("k.limb"), "--moduli", "17,41", "--degree", "4", "--from", "p-isa"});
  ASSERT_EQ(with.code, 0) << with.err;
  EXPECT_THAT(read("k.limb"), HasSubstr("output \"c_0\""));
}

TEST_F(ConvertTraceTest, faults_have_file_line_and_column) {
  const std::string file = write("t.fhetch", kTrace + "sr_permute %4, %3, m=1\n");
  const Outcome outcome = heliodor_command({"convert", file, path("t.limb"), "--degree", "4"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("t.fhetch:5:1: sr_permute does not say which permutation"));
}

TEST_F(ConvertTraceTest, options_that_do_not_fit_the_file_are_refused) {
  const std::string program = write("p.limb", kProductText);
  const std::string trace = write("t.fhetch", kTrace);
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{program, path("x.limb"), "--degree", "4"},
        {program, path("x.limb"), "--moduli", "17"},
        {trace, path("x.limb"), "--degree", "4", "--moduli", "17"},
        {program, path("x.limb"), "--from", "fhetch"},
        {program, path("x.limb"), "--from", "csv"},
        {program, path("x.limb"), "--to", "p-isa"},
        {trace, path("x.limb"), "--degree", "-4"}}) {
    std::vector<std::string> command{"convert"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    EXPECT_EQ(heliodor_command(command).code, 2) << arguments.back();
  }
}

TEST_F(ConvertTraceTest, a_program_that_a_trace_cannot_express_is_refused) {
  const std::string program = write("u.limb",
                                    "limb_program 1 \"u\"\n"
                                    "degree 4\n"
                                    "modulus q0 17 psi 2\n"
                                    "%0 = input seed \"s\"\n"
                                    "%1 = uniform %0 stream 0 : q0 eval\n"
                                    "output \"z\" = %1\n");
  const Outcome outcome = heliodor_command({"convert", program, path("u.fhetch")});
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("instruction 0 is uniform"));
}

TEST_F(ConvertTraceTest, a_description_counts_the_instructions_of_a_trace) {
  const OpenedFile fhetch(write("t.fhetch", kTrace));
  ASSERT_TRUE(is_trace(fhetch));
  const nlohmann::ordered_json trace = describe_trace(fhetch);
  EXPECT_EQ(trace["kind"], "trace");
  EXPECT_EQ(trace["format"], "fhetch");
  EXPECT_EQ(trace["instruction_count"], 1);
  EXPECT_EQ(trace["instructions"]["sr_mulp"], 1);

  std::ostringstream out;
  print_trace(describe_trace(OpenedFile(write("k.csv", kKernel))), out);
  EXPECT_THAT(out.str(), HasSubstr("P-ISA trace"));
  EXPECT_THAT(out.str(), HasSubstr("mac"));
  EXPECT_FALSE(is_trace(OpenedFile(write("p.limb", kProductText))));
}

TEST_F(ConvertTraceTest, a_description_of_a_damaged_trace_names_file_and_line) {
  try {
    describe_trace(OpenedFile(write("t.fhetch", kTrace + "7\n")));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("t.fhetch"));
    EXPECT_THAT(error.what(), HasSubstr("5:1: expected an instruction"));
  }
}

}  // namespace
}  // namespace heliodor::cli
