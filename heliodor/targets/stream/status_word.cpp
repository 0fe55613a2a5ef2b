// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The texts of Reason stand here once; frames and core speak in codes.
#include "heliodor/targets/stream/status_word.h"

#include <fmt/format.h>

namespace heliodor::stream {
namespace {

const char* text_of(Reason reason) {
  switch (reason) {
    case Reason::unknown_command:
      return "a frame begins with no command of this core";
    case Reason::short_frame:
      return "the frame ends too early";
    case Reason::long_frame:
      return "the frame does not end where it should";
    case Reason::degree:
      return "the degree is out of range";
    case Reason::pair_count:
      return "the pair count is out of range or not that of the table";
    case Reason::modulus:
      return "a modulus is out of range";
    case Reason::reciprocal:
      return "a reciprocal does not belong to its modulus";
    case Reason::no_session:
      return "a frame of data without a profile table";
    case Reason::digit_count:
      return "the digit count is out of range";
    case Reason::batch:
      return "the batch is out of range";
    case Reason::shape_changed:
      return "digit count or batch changed within the session";
    case Reason::pair_order:
      return "this pair is not the next one";
    case Reason::operand:
      return "a residue is not below its modulus";
    case Reason::restarted:
      return "a profile frame came before the session was complete";
    case Reason::limb_count:
      return "the limb count is out of range, or limbs of that degree are too many";
    case Reason::root:
      return "a root is not one of order 2N";
    case Reason::group:
      return "this group is not the next one";
  }
  return "unknown reason";
}

}  // namespace

std::uint64_t encode_status(const Status& status) noexcept {
  return std::uint64_t{kStatusTag} << 48 | static_cast<std::uint64_t>(status.reason) << 40 |
         std::uint64_t{status.before_table} << 39 | std::uint64_t{status.index & 0x7fU} << 32 |
         status.position;
}

std::optional<Status> decode_status(std::uint64_t word) noexcept {
  if (word >> 48 != kStatusTag) return std::nullopt;
  return Status{.reason = static_cast<Reason>(word >> 40 & 0xff),
                .before_table = (word >> 39 & 1) != 0,
                .index = static_cast<std::uint8_t>(word >> 32 & 0x7f),
                .position = static_cast<std::uint32_t>(word)};
}

std::string to_string(const Status& status, const char* frame) {
  return fmt::format("{} {}, word {}: {}", status.before_table ? "profile" : frame, status.index,
                     status.position, text_of(status.reason));
}

}  // namespace heliodor::stream
