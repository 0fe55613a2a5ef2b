// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Random sessions for tests: frames, and the results that plain division says they have.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "heliodor/targets/stream/frames.h"

namespace heliodor::stream::internal {

/// A word with the end mark beside it.
struct StreamWord {
  std::uint64_t data = 0;
  bool last = false;

  bool operator==(const StreamWord&) const = default;
};
using StreamWords = std::vector<StreamWord>;

/// Every residue of every slot, limb and lane is drawn on its own; 0, 1 and q - 1 are frequent.
class SessionData {
 public:
  SessionData(const SessionShape& shape, std::uint64_t seed);

  const SessionShape& shape() const noexcept { return shape_; }
  std::vector<std::uint64_t> profile_frame() const { return pack_profile_frame(profiles_); }
  std::vector<std::uint64_t> pair_frame(std::uint32_t pair) const;
  /// The profile frame and all pair frames.
  std::vector<std::vector<std::uint64_t>> frames() const;
  /// The words of results in stream order.
  std::vector<std::uint64_t> expected() const;

 private:
  std::uint32_t expected_lane(std::uint32_t pair, std::uint32_t coefficient, std::uint32_t slot,
                              std::size_t component, std::size_t lane) const;

  SessionShape shape_;
  std::vector<Profile> profiles_;
  std::vector<std::array<UnpackedLane, kLanes>> pairs_;
};

/// Frames one after the other, an end mark with the last word of each.
StreamWords to_stream(const std::vector<std::vector<std::uint64_t>>& frames);
/// Results with the end mark of a whole session.
StreamWords to_results(const std::vector<std::uint64_t>& words);

/// The first place where results differ, in the words of the computation: "pair 0, coefficient 3,
/// slot 5, c1, lane 1: 12 instead of 34". Empty if there is none.
std::string first_difference(const SessionShape& shape, const StreamWords& expected,
                             const StreamWords& actual);

}  // namespace heliodor::stream::internal
