// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The errors a caller can make. Public functions throw Error with a code and a message that names
// the quantity, the value and the bound ("limb_count 5 exceeds 3"). Authors of programs and
// descriptions get Diagnostics instead (diagnostic.h); simulated machines return faults as values
// (program/target.h).
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace heliodor::base {

enum class ErrorCode {
  out_of_range,     ///< A number lies outside the bounds that its function states.
  mismatch,         ///< Two things that must agree (degrees, limb counts, moduli) do not.
  invalid_modulus,  ///< A modulus is not a usable prime, or its root not a primitive 2N-th root.
  invalid_program,  ///< A LimbProgram fails verification; the message lists the diagnostics.
  invalid_description,  ///< A machine description is malformed; the message lists the diagnostics.
  malformed_file,       ///< The bytes of a file or stream do not have the form that was asked for.
  unsupported,          ///< A target cannot run this program; the message says why.
  unavailable,  ///< This machine lacks what was asked for by name (an instruction set, a target).
  range_violation,  ///< Checked builds only: a word is not below the bound its function requires.
  io,               ///< A file cannot be opened, read or written.
  out_of_memory,    ///< Memory for limbs cannot be had.
  insecure,         ///< Parameters reach less security than was asked for.
  noise_overflow,   ///< The result of an operation could decrypt wrongly.
  missing_key,      ///< An operation needs an evaluation key that was not given.
};

/// The code's name as written above, for messages and for `heliodor explain`.
std::string_view to_string(ErrorCode code) noexcept;

class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

}  // namespace heliodor::base

namespace heliodor {
using base::Error;
using base::ErrorCode;
}  // namespace heliodor
