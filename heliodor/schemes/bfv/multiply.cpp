// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bfv/multiply.h"

#include <utility>
#include <vector>

#include "heliodor/rlwe/keyswitch/base_conversion.h"

namespace heliodor::bfv {
namespace {

using program::Builder;
using program::ValueId;
using rlwe::Convertible;
using rlwe::DigitLift;
using rlwe::Limbs;

// One polynomial in evaluations modulo Q and R.
struct Extended {
  Limbs q, r;
};

// Step 1.
Extended extend(Builder& b, const ring::RnsBase& q, const AuxiliaryBase& r, const Limbs& x) {
  Limbs coefficients;
  for (const ValueId limb : x) coefficients.push_back(b.intt(limb));
  const Convertible integer = rlwe::prepare_conversion(b, q, coefficients, DigitLift::exact);
  Extended result{x, {}};
  for (std::uint32_t j = 0; j < r.base.size(); ++j)
    result.r.push_back(b.ntt(rlwe::convert(b, integer, r.first + j)));
  return result;
}

// Step 2 modulo one base.
std::array<Limbs, 3> tensor(Builder& b, const Limbs& x0, const Limbs& x1, const Limbs& y0,
                            const Limbs& y1) {
  std::array<Limbs, 3> result;
  for (std::size_t i = 0; i < x0.size(); ++i) {
    const std::pair<ValueId, ValueId> cross[] = {{x0[i], y1[i]}, {x1[i], y0[i]}};
    result[0].push_back(b.mul(x0[i], y0[i]));
    result[1].push_back(b.dot(cross));
    result[2].push_back(b.mul(x1[i], y1[i]));
  }
  return result;
}

// Step 3, with the factors of step 4's conversion folded in: the result is w_j = [c * (R/r_j)^-1]
// mod r_j for c = round(t*z/Q).
Limbs emit_scaled_quotient(Builder& b, const ring::RnsBase& q, const AuxiliaryBase& r,
                           std::uint64_t t, const Extended& z) {
  Limbs scaled;  // of t*z
  for (std::size_t i = 0; i < q.size(); ++i) {
    const std::uint64_t factor = q[i].mul(q[i].reduce(t), q.inverse_cofactor(i));
    scaled.push_back(b.mul_scalar(b.intt(z.q[i]), factor));
  }
  const Convertible remainder = rlwe::from_scaled(b, q, std::move(scaled), DigitLift::exact);

  Limbs result;
  for (std::uint32_t j = 0; j < r.base.size(); ++j) {
    const ring::Modulus& p = r.base[j];
    const std::uint64_t per_q = p.mul(p.inverse(q.product_mod(p)), r.base.inverse_cofactor(j));
    const Convertible whole = rlwe::residue(p, b.intt(z.r[j]));
    const rlwe::ConversionTerm terms[] = {{remainder, p.neg(per_q)},
                                          {whole, p.mul(p.reduce(t), per_q)}};
    result.push_back(rlwe::convert_sum(b, terms, r.first + j));
  }
  return result;
}

}  // namespace

std::array<Limbs, 3> emit_multiply(Builder& b, const ring::RnsBase& q, const AuxiliaryBase& r,
                                   std::uint64_t t, const std::array<Limbs, 2>& x,
                                   const std::array<Limbs, 2>& y) {
  const Extended x0 = extend(b, q, r, x[0]), x1 = extend(b, q, r, x[1]);
  const Extended y0 = x == y ? x0 : extend(b, q, r, y[0]);
  const Extended y1 = x == y ? x1 : extend(b, q, r, y[1]);
  const auto z_q = tensor(b, x0.q, x1.q, y0.q, y1.q);
  const auto z_r = tensor(b, x0.r, x1.r, y0.r, y1.r);

  std::array<Limbs, 3> result;
  for (std::size_t part = 0; part < 3; ++part) {
    const Convertible c = rlwe::from_scaled(
        b, r.base, emit_scaled_quotient(b, q, r, t, {z_q[part], z_r[part]}), DigitLift::exact);
    for (std::uint32_t i = 0; i < q.size(); ++i) result[part].push_back(rlwe::convert(b, c, i));
  }
  return result;
}

}  // namespace heliodor::bfv
