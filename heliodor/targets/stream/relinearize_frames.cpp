// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/relinearize_frames.h"

#include <fmt/format.h>

#include <algorithm>

#include "heliodor/base/error.h"

namespace heliodor::stream {
namespace {

constexpr std::uint64_t kHighestLaneWord = 0xffff'ffff;

void check_number(const char* what, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
  if (value >= least && value <= most) return;
  throw Error(ErrorCode::out_of_range,
              fmt::format("{} {} is not in [{}, {}]", what, value, least, most));
}

std::uint64_t word_of(std::uint64_t high, std::uint64_t low) {
  const auto lane = [](std::uint64_t residue) {
    return static_cast<std::uint32_t>(std::min(residue, kHighestLaneWord));
  };
  return pack_word(lane(high), lane(low));
}

}  // namespace

RelinearizeProfile make_relinearize_profile(std::uint64_t q, std::uint64_t psi) {
  const Profile both = make_profile(q, q);
  if (q % 2 == 0) throw Error(ErrorCode::out_of_range, fmt::format("modulus {} is even", q));
  if (psi >= q) {
    throw Error(ErrorCode::out_of_range, fmt::format("root {} is not below modulus {}", psi, q));
  }
  return {both.q[0], both.mu[0], static_cast<std::uint32_t>(psi)};
}

void check_shape(const RelinearizeShape& shape) {
  check_number("log2 of the degree", shape.log_degree, kRelinearizeMinLogDegree,
               kRelinearizeMaxLogDegree);
  check_number("limb count", shape.limbs, kRelinearizeMinLimbs, kRelinearizeMaxLimbs);
  check_number("limb count times degree", std::uint64_t{shape.limbs} * shape.degree(), 1,
               kDigitRows * kRowWords);
  check_number("batch", shape.batch, 1, kMaxBatch);
}

std::vector<std::uint64_t> pack_relinearize_profiles(const RelinearizeShape& shape,
                                                     std::span<const RelinearizeProfile> profiles) {
  check_shape(shape);
  std::vector<std::uint64_t> frame = {command_word(kRelinearizeProfileTag),
                                      pack_word(shape.log_degree, shape.log_degree),
                                      pack_word(shape.limbs, shape.batch)};
  for (const RelinearizeProfile& profile : profiles) {
    frame.push_back(pack_word(profile.mu, profile.q));
    frame.push_back(pack_word(profile.psi, profile.psi));
  }
  return frame;
}

std::array<std::uint64_t, 2> pack_group_header(const RelinearizeShape& shape, std::uint32_t group) {
  return {command_word(kRelinearizeGroupTag), pack_word(shape.groups(), group)};
}

void append_digit_words(const RelinearizeShape& shape, const RelinearizeInputs& inputs,
                        std::uint32_t group, std::uint32_t limb,
                        std::vector<std::uint64_t>& frame) {
  const std::uint32_t size = shape.group_size(group);
  for (std::uint32_t k = 0; k < shape.degree(); ++k) {
    for (std::uint32_t slot = 0; slot < size; ++slot) {
      const auto& parts = inputs.parts[kGroupSize * group + slot][limb];
      frame.push_back(word_of(parts[3][k], parts[1][k]));
    }
  }
}

void append_product_words(const RelinearizeShape& shape, const RelinearizeInputs& inputs,
                          std::uint32_t group, std::uint32_t limb,
                          std::vector<std::uint64_t>& frame) {
  const std::uint32_t size = shape.group_size(group);
  const auto key_word = [&](std::uint32_t digit, std::uint32_t k) {
    return word_of(inputs.key_a[limb][digit][k], inputs.key_b[limb][digit][k]);
  };
  for (std::uint32_t digit = 0; digit < shape.limbs; ++digit) {
    if (digit == limb) continue;
    for (std::uint32_t k = 0; k < shape.degree(); ++k) frame.push_back(key_word(digit, k));
  }
  for (std::uint32_t k = 0; k < shape.degree(); ++k) {
    frame.push_back(key_word(limb, k));
    for (std::uint32_t slot = 0; slot < size; ++slot) {
      const auto& parts = inputs.parts[kGroupSize * group + slot][limb];
      frame.push_back(word_of(parts[2][k], parts[0][k]));
      frame.push_back(word_of(parts[3][k], parts[1][k]));
    }
  }
}

std::vector<std::uint64_t> pack_group_frame(const RelinearizeShape& shape,
                                            const RelinearizeInputs& inputs, std::uint32_t group) {
  check_shape(shape);
  const auto header = pack_group_header(shape, group);
  std::vector<std::uint64_t> frame(header.begin(), header.end());
  for (std::uint32_t limb = 0; limb < shape.limbs; ++limb) {
    append_digit_words(shape, inputs, group, limb, frame);
  }
  for (std::uint32_t limb = 0; limb < shape.limbs; ++limb) {
    append_product_words(shape, inputs, group, limb, frame);
  }
  return frame;
}

void unpack_relinearized(const RelinearizeShape& shape, Words results, std::uint32_t ciphertext,
                         std::uint32_t limb, std::uint32_t component,
                         std::span<std::uint64_t> words) {
  const std::uint64_t group = ciphertext / kGroupSize;
  const std::uint64_t size = shape.group_size(static_cast<std::uint32_t>(group));
  const std::uint64_t first =
      (group * kGroupSize * shape.limbs + limb * size) * shape.degree() + ciphertext % kGroupSize;
  for (std::uint64_t k = 0; k < shape.degree(); ++k) {
    words[k] = static_cast<std::uint32_t>(results[first + k * size] >> (32 * component));
  }
}

}  // namespace heliodor::stream
