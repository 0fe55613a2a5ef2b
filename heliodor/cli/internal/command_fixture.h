// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the command's tests share: a run of the command, and files to run it on.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "heliodor/base/temporary_folder.h"
#include "heliodor/cli/cli.h"

namespace heliodor::cli {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

inline Outcome heliodor_command(const std::vector<std::string>& args) {
  std::vector<const char*> pointers;
  for (const std::string& arg : args) pointers.push_back(arg.c_str());
  std::ostringstream out;
  std::ostringstream err;
  const int code = run(pointers, out, err);
  return {code, out.str(), err.str()};
}

/// Gives each test an empty folder.
class CommandTest : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
  }

 private:
  const base::TemporaryFolder folder_;
};

inline constexpr std::string_view kProductText =
    "limb_program 1 \"product\"\n"
    "degree 4\n"
    "modulus q0 17 psi 2\n"
    "%0 = input operand \"x\" : q0 eval\n"
    "%1 = input key \"k\" : q0 eval\n"
    "%2 = mul %0 %1 : q0 eval\n"
    "%3 = intt %2 : q0 coeff\n"
    "output \"z\" = %3\n";

}  // namespace heliodor::cli
