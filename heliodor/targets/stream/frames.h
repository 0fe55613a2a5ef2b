// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The frames of the session core rtl/top/heliodor_bv_session.sv: words of 64 bits, each the same
// position of two limbs. The limb in bits 31:0 is lane 0, the one in bits 63:32 is lane 1. A frame
// is what one transfer carries; its end is marked beside its last word (TLAST). The forms are those
// of the documented pynq_butterfly protocol.
//
//   RLPT  {tag, tag}; {P, P}; P times ({q1, q0}; {mu1, mu0})         mu = floor(2^60 / q)
//   RLMP  {tag, tag}; {D, B}; {P, pair}; then for each of N coefficients
//           a0, a1, b0, b1 for each of B slots,
//           key_b, key_a, one digit word for each of B slots, for each of D digits
//   results  for each pair, coefficient, slot: c0, c1; one end mark at the very end
//
// One RLPT and then P RLMP frames, pair 0 first, are a session. It computes, lane by lane,
//   c0 = a0*b0 + sum_j digit_j*key_b_j        c1 = a0*b1 + a1*b0 + sum_j digit_j*key_a_j   mod q.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heliodor::stream {

inline constexpr std::size_t kLanes = 2;
inline constexpr std::size_t kTensorParts = 4;  ///< a0, a1, b0, b1
inline constexpr unsigned kModulusBits = 30;    ///< of every modulus: 2^29 < q < 2^30

inline constexpr std::uint32_t kProfileTag = 0x524C5054;  ///< "RLPT"
inline constexpr std::uint32_t kPairTag = 0x524C4D50;     ///< "RLMP"

inline constexpr std::uint32_t kMaxPairs = 6;
inline constexpr std::uint32_t kMaxBatch = 64;
inline constexpr std::uint32_t kMaxDigits = 16;
inline constexpr std::uint32_t kMaxDegree = 1u << 16;

constexpr std::uint64_t pack_word(std::uint32_t lane1, std::uint32_t lane0) noexcept {
  return std::uint64_t{lane1} << 32 | lane0;
}
constexpr std::uint64_t command_word(std::uint32_t tag) noexcept { return pack_word(tag, tag); }

/// The moduli of one pair of limbs with their reciprocals, lane 0 first.
struct Profile {
  std::array<std::uint32_t, kLanes> q{};
  std::array<std::uint32_t, kLanes> mu{};

  bool operator==(const Profile&) const = default;
};

/// Throws Error{out_of_range} unless both moduli are in (2^29, 2^30).
Profile make_profile(std::uint64_t lane0, std::uint64_t lane1);

/// The numbers that fix the length of every frame of a session.
struct SessionShape {
  std::uint32_t degree = 0;  ///< N, in [1, kMaxDegree]; not in the frames, a setting of the core
  std::uint32_t pairs = 0;   ///< P, in [1, kMaxPairs]
  std::uint32_t digits = 0;  ///< D, in [1, kMaxDigits]
  std::uint32_t batch = 0;   ///< B, in [1, kMaxBatch]

  std::uint64_t words_per_coefficient() const noexcept {
    return kTensorParts * std::uint64_t{batch} + digits * (std::uint64_t{batch} + 2);
  }
  std::uint64_t profile_frame_words() const noexcept { return 2 + 2 * std::uint64_t{pairs}; }
  std::uint64_t pair_frame_words() const noexcept { return 3 + degree * words_per_coefficient(); }
  std::uint64_t result_words_per_pair() const noexcept { return 2 * std::uint64_t{batch} * degree; }
  std::uint64_t result_words() const noexcept { return pairs * result_words_per_pair(); }

  bool operator==(const SessionShape&) const = default;
};

/// Throws Error{out_of_range} naming the number that is outside of its bounds.
void check_shape(const SessionShape& shape);

using Words = std::span<const std::uint64_t>;  ///< one limb: N residues

/// What one lane of a pair frame carries. All limbs have N words.
struct LaneInputs {
  std::vector<std::array<Words, kTensorParts>> parts;  ///< by slot
  std::vector<std::vector<Words>> digits;              ///< by digit, then by slot
  std::vector<Words> key_b;                            ///< by digit
  std::vector<Words> key_a;                            ///< by digit
};
using PairInputs = std::array<LaneInputs, kLanes>;

/// The whole RLPT frame. Throws Error{out_of_range} unless there are 1 to kMaxPairs profiles.
std::vector<std::uint64_t> pack_profile_frame(std::span<const Profile> profiles);

/// The three words before the payload of an RLMP frame.
std::array<std::uint64_t, 3> pack_pair_header(const SessionShape& shape, std::uint32_t pair);

/// Appends the payload of the coefficients [first, end) to an RLMP frame. Residues that do not fit
/// a lane become 2^32 - 1, which the core refuses as it refuses every residue not below q. Requires
/// inputs of the shape's batch and digits.
void append_coefficients(const SessionShape& shape, const PairInputs& inputs, std::uint32_t first,
                         std::uint32_t end, std::vector<std::uint64_t>& frame);

/// A whole RLMP frame.
std::vector<std::uint64_t> pack_pair_frame(const SessionShape& shape, std::uint32_t pair,
                                           const PairInputs& inputs);

/// Throws Error{malformed_file} unless the words are an RLPT frame with reciprocals that belong to
/// its moduli.
std::vector<Profile> unpack_profile_frame(Words frame);

/// The payload of an RLMP frame as limbs, in the order of LaneInputs.
struct UnpackedLane {
  using Limb = std::vector<std::uint64_t>;
  std::vector<std::array<Limb, kTensorParts>> parts;
  std::vector<std::vector<Limb>> digits;
  std::vector<Limb> key_b;
  std::vector<Limb> key_a;
};
struct UnpackedPair {
  SessionShape shape;
  std::uint32_t pair = 0;
  std::array<UnpackedLane, kLanes> lanes;
};

/// Throws Error{malformed_file} unless the words are an RLMP frame of limbs of `degree` words.
UnpackedPair unpack_pair_frame(std::uint32_t degree, Words frame);

/// Writes one result (component 0 or 1) of a slot and lane of a pair. Requires
/// shape.result_words() results and N words of limb.
void unpack_result(const SessionShape& shape, Words results, std::uint32_t pair, std::uint32_t slot,
                   std::uint32_t component, std::uint32_t lane, std::span<std::uint64_t> limb);

}  // namespace heliodor::stream
