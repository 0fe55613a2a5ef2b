// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/trace/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heliodor/base/error.h"

namespace heliodor::formats::trace {
namespace {

using Counts = std::map<std::string, std::size_t>;

const std::string kFhetch =
    "# comment\nmodulus_count 2\nm[0] 0xFFFFFFFFFFFFFFFF\nm[1] 0x61\n"
    "sr_negp %2, %1, m=1 # sr_addp\nsr_permute %3, %2, m=1\n\nsr_negp %4, %3, m=1\nhalt\n";
const std::string kPIsa = "# comment\n0, mac, c, a, b, 0\n\n0, ntt, a, b, c, d, 0, 0, 0\n";

TEST(SummaryTest, formats_are_told_apart) {
  EXPECT_EQ(trace_format(kFhetch), TraceFormat::fhetch);
  EXPECT_EQ(trace_format(kPIsa), TraceFormat::p_isa);
  EXPECT_EQ(trace_format("limb_program 1 \"x\"\n"), std::nullopt);
  EXPECT_EQ(trace_format(""), std::nullopt);
}

TEST(SummaryTest, instructions_are_counted_even_if_they_cannot_be_imported) {
  EXPECT_EQ(count_instructions(kFhetch, TraceFormat::fhetch),
            (Counts{{"sr_negp", 2}, {"sr_permute", 1}, {"halt", 1}}));
  EXPECT_EQ(count_instructions(kPIsa, TraceFormat::p_isa), (Counts{{"mac", 1}, {"ntt", 1}}));
}

TEST(SummaryTest, a_line_without_an_instruction_is_an_error_with_its_place) {
  try {
    count_instructions(kFhetch + "%7\n", TraceFormat::fhetch);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::malformed_file);
    EXPECT_THAT(error.what(), testing::HasSubstr("10:1: expected an instruction, found '%'"));
  }
}

}  // namespace
}  // namespace heliodor::formats::trace
