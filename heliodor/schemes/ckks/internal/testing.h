// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the tests of this component share.
#pragma once

#include <optional>

#include "heliodor/base/error.h"

namespace heliodor::ckks::testing {

/// The code that `action` throws; nothing if it returns.
template <typename Action>
std::optional<ErrorCode> error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

}  // namespace heliodor::ckks::testing
