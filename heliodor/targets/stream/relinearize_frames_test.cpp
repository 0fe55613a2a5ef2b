// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/relinearize_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "heliodor/base/error.h"

namespace heliodor::stream {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint64_t kModulus = 1073692673;  // 0x3fff4001, with mu 0x4000c001
constexpr std::uint64_t kRoot = 236231;

void expect_out_of_range(const std::function<void()>& call, const char* text) {
  try {
    call();
    ADD_FAILURE() << "no error: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_range);
    EXPECT_THAT(error.what(), HasSubstr(text));
  }
}

TEST(RelinearizeFramesTest, a_profile_frame_has_two_words_for_each_limb) {
  const RelinearizeProfile profile = make_relinearize_profile(kModulus, kRoot);
  EXPECT_EQ(profile.mu, 0x4000c001U);
  const RelinearizeProfile profiles[] = {profile, profile};
  EXPECT_THAT(pack_relinearize_profiles({12, 2, 5}, profiles),
              ElementsAre(0x5243'5054'5243'5054, 0x0000'000c'0000'000c, 0x0000'0002'0000'0005,
                          0x4000'c001'3fff'4001, 0x0003'9ac7'0003'9ac7, 0x4000'c001'3fff'4001,
                          0x0003'9ac7'0003'9ac7));
}

TEST(RelinearizeFramesTest, numbers_outside_of_their_bounds_are_named) {
  expect_out_of_range([] { make_relinearize_profile(1 << 29, 1); }, "modulus 536870912");
  expect_out_of_range([] { make_relinearize_profile((1 << 29) + 2, 1); }, "536870914 is even");
  expect_out_of_range([] { make_relinearize_profile(kModulus, kModulus); }, "root 1073692673");
  expect_out_of_range(
      [] {
        check_shape(RelinearizeShape{2, 2, 1});
      },
      "log2 of the degree 2 is not in [3, 12]");
  expect_out_of_range([] { check_shape(RelinearizeShape{13, 2, 1}); }, "log2 of the degree 13");
  expect_out_of_range(
      [] {
        check_shape(RelinearizeShape{3, 1, 1});
      },
      "limb count 1 is not in [2, 16]");
  expect_out_of_range([] { check_shape(RelinearizeShape{3, 17, 1}); }, "limb count 17");
  expect_out_of_range(
      [] {
        check_shape(RelinearizeShape{12, 13, 1});
      },
      "53248 is not in [1, 49152]");
  expect_out_of_range([] { check_shape(RelinearizeShape{3, 2, 0}); }, "batch 0 is not in [1, 64]");
  expect_out_of_range([] { check_shape(RelinearizeShape{3, 2, 65}); }, "batch 65");
  EXPECT_NO_THROW(check_shape(RelinearizeShape{12, 12, 64}));
  EXPECT_NO_THROW(check_shape(RelinearizeShape{11, 16, 1}));
}

// Every limb is constant: 1000 * (its place) + its number.
struct ConstantInputs {
  std::vector<std::vector<std::uint64_t>> limbs;
  RelinearizeInputs inputs;

  explicit ConstantInputs(const RelinearizeShape& shape) {
    limbs.reserve(1000);
    const auto limb = [&](std::uint64_t value) -> Words {
      return limbs.emplace_back(shape.degree(), value);
    };
    for (std::uint64_t c = 0; c < shape.batch; ++c) {
      auto& of = inputs.parts.emplace_back();
      for (std::uint64_t i = 0; i < shape.limbs; ++i) {
        const std::uint64_t base = 1000 * c + 100 * i;
        of.push_back({limb(base), limb(base + 1), limb(base + 2), limb(base + 3)});
      }
    }
    for (std::uint64_t i = 0; i < shape.limbs; ++i) {
      inputs.key_b.emplace_back();
      inputs.key_a.emplace_back();
      for (std::uint64_t j = 0; j < shape.limbs; ++j) {
        inputs.key_b.back().push_back(limb(10'000 + 100 * i + 10 * j));
        inputs.key_a.back().push_back(limb(20'000 + 100 * i + 10 * j));
      }
    }
  }
};

TEST(RelinearizeFramesTest, a_group_frame_holds_products_of_c2_then_keys_then_products) {
  const RelinearizeShape shape{3, 2, 3};
  const ConstantInputs data(shape);
  const auto frame = pack_group_frame(shape, data.inputs, 0);
  ASSERT_EQ(frame.size(), shape.group_frame_words(0));
  EXPECT_EQ(frame[0], 0x5243'4752'5243'4752U);
  EXPECT_EQ(frame[1], pack_word(2, 0));
  // {b1, a1} of limb 0, ciphertexts 0 and 1 in turn; of limb 1 after 8 coefficients.
  EXPECT_EQ(frame[2], pack_word(3, 1));
  EXPECT_EQ(frame[3], pack_word(1003, 1001));
  EXPECT_EQ(frame[2 + 16], pack_word(103, 101));
  // Limb 0: digit 1's keys, then digit 0's with {b0, a0} and {b1, a1} of both.
  const std::size_t second = 2 + 32;
  EXPECT_EQ(frame[second], pack_word(20'010, 10'010));
  EXPECT_EQ(frame[second + 8], pack_word(20'000, 10'000));
  EXPECT_EQ(frame[second + 9], pack_word(2, 0));
  EXPECT_EQ(frame[second + 10], pack_word(3, 1));
  EXPECT_EQ(frame[second + 11], pack_word(1002, 1000));
  EXPECT_EQ(frame[second + 12], pack_word(1003, 1001));
  // Limb 1 has digit 0's keys first. The last ciphertext of three is alone.
  EXPECT_EQ(frame[second + 8 * 6], pack_word(20'100, 10'100));
  const auto alone = pack_group_frame(shape, data.inputs, 1);
  ASSERT_EQ(alone.size(), 2 + 2 * 8 * (2 + 3));
  EXPECT_EQ(alone[2], pack_word(2003, 2001));
  EXPECT_EQ(alone[3], pack_word(2003, 2001));
}

TEST(RelinearizeFramesTest, a_residue_that_fits_no_lane_becomes_one_that_the_core_refuses) {
  const RelinearizeShape shape{3, 2, 1};
  ConstantInputs data(shape);
  data.limbs[1][0] = std::uint64_t{1} << 40;  // a1 of limb 0
  EXPECT_EQ(pack_group_frame(shape, data.inputs, 0)[2], pack_word(3, 0xffff'ffff));
}

TEST(RelinearizeFramesTest, results_come_by_group_limb_coefficient_and_ciphertext) {
  const RelinearizeShape shape{3, 2, 3};
  std::vector<std::uint64_t> results(shape.result_words());
  ASSERT_EQ(results.size(), 48U);
  for (std::uint32_t i = 0; i < 48; ++i) results[i] = pack_word(100 + i, i);
  std::vector<std::uint64_t> words(8);
  unpack_relinearized(shape, results, 1, 1, 0, words);
  EXPECT_THAT(words, ElementsAre(17, 19, 21, 23, 25, 27, 29, 31));
  unpack_relinearized(shape, results, 2, 1, 1, words);
  EXPECT_THAT(words, ElementsAre(140, 141, 142, 143, 144, 145, 146, 147));
}

}  // namespace
}  // namespace heliodor::stream
