// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Radix-2 transforms with Harvey's lazy butterflies (Harvey, "Faster arithmetic for
// number-theoretic transforms", 2014): forward values stay in [0, 4q), inverse values in [0, 2q),
// with 4q <= 2^62.
//
// Twiddles: w[m + i] = psi^bitrev(m + i) is the factor of block i at the level with m blocks, each
// beside its Shoup companion floor(w * 2^64 / q). The inverse uses their inverses and scales by 1/N
// in its last level.
#include <algorithm>
#include <bit>
#include <vector>

#include "heliodor/ring/automorphism.h"
#include "heliodor/targets/cpu/portable/kernels.h"

namespace heliodor::cpu::portable {
namespace {

struct Factor {
  Word w;
  Word shoup;
};

class PortableNtt final : public Ntt {
 public:
  explicit PortableNtt(const ring::Modulus& q)
      : q_(q), forward_(table(q, q.psi())), inverse_(table(q, q.inverse(q.psi()))) {
    unit_scale_ = scale(1);
  }

  void forward(const Word* in, Word* out, Range range, const Ahead& ahead) const noexcept override;
  void inverse(const Word* in, Word* out, const InverseScale& scale) const noexcept override;

  InverseScale scale(Word c) const noexcept override {
    const Word sum = q_.mul(c, q_.inverse(q_.degree() % q_.value()));
    const Word product = q_.mul(sum, inverse_[1].w);
    return {sum, q_.shoup(sum), product, q_.shoup(product)};
  }

 private:
  static Factor factor(const ring::Modulus& q, Word w) { return {w, q.shoup(w)}; }
  static std::vector<Factor> table(const ring::Modulus& q, Word root);

  Word subtract_if_above(Word x, Word bound) const noexcept {
    return x - (bound & (Word{0} - static_cast<Word>(x >= bound)));
  }

  ring::Modulus q_;
  std::vector<Factor> forward_;
  std::vector<Factor> inverse_;
};

std::vector<Factor> PortableNtt::table(const ring::Modulus& q, Word root) {
  const auto n = static_cast<std::uint32_t>(q.degree());
  const auto bits = static_cast<unsigned>(std::countr_zero(n));
  std::vector<Factor> factors(n);
  Word power = 1;
  for (std::uint32_t e = 0; e < n; ++e) {
    factors[ring::bit_reverse(e, bits)] = factor(q, power);
    power = q.mul(power, root);
  }
  return factors;
}

void PortableNtt::forward(const Word* in, Word* out, Range /*range*/,
                          const Ahead& /*ahead*/) const noexcept {
  const std::size_t n = q_.degree();
  const Word q = q_.value();
  if (in != out) std::copy(in, in + n, out);
  for (std::size_t blocks = 1, half = n / 2; half >= 1; blocks *= 2, half /= 2) {
    for (std::size_t block = 0; block < blocks; ++block) {
      const Factor f = forward_[blocks + block];
      Word* x = out + 2 * half * block;
      for (std::size_t i = 0; i < half; ++i) {
        const Word u = subtract_if_above(x[i], 2 * q);                // [0, 2q)
        const Word t = q_.mul_shoup_lazy(x[i + half], f.w, f.shoup);  // [0, 2q)
        x[i] = u + t;
        x[i + half] = u + 2 * q - t;
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    out[i] = subtract_if_above(subtract_if_above(out[i], 2 * q), q);
}

void PortableNtt::inverse(const Word* in, Word* out, const InverseScale& scale) const noexcept {
  const std::size_t n = q_.degree();
  const Word q = q_.value();
  if (in != out) std::copy(in, in + n, out);
  for (std::size_t blocks = n / 2, half = 1; blocks >= 2; blocks /= 2, half *= 2) {
    for (std::size_t block = 0; block < blocks; ++block) {
      const Factor f = inverse_[blocks + block];
      Word* x = out + 2 * half * block;
      for (std::size_t i = 0; i < half; ++i) {
        const Word u = x[i], v = x[i + half];
        x[i] = subtract_if_above(u + v, 2 * q);
        x[i + half] = q_.mul_shoup_lazy(u + 2 * q - v, f.w, f.shoup);
      }
    }
  }
  for (std::size_t i = 0; i < n / 2; ++i) {
    const Word u = out[i], v = out[i + n / 2];
    out[i] = subtract_if_above(q_.mul_shoup_lazy(u + v, scale.sum, scale.sum_companion), q);
    out[i + n / 2] = subtract_if_above(
        q_.mul_shoup_lazy(u + 2 * q - v, scale.product, scale.product_companion), q);
  }
}

}  // namespace

std::unique_ptr<const Ntt> make_ntt(const ring::Modulus& q) {
  return std::make_unique<PortableNtt>(q);
}

}  // namespace heliodor::cpu::portable
