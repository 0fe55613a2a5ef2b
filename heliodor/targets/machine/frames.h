// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Frames: how the limbs of a program fill a scratchpad. It is cut into frames of one narrow limb
// (a row for each chunk); a wide limb takes an aligned pair.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "heliodor/program/limb_program.h"
#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/layout.h"

namespace heliodor::machine {

class Frames {
 public:
  /// Keeps references to both.
  Frames(const MachineDescription& description, const program::LimbProgram& program) noexcept
      : description_(description), program_(program) {
    const std::uint64_t words =
        std::min<std::uint64_t>(program.degree(), description.scratchpad.banks);
    layout_.chunk_bits = static_cast<std::uint32_t>(std::countr_zero(words));
    layout_.degree_bits = static_cast<std::uint32_t>(std::countr_zero(program.degree()));
  }

  const Layout& layout() const noexcept { return layout_; }
  std::uint32_t rows_per_frame() const noexcept { return layout_.chunks(); }

  /// Frames of the scratchpad whose rows a Place can name.
  std::uint64_t count() const noexcept {
    const std::uint64_t rows = std::min<std::uint64_t>(description_.scratchpad.rows(), kMostRows);
    return rows / rows_per_frame();
  }

  bool is_wide(const ring::Modulus& modulus) const noexcept {
    return modulus.bits() > description_.word_bits;
  }

  /// Whether any modulus of the program is wide.
  bool has_wide() const noexcept {
    return std::ranges::any_of(program_.moduli(),
                               [&](const ring::Modulus& q) { return is_wide(q); });
  }

  /// Frames that the value takes: 0 (seeds), 1 or 2.
  std::uint32_t width(program::ValueId value) const noexcept {
    if (program_.type(value).is_seed()) return 0;
    return is_wide(program_.modulus(value)) ? 2 : 1;
  }

 private:
  static constexpr std::uint64_t kMostRows = 0x7fffffff;

  const MachineDescription& description_;
  const program::LimbProgram& program_;
  Layout layout_;
};

}  // namespace heliodor::machine
