// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Trial: the data of one comparison. Words depend on the input's name and not on its place, so that
// a program that is being shrunk keeps the data of the inputs that remain.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "heliodor/targets/reference/run_data.h"

namespace heliodor::agree {

enum class Fill : std::uint8_t {
  random,   ///< uniform residues
  maximal,  ///< q - 1 everywhere
  zero,
  one_hot,  ///< 1 or q - 1 in one place, 0 elsewhere
  edges,    ///< 0, 1, floor(q/2), floor(q/2) + 1 and q - 1, mixed
};

inline constexpr std::array kAllFills = {Fill::random, Fill::maximal, Fill::zero, Fill::one_hot,
                                         Fill::edges};

std::string_view to_string(Fill fill) noexcept;

struct Trial {
  std::uint64_t seed = 0;
  Fill fill = Fill::random;
  std::size_t batch = 1;
};

std::string to_string(const Trial& trial);

class TrialSource : public reference::InputSource {
 public:
  explicit TrialSource(const Trial& trial) : trial_(trial) {}

  void fill(const program::Input& input, const ring::Modulus& q, std::size_t run,
            std::span<std::uint64_t> words) override;
  base::PublicSeed seed(const program::Input& input) override;

 private:
  Trial trial_;
};

}  // namespace heliodor::agree
