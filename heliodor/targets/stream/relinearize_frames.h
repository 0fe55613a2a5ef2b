// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The frames of the complete core rtl/top/heliodor_bv_relinearize.sv: words of 64 bits, {high, low}
// of 32 each. A number that stands alone stands in both halves. A frame's end is marked beside its
// last word.
//
//   RCPT  {tag, tag}; {log2 N, log2 N}; {L, B}; for each of L limbs {mu, q}, {psi, psi}
//   RCGR  {tag, tag}; {G, group}; then
//         for each limb j:  {b1, a1} for each coefficient, for each ciphertext of the group
//         for each limb i:  for each other limb j, ascending, for each coefficient
//                             {key_a, key_b} of digit j in limb i
//                           then for each coefficient {key_a, key_b} of digit i in limb i, and for
//                             each ciphertext of the group {b0, a0}, {b1, a1}
//   results  for each group, limb, coefficient, ciphertext {c1, c0}; one end mark at the very end
//
// One RCPT and then G = ceil(B/2) RCGR frames, group 0 first, are a session. Ciphertexts 2g and
// 2g + 1 are group g; with an odd B the last one is alone. mu = floor(2^60 / q), psi^N = -1 mod q.
// All limbs are evaluations, slot k being the value at psi^(2*bitrev(k) + 1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/targets/stream/frames.h"

namespace heliodor::stream {

inline constexpr std::uint32_t kRelinearizeProfileTag = 0x52435054;  ///< "RCPT"
inline constexpr std::uint32_t kRelinearizeGroupTag = 0x52434752;    ///< "RCGR"

inline constexpr std::uint32_t kRelinearizeMinLogDegree = 3;
inline constexpr std::uint32_t kRelinearizeMaxLogDegree = 12;
inline constexpr std::uint32_t kRelinearizeMinLimbs = 2;
inline constexpr std::uint32_t kRelinearizeMaxLimbs = 16;
inline constexpr std::uint32_t kGroupSize = 2;     ///< ciphertexts of a full group
inline constexpr std::uint32_t kDigitRows = 6144;  ///< of kRowWords words
inline constexpr std::uint32_t kRowWords = 8;

/// The modulus of a limb with what the core needs of it.
struct RelinearizeProfile {
  std::uint32_t q = 0;
  std::uint32_t mu = 0;
  std::uint32_t psi = 0;

  bool operator==(const RelinearizeProfile&) const = default;
};

/// Throws Error{out_of_range} unless q is odd and in (2^29, 2^30) and psi is below q.
RelinearizeProfile make_relinearize_profile(std::uint64_t q, std::uint64_t psi);

/// The numbers that fix the length of every frame of a session.
struct RelinearizeShape {
  std::uint32_t log_degree = 0;  ///< log2 N
  std::uint32_t limbs = 0;       ///< L
  std::uint32_t batch = 0;       ///< B, in [1, kMaxBatch]

  std::uint32_t degree() const noexcept { return std::uint32_t{1} << log_degree; }
  std::uint32_t groups() const noexcept { return (batch + kGroupSize - 1) / kGroupSize; }
  /// Ciphertexts of a group: 2, or 1 in the last one of an odd batch.
  std::uint32_t group_size(std::uint32_t group) const noexcept {
    return group + 1 == groups() && batch % kGroupSize == 1 ? 1 : kGroupSize;
  }
  std::uint64_t profile_frame_words() const noexcept { return 3 + 2 * std::uint64_t{limbs}; }
  std::uint64_t group_frame_words(std::uint32_t group) const noexcept {
    return 2 + std::uint64_t{limbs} * degree() * (limbs + 3 * std::uint64_t{group_size(group)});
  }
  std::uint64_t result_words() const noexcept { return std::uint64_t{batch} * limbs * degree(); }

  bool operator==(const RelinearizeShape&) const = default;
};

/// Throws Error{out_of_range} naming the number that is outside of its bounds, the product of limbs
/// and degree among them.
void check_shape(const RelinearizeShape& shape);

/// What a session computes with: all limbs have N words.
struct RelinearizeInputs {
  std::vector<std::vector<std::array<Words, kTensorParts>>> parts;  ///< by ciphertext, by limb
  std::vector<std::vector<Words>> key_b, key_a;                     ///< by limb, by digit
};

/// The whole RCPT frame. Requires one profile for each limb of the shape.
std::vector<std::uint64_t> pack_relinearize_profiles(const RelinearizeShape& shape,
                                                     std::span<const RelinearizeProfile> profiles);

/// The two words before the payload of an RCGR frame.
std::array<std::uint64_t, 2> pack_group_header(const RelinearizeShape& shape, std::uint32_t group);

/// Appends one limb's part of the first half of an RCGR frame, or of the second. Residues that do
/// not fit a lane become 2^32 - 1, which the core refuses. Requires inputs of the shape.
void append_digit_words(const RelinearizeShape& shape, const RelinearizeInputs& inputs,
                        std::uint32_t group, std::uint32_t limb, std::vector<std::uint64_t>& frame);
void append_product_words(const RelinearizeShape& shape, const RelinearizeInputs& inputs,
                          std::uint32_t group, std::uint32_t limb,
                          std::vector<std::uint64_t>& frame);

/// A whole RCGR frame.
std::vector<std::uint64_t> pack_group_frame(const RelinearizeShape& shape,
                                            const RelinearizeInputs& inputs, std::uint32_t group);

/// Writes one result (component 0 or 1) of a ciphertext and limb. Requires shape.result_words()
/// results and N words of `words`.
void unpack_relinearized(const RelinearizeShape& shape, Words results, std::uint32_t ciphertext,
                         std::uint32_t limb, std::uint32_t component,
                         std::span<std::uint64_t> words);

}  // namespace heliodor::stream
