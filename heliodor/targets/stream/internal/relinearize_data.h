// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Random sessions of the complete core for tests: frames, and the results that ring::reference says
// they have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heliodor/ring/modulus.h"
#include "heliodor/targets/stream/internal/session_data.h"
#include "heliodor/targets/stream/relinearize_frames.h"

namespace heliodor::stream::internal {

/// Every residue of every ciphertext and key is drawn on its own. Moduli come from both ends of the
/// range. The digits of ciphertext 0 hold 0, 1, q/2, q/2 + 1 and q - 1.
class RelinearizeData {
 public:
  using Limb = std::vector<std::uint64_t>;
  using Components = std::array<Limb, 2>;  ///< c0, c1

  RelinearizeData(const RelinearizeShape& shape, std::uint64_t seed);

  const RelinearizeShape& shape() const noexcept { return shape_; }
  const std::vector<ring::Modulus>& moduli() const noexcept { return moduli_; }
  std::vector<RelinearizeProfile> profiles() const;
  RelinearizeInputs inputs() const;
  /// The profile frame and all group frames.
  std::vector<std::vector<std::uint64_t>> frames() const;
  Components expected_limb(std::size_t ciphertext, std::size_t limb) const;
  /// The words of results in stream order.
  std::vector<std::uint64_t> expected() const;

 private:
  Limb draw(std::size_t limb);

  RelinearizeShape shape_;
  std::mt19937_64 random_;
  std::vector<ring::Modulus> moduli_;
  std::vector<std::vector<std::array<Limb, kTensorParts>>> parts_;  // by ciphertext, by limb
  std::vector<std::vector<Limb>> key_b_, key_a_;                    // by limb, by digit
};

/// The first place where results differ: "ciphertext 3, limb 1, coefficient 5, c1: 12 instead of
/// 34". Empty if there is none.
std::string first_difference(const RelinearizeShape& shape, const StreamWords& expected,
                             const StreamWords& actual);

}  // namespace heliodor::stream::internal
