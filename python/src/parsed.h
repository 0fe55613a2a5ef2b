// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a text holds, or the exception that says everything that is wrong with it.
#pragma once

#include <string>
#include <utility>

#include "heliodor/base/diagnostic.h"
#include "heliodor/base/error.h"

namespace heliodor::python {

/// Throws Error{code} with a line per diagnostic that starts with `name`.
template <typename T>
T value_or_throw(base::Result<T> result, ErrorCode code, const std::string& name) {
  if (result) return std::move(result).value();
  std::string lines = base::to_string(result.diagnostics(), name);
  lines.pop_back();  // the end of the last line
  throw Error(code, lines);
}

}  // namespace heliodor::python
