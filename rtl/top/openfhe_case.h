// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// A case of relinearized products that OpenFHE computed (tests/vectors/openfhe/README.md).

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "heliodor/ring/modulus.h"

namespace heliodor::rtl_bench {

class OpenfheCase {
 public:
  using Limb = std::vector<std::uint64_t>;

  // Throws Error{io} if a file cannot be read.
  explicit OpenfheCase(std::filesystem::path folder);

  const std::vector<ring::Modulus>& moduli() const { return moduli_; }
  std::size_t products() const { return products_; }

  // Entry [outer][limb] of a file: outer is the product, or the digit of keys and digits.
  Limb limb(const std::string& file, std::size_t outer, std::size_t limb) const;

  // Digit `digit` of a1*b1 modulo limb `limb`: coefficients of its limb `digit`, centred, as
  // evaluations.
  Limb digit(std::size_t product, std::size_t digit, std::size_t limb) const;

 private:
  std::filesystem::path folder_;
  std::vector<ring::Modulus> moduli_;
  std::size_t products_ = 0;
};

}  // namespace heliodor::rtl_bench
