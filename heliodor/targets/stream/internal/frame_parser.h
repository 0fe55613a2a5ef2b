// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The input side of SessionModel: reads the frames word by word, checks them, and says what each
// word means. Twin of rtl/top/heliodor_session_parser.sv and heliodor_session_payload.sv.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "heliodor/targets/stream/frames.h"
#include "heliodor/targets/stream/status_word.h"

namespace heliodor::stream::internal {

/// Products to start: acc0 += left0 * factor and acc1 += left1 * factor, lane by lane.
struct Issue {
  bool valid = false;
  bool into0 = false;  ///< acc0 takes part; acc1 always does
  bool first = false;  ///< the accumulators take the products instead of adding them
  bool bank = false;
  bool complete = false;  ///< the coefficient's last products
  std::uint32_t slot = 0;
  std::uint64_t left0 = 0, left1 = 0, factor = 0;
  Profile profile;
};

class FrameParser {
 public:
  /// What the parser sees of the rest of the core during one clock.
  struct View {
    bool valid = false;  ///< a word stands at the head of the input buffer
    std::uint64_t data = 0;
    bool last = false;
    std::uint32_t degree = 0;
    std::array<bool, 2> occupied{};  ///< banks that hold a complete coefficient
    bool quiet = false;              ///< nothing is in flight, complete or pending
  };

  struct Action {
    bool take = false;  ///< the word leaves the input buffer
    Issue issue;
    bool commit = false;  ///< the word completes the coefficient in issue.bank
    bool final = false;   ///< and the session
    std::optional<Status> error;
  };

  /// One clock.
  Action clock(const View& view);

  std::uint32_t batch() const noexcept { return batch_; }

 private:
  enum class State : std::uint8_t {
    idle,
    failed,
    count,
    modulus,
    reciprocal,
    check,
    command,
    shape,
    pair,
    payload,
  };
  enum class Role : std::uint8_t { a0, a1, b0, b1, key_b, key_a, digit };

  Action start_of_frame(const View& view);
  Action begin(const View& view);
  Action profile_word(const View& view);
  Action check_reciprocal();
  Action header_word(const View& view);
  Action payload_word(const View& view);

  Action fail(Reason reason, bool take = true);
  Action advance(State next);
  std::optional<Reason> pair_count_fault(std::uint64_t word) const;
  std::optional<Reason> shape_fault(std::uint64_t word) const;
  Issue issue(std::uint64_t word) const;
  void step_payload();
  bool last_slot() const noexcept { return slot_ + 1 == batch_; }
  bool coefficient_ends() const noexcept {
    return role_ == Role::digit && last_slot() && digit_ + 1 == digits_;
  }

  State state_ = State::idle;
  std::uint32_t position_ = 0;  // of the next word in its frame
  std::uint32_t degree_ = 0, pairs_ = 0, digits_ = 0, batch_ = 0;
  bool shape_known_ = false;
  std::uint32_t index_ = 0;  // of the profile being read, then of the next pair
  std::array<Profile, kMaxPairs> table_{};
  unsigned check_clocks_ = 0;

  Role role_ = Role::a0;
  std::uint32_t slot_ = 0, digit_ = 0, coefficient_ = 0;
  std::array<std::uint64_t, 2> held_{};  // a0, a1 or key_b, key_a
  bool bank_ = false;                    // that the coefficient at hand fills
};

}  // namespace heliodor::stream::internal
