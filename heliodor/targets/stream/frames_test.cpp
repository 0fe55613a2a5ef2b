// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/frames.h"

#include <gtest/gtest.h>

#include "heliodor/base/error.h"
#include "heliodor/targets/stream/internal/session_data.h"
#include "heliodor/targets/stream/status_word.h"

namespace heliodor::stream {
namespace {

using internal::SessionData;

ErrorCode code_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::io;
}

TEST(FramesTest, profile_frame_is_the_documented_one) {
  const std::vector<Profile> profiles = {make_profile(1073692673, 1073668097),
                                         make_profile(1073643521, 1073692673)};
  const std::vector<std::uint64_t> frame = pack_profile_frame(profiles);
  ASSERT_EQ(frame.size(), 6U);
  EXPECT_EQ(frame[0], 0x524C5054524C5054U);
  EXPECT_EQ(frame[1], 0x0000000200000002U);
  EXPECT_EQ(frame[2], std::uint64_t{1073668097} << 32 | 1073692673);
  EXPECT_EQ(frame[3], 0x400120044000C001U) << "the published reciprocals";
  EXPECT_EQ(unpack_profile_frame(frame), profiles);
}

TEST(FramesTest, pair_frame_is_the_documented_one) {
  // N = 2, B = 2, D = 1: each word tells where it belongs.
  std::vector<std::vector<std::uint64_t>> limbs;
  for (std::uint64_t i = 0; i < 12; ++i) limbs.push_back({10 * i, 10 * i + 1});
  PairInputs inputs;
  for (LaneInputs& lane : inputs) {
    lane.parts = {{limbs[0], limbs[1], limbs[2], limbs[3]},
                  {limbs[4], limbs[5], limbs[6], limbs[7]}};
    lane.key_b = {limbs[8]};
    lane.key_a = {limbs[9]};
    lane.digits = {{limbs[10], limbs[11]}};
  }
  const std::vector<std::uint64_t> frame = pack_pair_frame({2, 3, 1, 2}, 1, inputs);
  std::vector<std::uint64_t> expected = {0x524C4D50524C4D50, 0x0000000100000002,
                                         0x0000000300000001};
  for (const std::uint64_t coefficient : {0U, 1U}) {
    for (std::uint64_t i = 0; i < 12; ++i) {
      expected.push_back((10 * i + coefficient) * 0x100000001);
    }
  }
  EXPECT_EQ(frame, expected);
}

TEST(FramesTest, frame_lengths_are_the_published_ones) {
  const SessionShape shape{4096, 6, 12, 64};
  EXPECT_EQ(shape.profile_frame_words(), 14U);
  EXPECT_EQ(8 * shape.pair_frame_words(), 34'340'888U);
  EXPECT_EQ(8 * shape.result_words(), 24U << 20);
}

TEST(FramesTest, unpacking_a_pair_frame_undoes_packing) {
  const SessionShape shape{5, 2, 3, 4};
  const SessionData data(shape, 3);
  for (std::uint32_t pair = 0; pair < 2; ++pair) {
    const std::vector<std::uint64_t> frame = data.pair_frame(pair);
    EXPECT_EQ(frame.size(), shape.pair_frame_words());
    const UnpackedPair unpacked = unpack_pair_frame(5, frame);
    EXPECT_EQ(unpacked.shape, shape);
    EXPECT_EQ(unpacked.pair, pair);
    PairInputs again;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const UnpackedLane& from = unpacked.lanes[lane];
      for (const auto& parts : from.parts) {
        again[lane].parts.push_back({parts[0], parts[1], parts[2], parts[3]});
      }
      for (const auto& slots : from.digits) {
        again[lane].digits.emplace_back(slots.begin(), slots.end());
      }
      again[lane].key_b.assign(from.key_b.begin(), from.key_b.end());
      again[lane].key_a.assign(from.key_a.begin(), from.key_a.end());
    }
    EXPECT_EQ(pack_pair_frame(shape, pair, again), frame);
  }
}

TEST(FramesTest, residues_too_large_for_a_lane_never_spill_into_the_other) {
  const std::vector<std::uint64_t> small = {7};
  const std::vector<std::uint64_t> large = {std::uint64_t{5} << 32 | 3};
  PairInputs inputs;
  for (LaneInputs& lane : inputs) {
    lane.parts = {{small, small, small, small}};
    lane.key_b = lane.key_a = {small};
    lane.digits = {{small}};
  }
  inputs[0].digits = {{large}};
  const std::vector<std::uint64_t> frame = pack_pair_frame({1, 1, 1, 1}, 0, inputs);
  EXPECT_EQ(frame.back(), 0x00000007FFFFFFFFU);
}

TEST(FramesTest, results_are_found_by_pair_slot_component_and_lane) {
  const SessionShape shape{3, 2, 1, 2};
  std::vector<std::uint64_t> results;
  for (std::uint32_t i = 0; i < shape.result_words(); ++i) results.push_back(pack_word(100 + i, i));
  std::vector<std::uint64_t> limb(3);
  unpack_result(shape, results, 1, 1, 0, 0, limb);
  EXPECT_EQ(limb, (std::vector<std::uint64_t>{14, 18, 22}));
  unpack_result(shape, results, 0, 0, 1, 1, limb);
  EXPECT_EQ(limb, (std::vector<std::uint64_t>{101, 105, 109}));
}

TEST(FramesTest, malformed_frames_are_refused) {
  const SessionData data({2, 2, 2, 2}, 4);
  const auto profiles = data.profile_frame();
  const auto pair = data.pair_frame(0);
  const auto profile_code = [&](std::size_t word, std::uint64_t value, std::size_t size) {
    auto frame = profiles;
    frame[word] = value;
    frame.resize(size);
    return code_of([&] { unpack_profile_frame(frame); });
  };
  EXPECT_EQ(profile_code(0, 0, 6), ErrorCode::malformed_file);
  EXPECT_EQ(profile_code(1, pack_word(2, 3), 6), ErrorCode::malformed_file);
  EXPECT_EQ(profile_code(1, pack_word(7, 7), 16), ErrorCode::malformed_file);
  EXPECT_EQ(profile_code(2, pack_word(1, 1), 6), ErrorCode::malformed_file);
  EXPECT_EQ(profile_code(3, profiles[3] + 1, 6), ErrorCode::malformed_file);
  EXPECT_EQ(profile_code(0, profiles[0], 5), ErrorCode::malformed_file);
  EXPECT_EQ(profile_code(0, profiles[0], 1), ErrorCode::malformed_file);
  const auto pair_code = [&](std::size_t word, std::uint64_t value, std::size_t size) {
    auto frame = pair;
    frame[word] = value;
    frame.resize(size);
    return code_of([&] { unpack_pair_frame(2, frame); });
  };
  EXPECT_EQ(pair_code(0, profiles[0], pair.size()), ErrorCode::malformed_file);
  EXPECT_EQ(pair_code(1, pack_word(17, 2), pair.size()), ErrorCode::malformed_file);
  EXPECT_EQ(pair_code(1, pack_word(2, 65), pair.size()), ErrorCode::malformed_file);
  EXPECT_EQ(pair_code(2, pack_word(2, 2), pair.size()), ErrorCode::malformed_file);
  EXPECT_EQ(pair_code(0, pair[0], pair.size() - 1), ErrorCode::malformed_file);
  EXPECT_EQ(pair_code(0, pair[0], 2), ErrorCode::malformed_file);
  EXPECT_EQ(pair_code(0, pair[0], pair.size() + 1), ErrorCode::malformed_file);
}

TEST(FramesTest, numbers_out_of_range_are_refused_by_name) {
  EXPECT_EQ(code_of([] { make_profile(1U << 29, 1073692673); }), ErrorCode::out_of_range);
  EXPECT_EQ(code_of([] { make_profile(1073692673, 1U << 30); }), ErrorCode::out_of_range);
  EXPECT_EQ(code_of([] { pack_profile_frame({}); }), ErrorCode::out_of_range);
  const SessionShape good{1, 1, 1, 1};
  EXPECT_NO_THROW(check_shape(good));
  for (const SessionShape& bad :
       {SessionShape{0, 1, 1, 1}, SessionShape{65537, 1, 1, 1}, SessionShape{1, 0, 1, 1},
        SessionShape{1, 7, 1, 1}, SessionShape{1, 1, 0, 1}, SessionShape{1, 1, 17, 1},
        SessionShape{1, 1, 1, 0}, SessionShape{1, 1, 1, 65}}) {
    EXPECT_EQ(code_of([&] { check_shape(bad); }), ErrorCode::out_of_range);
  }
}

TEST(StatusWordTest, decoding_undoes_encoding_and_no_result_is_a_status) {
  for (std::uint8_t reason = 1; reason <= 14; ++reason) {
    for (const bool before : {false, true}) {
      const Status status{static_cast<Reason>(reason), before, 5, 0xfedcba98};
      EXPECT_EQ(decode_status(encode_status(status)), status);
      EXPECT_EQ(to_string(status).find("unknown reason"), std::string::npos);
    }
  }
  EXPECT_FALSE(decode_status(pack_word((1U << 30) - 1, (1U << 30) - 1)));
  EXPECT_FALSE(decode_status(0));
  EXPECT_EQ(encode_status({Reason::operand, false, 3, 17}), 0x45520D0300000011U);
  EXPECT_EQ(to_string(Status{Reason::operand, false, 3, 17}),
            "pair 3, word 17: a residue is not below its modulus");
}

}  // namespace
}  // namespace heliodor::stream
