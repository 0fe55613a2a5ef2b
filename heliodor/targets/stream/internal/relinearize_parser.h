// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The input side of RelinearizeModel: reads the frames word by word, checks them, and says what
// each word is for. Twin of rtl/top/heliodor_relinearize_parser.sv.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "heliodor/targets/stream/relinearize_frames.h"
#include "heliodor/targets/stream/status_word.h"

namespace heliodor::stream::internal {

/// Clocks of the twiddle generator for the check of a root.
constexpr std::uint32_t root_check_clocks(std::uint32_t log_degree) { return 8 * log_degree; }

/// What a payload word is for.
enum class WordKind : std::uint8_t { fill, key, own, even, odd };

struct PayloadWord {
  WordKind kind = WordKind::fill;
  std::uint32_t limb = 0;
  std::uint32_t pass = 0;  ///< of key words: 0 is the first
  std::uint32_t slot = 0;
  std::uint32_t index = 0;
  bool single = false;  ///< the group has one ciphertext
  bool begins = false;  ///< a fill
  bool ends = false;    ///< a fill or a pass
  bool final = false;   ///< the session
  std::uint64_t data = 0;
};

class RelinearizeParser {
 public:
  /// What the parser sees of the rest of the core during one clock.
  struct View {
    bool valid = false;  ///< a word stands at the head of the input buffer
    std::uint64_t data = 0;
    bool last = false;
    bool quiet = false;  ///< nothing of a session is left inside
    bool pipeline_idle = false;
    bool page_free = false;
    bool result_ready = false;
    bool room = false;  ///< for a result
  };

  struct Action {
    bool take = false;  ///< the word leaves the input buffer
    std::optional<PayloadWord> word;
    bool clear = false;  ///< a group begins
    std::optional<Status> error;
  };

  /// One clock.
  Action clock(const View& view);

  // What stands on the parser's outputs, during a clock before clock() is called.
  bool running() const noexcept { return in_payload() || state_ == State::visit; }
  bool forward() const noexcept { return forward_seen_; }
  const RelinearizeShape& shape() const noexcept { return shape_; }
  const RelinearizeProfile& profile(std::uint32_t limb) const { return table_[limb]; }

 private:
  enum class State : std::uint8_t {
    fill,
    key,
    own,
    even,
    odd,
    visit,
    idle,
    failed,
    degree,
    shape,
    modulus,
    check_modulus,
    root,
    check_root,
    command,
    group,
  };

  bool in_payload() const noexcept { return state_ <= State::odd; }
  bool blocked(const View& view) const noexcept;
  Action fail(Reason reason, bool take = true);
  Action advance(State next);
  Action start_of_frame(const View& view);
  Action check();
  Action visit(const View& view);
  Action header_word(const View& view);
  Action payload_word(const View& view);
  std::optional<Reason> fault_of(std::uint64_t word) const;
  State next_of_header(std::uint64_t word);
  PayloadWord describe(std::uint64_t word) const;
  State step_payload();

  bool single() const noexcept { return shape_.group_size(group_) == 1; }
  bool last_slot() const noexcept { return slot_ == 1 || single(); }
  bool last_index() const noexcept { return index_ + 1 == shape_.degree(); }
  bool last_limb() const noexcept { return limb_ + 1 == shape_.limbs; }
  bool due() const noexcept {
    return state_ == State::odd && last_slot() && last_index() && last_limb();
  }

  State state_ = State::idle;
  std::uint32_t position_ = 0;  // of the next word in its frame
  RelinearizeShape shape_;
  std::array<RelinearizeProfile, kRelinearizeMaxLimbs> table_{};
  std::uint32_t check_clocks_ = 0;
  std::uint32_t group_ = 0;
  bool forward_ = false;       // second half of the group
  bool forward_seen_ = false;  // its first visit has begun
  std::uint32_t limb_ = 0, pass_ = 0, index_ = 0, slot_ = 0;
};

}  // namespace heliodor::stream::internal
