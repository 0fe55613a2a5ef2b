// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/ciphertext.h"

#include <algorithm>
#include <utility>

namespace heliodor::rlwe {

LimbMatrix::LimbMatrix(std::size_t parts, std::size_t limb_count, std::uint64_t degree,
                       base::Fill fill)
    : arena_(parts * limb_count, degree, fill), parts_(parts), limb_count_(limb_count) {}

LimbMatrix::LimbMatrix(const LimbMatrix& other)
    : LimbMatrix(other.parts_, other.limb_count_, other.degree(), base::Fill::nothing) {
  for (std::size_t i = 0; i < parts_ * limb_count_; ++i) {
    std::ranges::copy(other.arena_.limb(i), arena_.limb(i).begin());
  }
}

LimbMatrix& LimbMatrix::operator=(const LimbMatrix& other) { return *this = LimbMatrix(other); }

LimbMatrix::LimbMatrix(LimbMatrix&& other) noexcept
    : arena_(std::move(other.arena_)),
      parts_(std::exchange(other.parts_, 0)),
      limb_count_(std::exchange(other.limb_count_, 0)) {}

LimbMatrix& LimbMatrix::operator=(LimbMatrix&& other) noexcept {
  arena_ = std::move(other.arena_);
  parts_ = std::exchange(other.parts_, 0);
  limb_count_ = std::exchange(other.limb_count_, 0);
  return *this;
}

bool LimbMatrix::operator==(const LimbMatrix& other) const noexcept {
  if (parts_ != other.parts_ || limb_count_ != other.limb_count_ || degree() != other.degree()) {
    return false;
  }
  for (std::size_t i = 0; i < parts_ * limb_count_; ++i) {
    if (!std::ranges::equal(arena_.limb(i), other.arena_.limb(i))) return false;
  }
  return true;
}

SecretLimbs& SecretLimbs::operator=(SecretLimbs&& other) noexcept {
  wipe();
  LimbMatrix::operator=(std::move(other));
  return *this;
}

}  // namespace heliodor::rlwe
