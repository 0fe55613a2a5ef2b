// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Exact arithmetic modulo q < 2^50 on integers held in double precision, with error-free products
// by fused multiply-add (Dekker, "A floating-point technique for extending the available
// precision", 1971; van der Hoeven, Lecerf, Quintin, "Modular SIMD arithmetic in Mathemagix",
// 2016). Residues are signed and |x| <= X*q is written as a bound X.
//
// Product x*w modulo q, given a multiple f of 1/q close to w/q:
//     h = x*w rounded, l = x*w - h exact          as |x*w| < 2^102
//     b = the integer nearest to x*f              |x*f| < 2^51
//     r = (h - b*q) + l                           x*w - b*q, exact
// - b: adding 1.5*2^52 in one fused operation rounds to an integer, with one error of at most 1/2.
// - f = w/q rounded is off by 2^-53*|w|/q, so |r| <= q/2 + |x*w|*2^-53.
// - |r| < q and |l| <= ulp(h)/2 <= 2^48, so h - b*q = r - l is an integer below 2^53: exact.
// With |w| <= q/2 and |x| <= X*q: X*q <= 2^52 suffices for |x*f| < 2^51, and |r| <= q*(1/2 +
// X*q/2^54), within 3/4*q.
//
// Files that include this header are compiled with -ffp-contract=off and without -ffast-math: a
// contracted or reassociated operation would break it.
#pragma once

#include "heliodor/targets/cpu/avx2/lanes.h"

namespace heliodor::cpu::avx2 {

using Real = __m256d;

HELIODOR_LANES Real broadcast_real(double x) { return _mm256_set1_pd(x); }
HELIODOR_LANES Real as_real(Vec x) { return _mm256_castsi256_pd(x); }
HELIODOR_LANES Vec as_bits(Real x) { return _mm256_castpd_si256(x); }

/// An integer below 2^52: 2^52 + x has x in its low bits.
HELIODOR_LANES Real to_real(Vec x) {
  const Real offset = broadcast_real(0x1p52);
  return _mm256_sub_pd(_mm256_or_pd(as_real(x), offset), offset);
}
/// The inverse, for an integer in [0, 2^52).
HELIODOR_LANES Vec to_word(Real x) {
  const Real offset = broadcast_real(0x1p52);
  return as_bits(_mm256_xor_pd(_mm256_add_pd(x, offset), offset));
}

/// The integer nearest to x*f, for |x*f| < 2^51.
HELIODOR_LANES Real nearest_product(Real x, Real f) {
  const Real offset = broadcast_real(0x1.8p52);
  return _mm256_sub_pd(_mm256_fmadd_pd(x, f, offset), offset);
}

struct RealModulus {
  Real q;
  Real inverse;  ///< 1/q, rounded

  explicit HELIODOR_LANES RealModulus(double value)
      : q(broadcast_real(value)), inverse(broadcast_real(1 / value)) {}

  /// x*w - b*q for the integer b, as above.
  HELIODOR_LANES Real product_less(Real x, Real w, Real h, Real b) const {
    return _mm256_add_pd(_mm256_fnmadd_pd(b, q, h), _mm256_fmsub_pd(x, w, h));
  }

  /// x*w mod q with w_over_q = w/q rounded, |w| <= q/2, |x| < 2^52: below 3/4*q.
  HELIODOR_LANES Real mul(Real x, Real w, Real w_over_q) const {
    return product_less(x, w, _mm256_mul_pd(x, w), nearest_product(x, w_over_q));
  }

  /// x*y mod q for x, y in [0, q): below 3/4*q, as h and 1/q are off by 2^-53 each and x*y/q <
  /// 2^50.
  HELIODOR_LANES Real mul(Real x, Real y) const {
    const Real h = _mm256_mul_pd(x, y);
    return product_less(x, y, h, nearest_product(h, inverse));
  }

  /// x mod q for an integer |x| <= 2^53 with |x/q| < 2^51: |r| <= q/2 + |x|*2^-53.
  HELIODOR_LANES Real reduce(Real x) const {
    return _mm256_fnmadd_pd(nearest_product(x, inverse), q, x);
  }

  /// The canonical word of |x| < q.
  HELIODOR_LANES Vec canonical(Real x) const {
    const Real negative = _mm256_cmp_pd(x, _mm256_setzero_pd(), _CMP_LT_OQ);
    return to_word(_mm256_add_pd(x, _mm256_and_pd(negative, q)));
  }
};

/// The residue of w in [0, q) that is smallest in absolute value.
HELIODOR_LANES double centred(double w, double q) { return w > q / 2 ? w - q : w; }

}  // namespace heliodor::cpu::avx2
