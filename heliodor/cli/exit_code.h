// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Exit codes of the command. The one place where error codes become exit codes.
#pragma once

#include "heliodor/base/error.h"

namespace heliodor::cli {

enum class ExitCode : int {
  right = 0,         ///< done, and every comparison was equal
  wrong_result = 1,  ///< a result differs, a machine faulted, or our own code broke a promise
  bad_input = 2,     ///< options, numbers, files, programs or descriptions that are not well formed
  not_available = 3,  ///< this machine or this target cannot do it
};

ExitCode exit_code(ErrorCode code) noexcept;

}  // namespace heliodor::cli
