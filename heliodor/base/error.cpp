// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/error.h"

namespace heliodor::base {

std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::out_of_range:
      return "out_of_range";
    case ErrorCode::mismatch:
      return "mismatch";
    case ErrorCode::invalid_modulus:
      return "invalid_modulus";
    case ErrorCode::invalid_program:
      return "invalid_program";
    case ErrorCode::invalid_description:
      return "invalid_description";
    case ErrorCode::malformed_file:
      return "malformed_file";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::unavailable:
      return "unavailable";
    case ErrorCode::range_violation:
      return "range_violation";
    case ErrorCode::io:
      return "io";
    case ErrorCode::out_of_memory:
      return "out_of_memory";
    case ErrorCode::insecure:
      return "insecure";
    case ErrorCode::noise_overflow:
      return "noise_overflow";
    case ErrorCode::missing_key:
      return "missing_key";
  }
  return "unknown";
}

}  // namespace heliodor::base
