// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Fusions: what a plan may combine. Each changes time and memory, never a word of the result; tests
// run with each forced off.
#pragma once

namespace heliodor::cpu {

struct Fusions {
  /// Instructions in the order in which outputs demand them, limb by limb, instead of program
  /// order.
  bool demand_order = true;
  /// A transform whose result only dot reads skips its final reduction.
  bool lazy_transforms = true;
  /// An intt that only a mul_scalar reads multiplies by that constant in its last stage.
  bool scaled_transforms = true;
  /// A reduce that only an ntt reads is done as its words are loaded.
  bool lifted_transforms = true;
  /// A sub that only a mul_scalar reads is multiplied as it is made.
  bool scaled_differences = true;
  /// dot_scalars with the same sources are made together.
  bool grouped_conversions = true;
  /// Two dots with the same first factors are made together.
  bool paired_dots = true;
  /// A dot that only an add reads begins with the other addend.
  bool accumulating_dots = true;
  /// Neighbouring pointwise instructions run tile by tile, and what only they use lives in a tile.
  bool strips = true;

  /// What a target does unless told otherwise: all but strips. On the Zen 4 core measured, a hybrid
  /// key switch (N = 2^16, 27 + 9 limbs) took 35.7 ms without strips and 38.6 ms with them, a 14 to
  /// 28 base conversion 2.11 and 2.19 ms: its prefetchers follow a few long streams better than
  /// many short.
  static constexpr Fusions usual() { return {.strips = false}; }

  static constexpr Fusions none() {
    return {false, false, false, false, false, false, false, false, false};
  }
  bool operator==(const Fusions&) const = default;
};

}  // namespace heliodor::cpu
