// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The word that ends a failed session in place of the results that are missing. It comes alone or
// after whole coefficients and carries the end mark.
//
//   63:48 0x4552 "ER"; results have zeros in bits 63:62, so none can be taken for a status
//   47:40 reason
//   39    1 before the profile table is complete, 0 in frames of data and between them
//   38:32 index of the profile, or of the pair or group whose frame it is or was due
//   31:0  index of the offending word in its frame, the command word being 0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace heliodor::stream {

inline constexpr std::uint32_t kStatusTag = 0x4552;  ///< "ER"

enum class Reason : std::uint8_t {
  unknown_command = 1,  ///< the first word of a frame is none of the core's commands
  short_frame = 2,      ///< the frame ends before its last word
  long_frame = 3,       ///< the frame does not end with its last word
  degree = 4,           ///< the degree is out of the core's range
  pair_count = 5,       ///< P is not in [1, 6], its halves differ, or it is not that of the table
  modulus = 6,          ///< a modulus is not in (2^29, 2^30)
  reciprocal = 7,       ///< not 2^60 - q < mu*q <= 2^60
  no_session = 8,       ///< a frame of data without a profile table
  digit_count = 9,      ///< D is not in [1, 16]
  batch = 10,           ///< B is not in [1, 64]
  shape_changed = 11,   ///< D or B differs from the session's first pair frame
  pair_order = 12,      ///< not the frame of the next pair
  operand = 13,         ///< a residue is not below its modulus
  restarted = 14,       ///< a profile frame before the session was complete; it begins the next one
  // Of the complete core alone.
  limb_count = 15,  ///< L is not in [2, 16], or L*N exceeds 49,152
  root = 16,        ///< psi is not below q, or psi^N is not -1
  group = 17,       ///< not the frame of the next group
};

struct Status {
  Reason reason = Reason::unknown_command;
  bool before_table = false;
  std::uint8_t index = 0;  ///< below 128
  std::uint32_t position = 0;

  bool operator==(const Status&) const = default;
};

std::uint64_t encode_status(const Status& status) noexcept;

/// Nothing for a word of results.
std::optional<Status> decode_status(std::uint64_t word) noexcept;

/// "pair 3, word 17: a residue is not below its modulus", where `frame` names what a frame of data
/// holds.
std::string to_string(const Status& status, const char* frame = "pair");

}  // namespace heliodor::stream
