// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/avx2/transform_tables.h"

#include <bit>
#include <span>
#include <vector>

#include "heliodor/base/limb_arena.h"
#include "heliodor/ring/automorphism.h"
#include "heliodor/targets/cpu/avx2/transform.h"

namespace heliodor::cpu::avx2 {
namespace {

constexpr std::size_t kLanes = 4;

// log2 of the radices, the inner pass last: radix 8 with its 8 values, 2 factors and 2 constants is
// what 16 registers hold, and as few radix 4 as make up the degree.
std::vector<unsigned> log_radices(unsigned log_degree) {
  constexpr unsigned kFours[3] = {0, 2, 1};
  const unsigned fours = kFours[log_degree % 3];
  std::vector<unsigned> radices(fours, 2);
  radices.insert(radices.end(), (log_degree - 2 * fours) / 3, 3);
  return radices;
}

// A factor and its companion, as the bits that the arithmetic reads.
struct Factor {
  Word value, companion;
};

Factor factor_of(Arithmetic arithmetic, Word q, Word w) {
  if (arithmetic == Arithmetic::harvey60) {
    return {w, static_cast<Word>((ring::Uint128{w} << 63) / q)};
  }
  const auto q_value = static_cast<double>(q);
  const double value = w > q / 2 ? -static_cast<double>(q - w) : static_cast<double>(w);
  return {std::bit_cast<Word>(value), std::bit_cast<Word>(value / q_value)};
}

// Limb 0 of an arena as an aligned, growing list of words.
class TwiddleWriter {
 public:
  explicit TwiddleWriter(std::size_t words) : arena_(1, words) {}

  const Word* position() { return arena_.limb(0).data() + size_; }
  void write(Word w) { arena_.limb(0)[size_++] = w; }
  base::LimbArena take() { return std::move(arena_); }

 private:
  base::LimbArena arena_;
  std::size_t size_ = 0;
};

// Entry bitrev(e) is the factor root^e: block i at the level with m blocks has entry m + i.
std::vector<Factor> bit_reversed_factors(Arithmetic arithmetic, const ring::Modulus& q, Word root) {
  const auto n = static_cast<std::uint32_t>(q.degree());
  const auto bits = static_cast<unsigned>(std::countr_zero(n));
  std::vector<Factor> factors(n);
  Word power = 1;
  for (std::uint32_t e = 0; e < n; ++e) {
    factors[ring::bit_reverse(e, bits)] = factor_of(arithmetic, q.value(), power);
    power = q.mul(power, root);
  }
  return factors;
}

// The factors of every block of the level with `blocks` blocks, in the order of the pass's stages
// and groups.
void write_strided(TwiddleWriter& out, std::span<const Factor> factors, std::size_t blocks,
                   unsigned log_radix) {
  for (std::size_t block = 0; block < blocks; ++block) {
    for (unsigned s = 0; s < log_radix; ++s) {
      for (std::size_t g = 0; g < std::size_t{1} << s; ++g) {
        const Factor& f = factors[(blocks << s) + (block << s) + g];
        out.write(f.value);
        out.write(f.companion);
      }
    }
  }
}

// The same for four blocks at a time.
void write_inner(TwiddleWriter& out, std::span<const Factor> factors, std::size_t blocks,
                 unsigned log_radix) {
  for (std::size_t block = 0; block < blocks; block += kLanes) {
    for (unsigned s = 0; s < log_radix; ++s) {
      for (std::size_t g = 0; g < std::size_t{1} << s; ++g) {
        const auto lane_factor = [&](std::size_t lane) {
          return factors[(blocks << s) + ((block + lane) << s) + g];
        };
        for (std::size_t lane = 0; lane < kLanes; ++lane) out.write(lane_factor(lane).value);
        for (std::size_t lane = 0; lane < kLanes; ++lane) out.write(lane_factor(lane).companion);
      }
    }
  }
}

Arithmetic arithmetic_of(unsigned bits) {
  if (bits > kMaxRealBits) return Arithmetic::harvey60;
  return bits <= 47 ? Arithmetic::real47 : Arithmetic::real50;
}

class VectorNtt final : public Ntt {
 public:
  explicit VectorNtt(const ring::Modulus& q)
      : q_(q), radices_(log_radices(static_cast<unsigned>(std::countr_zero(q.degree())))) {
    forward_words_ = build(forward_, q.psi());
    inverse_words_ = build(inverse_, q.inverse(q.psi()));
    last_twiddle_ = q.inverse(q.pow(q.psi(), q.degree() / 2));
    unit_scale_ = scale(1);
  }

  void forward(const Word* in, Word* out, Range /*range*/,
               const Ahead& /*ahead*/) const noexcept override {
    (real() ? ntt50_forward : ntt60_forward)(forward_, in, out);
  }

  void inverse(const Word* in, Word* out, const InverseScale& scale) const noexcept override {
    const LastStage last{scale.sum, scale.sum_companion, scale.product, scale.product_companion};
    (real() ? ntt50_inverse : ntt60_inverse)(inverse_, last, in, out);
  }

  InverseScale scale(Word c) const noexcept override {
    const Word sum = q_.mul(c, q_.inverse(q_.degree() % q_.value()));
    const Factor of_sum = factor_of(inverse_.arithmetic, q_.value(), sum);
    const Factor of_product =
        factor_of(inverse_.arithmetic, q_.value(), q_.mul(sum, last_twiddle_));
    return {of_sum.value, of_sum.companion, of_product.value, of_product.companion};
  }

 private:
  bool real() const noexcept { return forward_.arithmetic != Arithmetic::harvey60; }
  base::LimbArena build(Transform& transform, Word root) const;

  ring::Modulus q_;
  std::vector<unsigned> radices_;
  Word last_twiddle_ = 0;  // of the inverse's last stage: psi^(-N/2)
  Transform forward_{};
  Transform inverse_{};
  base::LimbArena forward_words_;
  base::LimbArena inverse_words_;
};

base::LimbArena VectorNtt::build(Transform& transform, Word root) const {
  transform.q = q_.value();
  transform.degree = q_.degree();
  transform.arithmetic = arithmetic_of(q_.bits());
  const std::vector<Factor> factors = bit_reversed_factors(transform.arithmetic, q_, root);
  TwiddleWriter out(2 * q_.degree());
  const std::span<const unsigned> strided = std::span(radices_).first(radices_.size() - 1);
  std::size_t blocks = 1;
  for (const unsigned log_radix : strided) blocks <<= log_radix;
  // The inner pass comes first in memory: its vectors are aligned.
  const Word* inner_twiddles = out.position();
  write_inner(out, factors, blocks, radices_.back());
  blocks = 1;
  for (const unsigned log_radix : strided) {
    transform.passes[transform.pass_count++] = {log_radix, out.position()};
    write_strided(out, factors, blocks, log_radix);
    blocks <<= log_radix;
  }
  transform.passes[transform.pass_count++] = {radices_.back(), inner_twiddles};
  return out.take();
}

}  // namespace

std::unique_ptr<const Ntt> make_vector_ntt(const ring::Modulus& q) {
  return std::make_unique<VectorNtt>(q);
}

}  // namespace heliodor::cpu::avx2
