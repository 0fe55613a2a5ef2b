// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/schoolbook.h"

namespace heliodor::cli {

std::uint64_t negacyclic_coefficient(std::span<const std::uint64_t> x,
                                     std::span<const std::uint64_t> y, std::uint64_t k,
                                     std::uint64_t q) {
  __extension__ using Wide = unsigned __int128;
  Wide sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool wraps = i > k;
    const std::uint64_t factor = y[wraps ? k + y.size() - i : k - i];
    const auto product = static_cast<std::uint64_t>(Wide{x[i]} * factor % q);
    sum += wraps ? q - product : product;
  }
  return static_cast<std::uint64_t>(sum % q);
}

}  // namespace heliodor::cli
