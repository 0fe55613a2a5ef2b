// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The parameters of the streaming relinearization core: N = 4096, 12 limbs of 30 bits, four
// distinct pairs.
#include <gtest/gtest.h>

#include <string>

#include "tests/exact/openfhe_checks.h"
#include "tests/exact/subjects.h"

namespace heliodor::exact {
namespace {

using rlwe::KeySwitchMethod;
using vectors::OpenfheCase;

TEST(OpenfheSlowTest, bv_with_twelve_digits_is_openfhes) {
  const std::string name = "bgv_bv_n4096_l12";
  const auto given = OpenfheCase::find(name);
  if (!given) GTEST_SKIP() << OpenfheCase::missing(name);
  for (const TargetPtr& target : subjects()) {
    check_digits(*given, target, KeySwitchMethod::bv);
    check_products(*given, target, KeySwitchMethod::bv);
  }
}

TEST(OpenfheSlowTest, hybrid_and_klss_with_three_digits_of_four_limbs_are_openfhes) {
  const std::string name = "bgv_hybrid_n4096_l12";
  const auto given = OpenfheCase::find(name);
  if (!given) GTEST_SKIP() << OpenfheCase::missing(name);
  for (const TargetPtr& target : subjects()) {
    check_digits(*given, target, KeySwitchMethod::hybrid);
    check_inner_products(*given, target);
    for (const auto method : {KeySwitchMethod::hybrid, KeySwitchMethod::klss}) {
      check_products(*given, target, method);
      check_rotations_and_mod_switch(*given, target, method);
    }
  }
}

}  // namespace
}  // namespace heliodor::exact
