// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// ProgramRing: the moduli of a program and where each stands, so that emitters speak of "limb i of
// Q" and not of indices. Order in the program: q_0 .. q_{l-1}, p_0 .. p_{k-1}, t_0 ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heliodor/program/builder.h"
#include "heliodor/ring/rns_base.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::rlwe {

/// Limbs of one polynomial, in the order of some base.
using Limbs = std::vector<program::ValueId>;

class ProgramRing {
 public:
  /// The first `limb_count` moduli of Q, the first `special_count` of P, and an auxiliary base T
  /// (may be empty). Throws Error{out_of_range} for counts beyond the parameters'.
  ProgramRing(const Parameters& parameters, std::size_t limb_count, std::size_t special_count = 0,
              std::span<const ring::Modulus> t = {});

  std::vector<ring::Modulus> moduli() const;  ///< for program::Builder

  const ring::RnsBase& q() const noexcept { return q_; }
  const ring::RnsBase& p() const;  ///< requires special_count > 0
  const ring::RnsBase& t() const;  ///< requires a T
  std::size_t limb_count() const noexcept { return q_.size(); }
  std::size_t special_count() const noexcept { return p_ ? p_->size() : 0; }
  std::size_t qp_size() const noexcept { return limb_count() + special_count(); }

  /// Indices into the program's moduli. Of QP, i < limb_count() means q_i, else p_{i-limb_count()}.
  std::uint32_t q_index(std::size_t i) const noexcept;
  std::uint32_t p_index(std::size_t i) const noexcept;
  std::uint32_t t_index(std::size_t i) const noexcept;
  std::uint32_t qp_index(std::size_t i) const noexcept { return q_index(i); }
  const ring::Modulus& qp(std::size_t i) const noexcept;

  std::uint64_t error_scale() const noexcept { return error_scale_; }
  DigitLift lift() const noexcept { return lift_; }

 private:
  ring::RnsBase q_;
  std::optional<ring::RnsBase> p_, t_;
  std::uint64_t error_scale_;
  DigitLift lift_;
};

}  // namespace heliodor::rlwe
