// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/program_file.h"

#include <gtest/gtest.h>

#include <functional>

#include "heliodor/base/error.h"
#include "heliodor/cli/internal/command_fixture.h"

namespace heliodor::cli {
namespace {

class ProgramFileTest : public CommandTest {};

ErrorCode code_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::unsupported;
}

TEST_F(ProgramFileTest, both_forms_load_the_same_program) {
  const auto from_text = load_program(write("a.limb", kProductText));
  save_program(path("a.hlp"), from_text);
  EXPECT_EQ(load_program(path("a.hlp")), from_text);
  // The first bytes decide where the name does not.
  EXPECT_EQ(load_program(write("renamed", read("a.hlp"))), from_text);
}

TEST_F(ProgramFileTest, faults_have_their_codes) {
  EXPECT_EQ(code_of([&] { read_file(path("missing")); }), ErrorCode::io);
  EXPECT_EQ(code_of([&] { read_file(path(".")); }), ErrorCode::io);
  EXPECT_EQ(code_of([&] { read_file(write("empty", "")); }), ErrorCode::malformed_file);
  EXPECT_EQ(code_of([&] { load_program(write("text", "hello")); }), ErrorCode::malformed_file);
  const auto program = load_program(write("a.limb", kProductText));
  EXPECT_EQ(code_of([&] { save_program(path("a.doc"), program); }), ErrorCode::out_of_range);
  EXPECT_EQ(code_of([&] { save_program(path("no/a.limb"), program); }), ErrorCode::io);
}

}  // namespace
}  // namespace heliodor::cli
