// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The frames of a scratchpad (frames.h): who lies where, and which to take next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "heliodor/program/limb_program.h"

namespace heliodor::machine::internal {

class FramePool {
 public:
  static constexpr program::ValueId kFree = 0xffffffff;

  /// `keeps_pairs`: whether pairs will be wanted, so that single frames should not break free ones.
  FramePool(std::uint32_t count, bool keeps_pairs) : frames_(count), keeps_pairs_(keeps_pairs) {}

  /// Frames up to the highest that was ever taken.
  std::uint32_t reach() const noexcept { return reach_; }
  program::ValueId occupant(std::uint32_t frame) const noexcept { return frames_[frame].occupant; }

  /// The first of `width` aligned frames: free for longest, else with the furthest next use of what
  /// lies there. Nothing if all are pinned. `next_use`: of a value, below the largest size_t.
  template <typename NextUse>
  std::optional<std::uint32_t> best(std::uint32_t width, const NextUse& next_use) const {
    constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
    std::optional<std::uint32_t> best;
    std::tuple<std::size_t, bool, std::size_t> best_rank;  // larger is better
    for (std::uint32_t first = 0; first + width <= frames_.size(); first += width) {
      std::size_t use = never, free_since = 0;
      bool pinned = false;
      for (std::uint32_t i = first; i < first + width; ++i) {
        const Frame& frame = frames_[i];
        pinned |= frame.pinned;
        if (frame.occupant != kFree && !pinned) use = std::min(use, next_use(frame.occupant));
        free_since = std::max(free_since, frame.free_since);
      }
      if (pinned) continue;
      const bool spares_pair = keeps_pairs_ && width == 1 && has_neighbour(first);
      const std::tuple rank(use, spares_pair, never - free_since);
      if (best && rank <= best_rank) continue;
      best = first;
      best_rank = rank;
    }
    return best;
  }

  /// Takes frames for a value; `pinned` until unpin_all().
  void take(std::uint32_t first, std::uint32_t width, program::ValueId value, bool pinned) {
    for (std::uint32_t i = first; i < first + width; ++i) {
      frames_[i].occupant = value;
      if (pinned) pin(i, 1);
    }
    reach_ = std::max(reach_, first + width);
  }

  void release(std::uint32_t first, std::uint32_t width, std::size_t time) {
    for (std::uint32_t i = first; i < first + width; ++i) {
      frames_[i].occupant = kFree;
      frames_[i].free_since = time;
    }
  }

  void pin(std::uint32_t first, std::uint32_t width) {
    for (std::uint32_t i = first; i < first + width; ++i) {
      frames_[i].pinned = true;
      pinned_.push_back(i);
    }
  }

  void unpin_all() {
    for (const std::uint32_t i : pinned_) frames_[i].pinned = false;
    pinned_.clear();
  }

 private:
  struct Frame {
    program::ValueId occupant = kFree;
    std::size_t free_since = 0;
    bool pinned = false;
  };

  bool has_neighbour(std::uint32_t frame) const {
    const std::uint32_t other = frame ^ 1;
    return other >= frames_.size() || frames_[other].occupant != kFree;
  }

  std::vector<Frame> frames_;
  bool keeps_pairs_;
  std::vector<std::uint32_t> pinned_;
  std::uint32_t reach_ = 0;
};

}  // namespace heliodor::machine::internal
