// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/exit_code.h"

namespace heliodor::cli {

ExitCode exit_code(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::out_of_range:
    case ErrorCode::mismatch:
    case ErrorCode::invalid_modulus:
    case ErrorCode::invalid_program:
    case ErrorCode::invalid_description:
    case ErrorCode::malformed_file:
    case ErrorCode::io:
    case ErrorCode::insecure:
    case ErrorCode::noise_overflow:
    case ErrorCode::missing_key:
      return ExitCode::bad_input;
    case ErrorCode::unsupported:
    case ErrorCode::unavailable:
    case ErrorCode::out_of_memory:
      return ExitCode::not_available;
    case ErrorCode::range_violation:
      return ExitCode::wrong_result;
  }
  return ExitCode::wrong_result;
}

}  // namespace heliodor::cli
