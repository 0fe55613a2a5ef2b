// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/rlwe/keyswitch/klss.h"

#include <utility>

#include "heliodor/rlwe/keyswitch/inner_product.h"

namespace heliodor::rlwe {
namespace {

using program::Builder;

// V_{c,i} of every block, recovered from T. The key brings the factors (T/t_i)^-1 along.
std::vector<Convertible> emit_block_sums(Builder& b, const ProgramRing& ring, std::size_t blocks,
                                         const Digits& digits, const std::vector<Limbs>& key) {
  std::vector<Convertible> sums;
  for (std::size_t block = 0; block < blocks; ++block) {
    Limbs v;
    for (std::size_t i = 0; i < ring.t().size(); ++i) {
      v.push_back(b.intt(emit_inner_product(b, digits, i, key, block * ring.t().size() + i)));
    }
    sums.push_back(from_scaled(b, ring.t(), std::move(v), DigitLift::exact));
  }
  return sums;
}

}  // namespace

std::size_t klss_block_count(const KeySwitchShape& shape, std::size_t limb_count) {
  const std::size_t limbs = shape.gadget.special_count + limb_count;
  return (limbs + shape.block_size - 1) / shape.block_size;
}

Digits emit_klss_digits(Builder& b, const ProgramRing& ring, const Gadget& gadget, const Limbs& d) {
  Digits result;
  for (std::size_t j = 0; j < gadget.digit_count(ring.limb_count()); ++j) {
    const DigitSource digit = emit_digit_source(b, ring, gadget, d, j, ring.lift());
    Limbs limbs;
    for (std::size_t i = 0; i < ring.t().size(); ++i) {
      limbs.push_back(b.ntt(convert(b, digit.integer, ring.t_index(i))));
    }
    result.digits.push_back(std::move(limbs));
  }
  return result;
}

Limbs emit_klss_mod_down(Builder& b, const ProgramRing& ring, std::size_t block_size,
                         const std::vector<Convertible>& sums, const Limbs* addend) {
  const std::size_t k = ring.special_count();
  const ring::RnsBase& p = ring.p();
  Limbs scaled;
  for (std::size_t i = 0; i < k; ++i) {
    scaled.push_back(convert(b, sums[i / block_size], ring.p_index(i),
                             scaling_factor(p, i, ring.error_scale())));
  }
  const Convertible delta = from_scaled(b, p, std::move(scaled), ring.lift());
  Limbs result;
  for (std::size_t i = 0; i < ring.limb_count(); ++i) {
    const ring::Modulus& q = ring.q()[i];
    const std::uint64_t p_inverse = q.inverse(p.product_mod(q));
    std::vector<ConversionTerm> terms = {
        {sums[(k + i) / block_size], p_inverse},
        {delta, q.neg(q.mul(q.reduce(ring.error_scale()), p_inverse))}};
    const auto own = addend != nullptr ? std::optional(residue(q, (*addend)[i])) : std::nullopt;
    if (own) terms.push_back({*own, 1});
    result.push_back(b.ntt(convert_sum(b, terms, ring.q_index(i))));
  }
  return result;
}

std::array<Limbs, 2> emit_klss_switched(Builder& b, const ProgramRing& ring,
                                        const KeySwitchShape& shape, const Digits& digits,
                                        const KeyValues& key, const Addends& addends) {
  const std::size_t blocks = klss_block_count(shape, ring.limb_count());
  std::array<Limbs, 2> result;
  for (std::size_t c = 0; c < 2; ++c) {
    const std::vector<Convertible> sums =
        emit_block_sums(b, ring, blocks, digits, key.components[c]);
    result[c] =
        emit_klss_mod_down(b, ring, shape.block_size, sums, addends ? &(*addends)[c] : nullptr);
  }
  return result;
}

}  // namespace heliodor::rlwe
