// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Uses: which instructions read each value of a program.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/program/limb_program.h"

namespace heliodor::cpu {

class Uses {
 public:
  explicit Uses(const program::LimbProgram& program);

  /// Instructions that read `value`, ascending; one that reads it twice is listed twice.
  std::span<const std::uint32_t> readers(program::ValueId value) const noexcept {
    return std::span(readers_).subspan(first_[value], first_[value + 1] - first_[value]);
  }
  bool is_output(program::ValueId value) const noexcept { return is_output_[value]; }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> readers_;
  std::vector<bool> is_output_;
};

/// Whether an instruction works word by word, so that it may run on any part of a limb.
bool is_pointwise(program::LimbOp op) noexcept;

/// Whether both are dot_scalars and of the same sources in the same order.
bool same_sources(const program::Instruction& a, const program::Instruction& b) noexcept;

/// Whether both are dots, and the first factors of their terms the same in the same order.
bool same_first_factors(const program::Instruction& a, const program::Instruction& b) noexcept;

}  // namespace heliodor::cpu
