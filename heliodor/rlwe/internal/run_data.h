// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// RunData: the limbs of one run that stand in parts of matrices and keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/program/target.h"
#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/rlwe/keys.h"

namespace heliodor::rlwe::internal {

/// The data of one run; limbs are added in program order.
struct RunData {
  program::Binding binding;
  program::SharedBinding shared;

  /// All limbs of `x`, part by part.
  void operand(const LimbMatrix& x);
  /// The first `limb_count` limbs of a part of a key.
  void key(const LimbMatrix& x, std::size_t part, std::size_t limb_count);
  /// The first `limb_count` limbs of s.
  void key(const SecretKey& s, std::size_t limb_count);
  /// Parts first_part .. first_part+parts-1 of `x`.
  void output(LimbMatrix& x, std::size_t first_part, std::size_t parts);
};

void run(const program::Plan& plan, const RunData& data);

}  // namespace heliodor::rlwe::internal
