// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// `heliodor run evalmult`: EvalMult with BV relinearization in the form that a target takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "heliodor/program/limb_program.h"

namespace heliodor::cli {

/// The program that stream:session runs: the digits of every limb are operands, as the host makes
/// them.
program::LimbProgram evalmult_with_given_digits(unsigned bits, std::uint64_t degree,
                                                std::size_t limbs);

/// For "stream:session" that one, for every other target evalmult_bv_program.
program::LimbProgram evalmult_for(std::string_view target, unsigned bits, std::uint64_t degree,
                                  std::size_t limbs);

}  // namespace heliodor::cli
