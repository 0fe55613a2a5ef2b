// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/mod_mul_barrett.h"

namespace heliodor::machine::pe {
namespace {

__extension__ typedef unsigned __int128 Uint128;

constexpr unsigned kWidth = kModMulBarrettWidth;
constexpr std::uint64_t kModulusEnd = std::uint64_t{1} << kWidth;
constexpr std::uint64_t kReciprocalScale = std::uint64_t{1} << (2 * kWidth);

static_assert(kWidth % 2 == 0 && kModMulBarrettDroppedBits <= kWidth / 2 - 1,
              "the proof of the quotient bound covers even widths and up to W/2 - 1 dropped bits");

}  // namespace

std::uint64_t barrett_quotient_estimate(std::uint64_t z, std::uint64_t mu, unsigned width,
                                        unsigned dropped_bits) noexcept {
  const Uint128 product = Uint128{z >> dropped_bits} * mu;
  return static_cast<std::uint64_t>(product >> (2 * width - dropped_bits));
}

std::uint32_t mod_mul_barrett_reciprocal(std::uint32_t q) noexcept {
  return static_cast<std::uint32_t>(kReciprocalScale / q);
}

bool mod_mul_barrett_accepts(const ModMulBarrettOperands& operands) noexcept {
  const auto& [a, b, q, mu] = operands;
  return kModulusEnd / 2 < q && q < kModulusEnd && a < q && b < q &&
         mu == mod_mul_barrett_reciprocal(q);
}

std::uint32_t mod_mul_barrett(const ModMulBarrettOperands& operands) noexcept {
  const auto& [a, b, q, mu] = operands;
  const std::uint64_t z = std::uint64_t{a} * b;
  // The masks are the widths of the registers. Accepted operands never reach them.
  const std::uint64_t t =
      barrett_quotient_estimate(z, mu, kWidth, kModMulBarrettDroppedBits) & (kModulusEnd - 1);
  const std::uint64_t r = (z - t * q) & (2 * kModulusEnd - 1);
  const std::uint64_t p = (r < q ? r : r - q) & (kModulusEnd - 1);
  return static_cast<std::uint32_t>(p);
}

ModMulBarrett::Outputs ModMulBarrett::step(const Inputs& inputs) noexcept {
  if (!inputs.rst_n) {
    for (Outputs& outputs : in_flight_) {
      outputs.valid = false;
    }
  }
  const Outputs leaving = in_flight_[oldest_];
  in_flight_[oldest_] = {inputs.rst_n && inputs.valid, mod_mul_barrett(inputs.operands)};
  oldest_ = (oldest_ + 1) % kLatency;
  return leaving;
}

}  // namespace heliodor::machine::pe
