// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ciphertext: parts c_0 .. c_{k-1} of limb_count limbs, in evaluations, whose phase is
// c_0 + c_1*s + c_2*s^2. Schemes add what they track beside it (scale, plaintext factor).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/base/limb_arena.h"
#include "heliodor/rlwe/noise_bound.h"

namespace heliodor::rlwe {

/// Limbs of several polynomials over the same moduli: limb (part, i) is modulo modulus i.
class LimbMatrix {
 public:
  LimbMatrix() = default;
  /// Throws as LimbArena does.
  LimbMatrix(std::size_t parts, std::size_t limb_count, std::uint64_t degree,
             base::Fill fill = base::Fill::zeros);
  LimbMatrix(const LimbMatrix& other);
  LimbMatrix& operator=(const LimbMatrix& other);
  /// A moved-from matrix has no parts.
  LimbMatrix(LimbMatrix&& other) noexcept;
  LimbMatrix& operator=(LimbMatrix&& other) noexcept;

  std::size_t parts() const noexcept { return parts_; }
  std::size_t limb_count() const noexcept { return limb_count_; }
  std::uint64_t degree() const noexcept { return arena_.words(); }

  /// Requires part < parts(), i < limb_count().
  std::span<std::uint64_t> limb(std::size_t part, std::size_t i) noexcept {
    return arena_.limb(part * limb_count_ + i);
  }
  std::span<const std::uint64_t> limb(std::size_t part, std::size_t i) const noexcept {
    return arena_.limb(part * limb_count_ + i);
  }
  void wipe() noexcept { arena_.wipe(); }

  /// Sizes and all words.
  bool operator==(const LimbMatrix& other) const noexcept;

 private:
  base::LimbArena arena_;
  std::size_t parts_ = 0;
  std::size_t limb_count_ = 0;
};

/// A LimbMatrix that is zeroed when it dies or is assigned over; movable only.
class SecretLimbs : public LimbMatrix {
 public:
  SecretLimbs() = default;
  using LimbMatrix::LimbMatrix;
  ~SecretLimbs() { wipe(); }
  SecretLimbs(SecretLimbs&&) noexcept = default;
  SecretLimbs& operator=(SecretLimbs&& other) noexcept;
};

struct Ciphertext {
  LimbMatrix limbs;  ///< parts x limb_count, evaluations, moduli q_0 .. q_{limb_count-1}
  Bounds bounds;

  std::size_t parts() const noexcept { return limbs.parts(); }
  std::size_t limb_count() const noexcept { return limbs.limb_count(); }
};

}  // namespace heliodor::rlwe
