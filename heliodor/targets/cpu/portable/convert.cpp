// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/portable/kernels.h"

namespace heliodor::cpu::portable {
namespace {

using ring::Uint128;

// Words summed before the next source is taken: the sums stay in registers and L1.
constexpr std::size_t kStrip = 64;

}  // namespace

// With b the bit length of q_k and r = floor(2^(b+48)/q_k) <= 2^49, floor(x*r/2^b) is the high word
// of (x << (64-b)) * r, as x < 2^b.
void quotient(const KernelModulus* const* sources, const Word* const* x, std::size_t count,
              ring::Rounding rounding, Word* result, std::size_t n) noexcept {
  constexpr unsigned kBits = ring::reference::kQuotientBits;
  const Word bias =
      rounding == ring::Rounding::floor ? 2 * Word{count} : Word{count} + (Word{1} << (kBits - 1));
  for (std::size_t begin = 0; begin < n; begin += kStrip) {
    const std::size_t length = n - begin < kStrip ? n - begin : kStrip;
    Word sums[kStrip];
    for (std::size_t i = 0; i < length; ++i) sums[i] = bias;
    for (std::size_t k = 0; k < count; ++k) {
      const unsigned bits = sources[k]->bits();
      const auto reciprocal =
          static_cast<Word>((Uint128{1} << (bits + kBits)) / sources[k]->value());
      const Word* source = x[k] + begin;
      for (std::size_t i = 0; i < length; ++i) {
        sums[i] += static_cast<Word>((Uint128{source[i] << (64 - bits)} * reciprocal) >> 64);
      }
    }
    for (std::size_t i = 0; i < length; ++i) result[begin + i] = sums[i] >> kBits;
  }
}

// A Barrett step is at most 1 short for any word. A centred x above source/2 stands for
// x - source, so source mod q is subtracted.
void reduce(const KernelModulus& source, const KernelModulus& q, ring::Lift lift, const Word* a,
            Word* result, std::size_t n) noexcept {
  const Word half = lift == ring::Lift::centred ? source.value() / 2 : ~Word{0};
  const Word shift = q.modulus().reduce(source.value());
  for (std::size_t i = 0; i < n; ++i) {
    const Word x = a[i];
    Word r = x - static_cast<Word>((Uint128{x} * q.inverse_64()) >> 64) * q.value();
    r -= q.value() & (Word{0} - static_cast<Word>(r >= q.value()));
    result[i] = q.modulus().sub(r, shift & (Word{0} - static_cast<Word>(x > half)));
  }
}

}  // namespace heliodor::cpu::portable
