// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// SessionShape's checks; packing and unpacking share the order of for_each_payload_word.
#include "heliodor/targets/stream/frames.h"

#include <fmt/format.h>

#include <algorithm>

#include "heliodor/base/error.h"

namespace heliodor::stream {
namespace {

constexpr std::uint64_t kLowModulus = std::uint64_t{1} << (kModulusBits - 1);
constexpr std::uint64_t kReciprocalOf = std::uint64_t{1} << (2 * kModulusBits);
constexpr std::uint64_t kHighestLaneWord = 0xffff'ffff;

void check_number(const char* what, std::uint64_t value, std::uint64_t most) {
  if (value >= 1 && value <= most) return;
  throw Error(ErrorCode::out_of_range, fmt::format("{} {} is not in [1, {}]", what, value, most));
}

std::uint32_t lane_of(std::uint64_t word, std::size_t lane) {
  return static_cast<std::uint32_t>(word >> (32 * lane));
}

std::uint32_t to_lane(std::uint64_t residue) {
  return static_cast<std::uint32_t>(std::min(residue, kHighestLaneWord));
}

[[noreturn]] void malformed(const std::string& what) {
  throw Error(ErrorCode::malformed_file, what);
}

void check_command(Words frame, std::uint32_t tag, const char* name) {
  if (!frame.empty() && frame[0] == command_word(tag)) return;
  malformed(fmt::format("the frame does not begin with {}", name));
}

/// visit(role) for every payload word of one coefficient in stream order, where role(lane) yields
/// the limb that the word belongs to.
template <typename Pair, typename Visit>
void for_each_payload_word(const SessionShape& shape, Pair& lanes, Visit visit) {
  for (std::uint32_t slot = 0; slot < shape.batch; ++slot) {
    for (std::size_t part = 0; part < kTensorParts; ++part) {
      visit([&](std::size_t lane) -> auto& { return lanes[lane].parts[slot][part]; });
    }
  }
  for (std::uint32_t digit = 0; digit < shape.digits; ++digit) {
    visit([&](std::size_t lane) -> auto& { return lanes[lane].key_b[digit]; });
    visit([&](std::size_t lane) -> auto& { return lanes[lane].key_a[digit]; });
    for (std::uint32_t slot = 0; slot < shape.batch; ++slot) {
      visit([&](std::size_t lane) -> auto& { return lanes[lane].digits[digit][slot]; });
    }
  }
}

UnpackedLane empty_lane(const SessionShape& shape) {
  const std::vector<std::uint64_t> limb(shape.degree);
  UnpackedLane lane;
  lane.parts.assign(shape.batch, {limb, limb, limb, limb});
  lane.digits.assign(shape.digits, std::vector(shape.batch, limb));
  lane.key_b.assign(shape.digits, limb);
  lane.key_a.assign(shape.digits, limb);
  return lane;
}

}  // namespace

Profile make_profile(std::uint64_t lane0, std::uint64_t lane1) {
  Profile profile;
  const std::array<std::uint64_t, kLanes> moduli = {lane0, lane1};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t q = moduli[lane];
    if (q <= kLowModulus || q >= 2 * kLowModulus) {
      throw Error(ErrorCode::out_of_range, fmt::format("modulus {} is not in (2^{}, 2^{})", q,
                                                       kModulusBits - 1, kModulusBits));
    }
    profile.q[lane] = static_cast<std::uint32_t>(q);
    profile.mu[lane] = static_cast<std::uint32_t>(kReciprocalOf / q);
  }
  return profile;
}

void check_shape(const SessionShape& shape) {
  check_number("degree", shape.degree, kMaxDegree);
  check_number("pair count", shape.pairs, kMaxPairs);
  check_number("digit count", shape.digits, kMaxDigits);
  check_number("batch", shape.batch, kMaxBatch);
}

std::vector<std::uint64_t> pack_profile_frame(std::span<const Profile> profiles) {
  check_number("pair count", profiles.size(), kMaxPairs);
  const auto count = static_cast<std::uint32_t>(profiles.size());
  std::vector<std::uint64_t> frame = {command_word(kProfileTag), pack_word(count, count)};
  for (const Profile& profile : profiles) {
    frame.push_back(pack_word(profile.q[1], profile.q[0]));
    frame.push_back(pack_word(profile.mu[1], profile.mu[0]));
  }
  return frame;
}

std::array<std::uint64_t, 3> pack_pair_header(const SessionShape& shape, std::uint32_t pair) {
  return {command_word(kPairTag), pack_word(shape.digits, shape.batch),
          pack_word(shape.pairs, pair)};
}

void append_coefficients(const SessionShape& shape, const PairInputs& inputs, std::uint32_t first,
                         std::uint32_t end, std::vector<std::uint64_t>& frame) {
  for (std::uint32_t i = first; i < end; ++i) {
    for_each_payload_word(shape, inputs, [&](const auto& limb_of) {
      frame.push_back(pack_word(to_lane(limb_of(1)[i]), to_lane(limb_of(0)[i])));
    });
  }
}

std::vector<std::uint64_t> pack_pair_frame(const SessionShape& shape, std::uint32_t pair,
                                           const PairInputs& inputs) {
  check_shape(shape);
  std::vector<std::uint64_t> frame;
  frame.reserve(shape.pair_frame_words());
  const auto header = pack_pair_header(shape, pair);
  frame.assign(header.begin(), header.end());
  append_coefficients(shape, inputs, 0, shape.degree, frame);
  return frame;
}

std::vector<Profile> unpack_profile_frame(Words frame) {
  check_command(frame, kProfileTag, "RLPT");
  const std::uint64_t count = frame.size() < 2 ? 0 : lane_of(frame[1], 0);
  if (count < 1 || count > kMaxPairs || lane_of(frame[1], 1) != count) {
    malformed("the RLPT frame has no valid pair count");
  }
  if (frame.size() != 2 + 2 * count) {
    malformed(fmt::format("an RLPT frame of {} pairs has {} words, not {}", count, 2 + 2 * count,
                          frame.size()));
  }
  std::vector<Profile> profiles;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t q = frame[2 + 2 * i];
    Profile profile;
    try {
      profile = make_profile(lane_of(q, 0), lane_of(q, 1));
    } catch (const Error& error) {
      malformed(fmt::format("profile {}: {}", i, error.what()));
    }
    if (frame[3 + 2 * i] != pack_word(profile.mu[1], profile.mu[0])) {
      malformed(fmt::format("profile {}: a reciprocal does not belong to its modulus", i));
    }
    profiles.push_back(profile);
  }
  return profiles;
}

UnpackedPair unpack_pair_frame(std::uint32_t degree, Words frame) {
  check_command(frame, kPairTag, "RLMP");
  if (frame.size() < 3) malformed("the RLMP frame ends within its header");
  UnpackedPair result;
  result.shape = {degree, lane_of(frame[2], 1), lane_of(frame[1], 1), lane_of(frame[1], 0)};
  result.pair = lane_of(frame[2], 0);
  try {
    check_shape(result.shape);
  } catch (const Error& error) {
    malformed(fmt::format("RLMP header: {}", error.what()));
  }
  if (result.pair >= result.shape.pairs) {
    malformed(fmt::format("pair {} of {}", result.pair, result.shape.pairs));
  }
  if (frame.size() != result.shape.pair_frame_words()) {
    malformed(fmt::format("the RLMP frame has {} words instead of {}", frame.size(),
                          result.shape.pair_frame_words()));
  }
  for (UnpackedLane& lane : result.lanes) lane = empty_lane(result.shape);
  std::size_t next = 3;
  for (std::uint32_t i = 0; i < degree; ++i) {
    for_each_payload_word(result.shape, result.lanes, [&](const auto& limb_of) {
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        limb_of(lane)[i] = lane_of(frame[next], lane);
      ++next;
    });
  }
  return result;
}

void unpack_result(const SessionShape& shape, Words results, std::uint32_t pair, std::uint32_t slot,
                   std::uint32_t component, std::uint32_t lane, std::span<std::uint64_t> limb) {
  const Words of_pair = results.subspan(pair * shape.result_words_per_pair());
  for (std::uint64_t i = 0; i < shape.degree; ++i) {
    limb[i] = lane_of(of_pair[2 * (i * shape.batch + slot) + component], lane);
  }
}

}  // namespace heliodor::stream
