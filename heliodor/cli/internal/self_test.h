// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The self-tests of `heliodor doctor`: in a few seconds, whether this build computes right on this
// machine. They do not replace the test suite.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "heliodor/program/target.h"
#include "heliodor/targets/cpu/kernel_table.h"

namespace heliodor::cli {

struct SelfTest {
  std::string name;
  /// What is wrong; empty if all is right. May throw, which is wrong too.
  std::function<std::string()> run;
};

struct SelfTestResult {
  std::string name;
  std::string problem;  ///< empty if it passed
  double seconds;
};

/// The transforms of every supported kernel table; encrypt, multiply and decrypt in each scheme at
/// 128 bits of security, on `target`; a file written and read again.
std::vector<SelfTest> self_tests(const std::shared_ptr<const program::Target>& target);

/// Transforms of random limbs, forward against the reference and back, for a prime of each size
/// that has kernels of its own.
std::string test_transforms(const cpu::KernelTable& table);

SelfTestResult run_self_test(const SelfTest& test);

}  // namespace heliodor::cli
