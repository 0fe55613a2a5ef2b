// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/check.h"

#include <fmt/format.h>

#include "heliodor/base/error.h"

namespace heliodor::base {

void check_range(const char* what, std::span<const std::uint64_t> words, std::uint64_t bound) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] >= bound) {
      throw Error(ErrorCode::range_violation,
                  fmt::format("{}: word {} is {}, bound {}", what, i, words[i], bound));
    }
  }
}

}  // namespace heliodor::base
