// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/avx512/transform_tables.h"

#include <bit>

#include <span>
#include <vector>

#include "heliodor/base/limb_arena.h"
#include "heliodor/ring/automorphism.h"
#include "heliodor/targets/cpu/avx512/range_plan.h"
#include "heliodor/targets/cpu/avx512/transform.h"

namespace heliodor::cpu::avx512 {
namespace {

// log2 of the radices, the inner pass last. Over limbs larger than L1 radix 8 beats radix 16, whose
// 16 lines at a stride of a multiple of 4 KB overload an 8-way L1; inside L1 radix 16 halves the
// loads and stores.
std::vector<unsigned> log_radices(unsigned log_degree) {
  switch (log_degree) {
    case 6:
      return {3, 3};
    case 7:
      return {3, 4};
    case 8:
      return {4, 4};
    case 9:
      return {3, 3, 3};
    case 10:
      return {3, 3, 4};
    case 11:
      return {3, 4, 4};
    case 12:
      return {4, 4, 4};
    case 13:
      return {3, 3, 3, 4};
    case 14:
      return {3, 3, 4, 4};
    case 15:
      return {3, 4, 4, 4};
    case 16:
      return {3, 3, 3, 3, 4};
    default:
      return {3, 3, 3, 4, 4};
  }
}

// Limb 0 of an arena as an aligned, growing list of words.
class TwiddleWriter {
 public:
  TwiddleWriter(std::size_t words, Word q, unsigned companion_bits)
      : arena_(1, words), q_(q), companion_bits_(companion_bits) {}

  const Word* position() { return arena_.limb(0).data() + size_; }
  void write(Word w) { arena_.limb(0)[size_++] = w; }
  Word companion(Word w) const {
    return static_cast<Word>((ring::Uint128{w} << companion_bits_) / q_);
  }
  base::LimbArena take() { return std::move(arena_); }

 private:
  base::LimbArena arena_;
  std::size_t size_ = 0;
  Word q_;
  unsigned companion_bits_;
};

// powers[j] = root^bitrev(j): the factor of block i at the level with m blocks is powers[m + i].
std::vector<Word> bit_reversed_powers(const ring::Modulus& q, Word root) {
  const auto n = static_cast<std::uint32_t>(q.degree());
  const auto bits = static_cast<unsigned>(std::countr_zero(n));
  std::vector<Word> powers(n);
  Word power = 1;
  for (std::uint32_t e = 0; e < n; ++e) {
    powers[ring::bit_reverse(e, bits)] = power;
    power = q.mul(power, root);
  }
  return powers;
}

// Pairs (w, w') of every block of the level with `blocks` blocks, in the order of the pass's stages
// and groups.
void write_strided(TwiddleWriter& out, std::span<const Word> powers, std::size_t blocks,
                   unsigned log_radix) {
  for (std::size_t block = 0; block < blocks; ++block) {
    for (unsigned s = 0; s < log_radix; ++s) {
      for (std::size_t g = 0; g < std::size_t{1} << s; ++g) {
        const Word w = powers[(blocks << s) + (block << s) + g];
        out.write(w);
        out.write(out.companion(w));
      }
    }
  }
}

// The same for eight blocks at a time, as vectors in lane order: of eight w', after eight w where
// these cannot be had from them. This table is what a transform reads most of besides its limb.
void write_inner(TwiddleWriter& out, std::span<const Word> powers, std::size_t blocks,
                 unsigned log_radix, Arithmetic arithmetic) {
  for (std::size_t block = 0; block < blocks; block += 8) {
    for (unsigned s = 0; s < log_radix; ++s) {
      for (std::size_t g = 0; g < std::size_t{1} << s; ++g) {
        Word w[8];
        for (unsigned lane = 0; lane < 8; ++lane) {
          w[lane] = powers[(blocks << s) + ((block + kBlockOfLane[lane]) << s) + g];
        }
        if (arithmetic == Arithmetic::harvey60) {
          for (const Word word : w) out.write(word);
        }
        for (const Word word : w) out.write(out.companion(word));
      }
    }
  }
}

Arithmetic inverse_arithmetic(unsigned bits) {
  if (bits > kMaxBits52) return Arithmetic::harvey60;
  return bits <= 48 ? Arithmetic::lazy52 : Arithmetic::harvey52;
}

class VectorNtt final : public Ntt {
 public:
  explicit VectorNtt(const ring::Modulus& q) : q_(q) {
    radices_ = log_radices(static_cast<unsigned>(std::countr_zero(q.degree())));
    const auto ranges =
        q.bits() <= kMaxBits52 ? plan_forward_ranges(q.value(), radices_) : std::nullopt;
    inverse_.arithmetic = inverse_arithmetic(q.bits());
    forward_.arithmetic = ranges                   ? Arithmetic::lazy52
                          : q.bits() <= kMaxBits52 ? Arithmetic::harvey52
                                                   : Arithmetic::harvey60;
    forward_words_ = build(forward_, q.psi());
    inverse_words_ = build(inverse_, q.inverse(q.psi()));
    if (ranges) set_entries(*ranges);
    last_twiddle_ = q.inverse(q.pow(q.psi(), q.degree() / 2));
    unit_scale_ = scale(1);
  }

  void forward(const Word* in, Word* out, Range range, const Ahead& ahead) const noexcept override {
    if (forward_.arithmetic == Arithmetic::harvey60) return ntt60_forward(forward_, in, out);
    ntt52_forward(forward_, ahead, in, out, range == Range::canonical);
  }

  bool lifts_from(const KernelModulus& source) const noexcept override {
    return forward_.arithmetic == Arithmetic::lazy52 && source.value() <= 2 * q_.value();
  }

  void forward_lifted(const KernelModulus& source, ring::Lift lift, const Word* in, Word* out,
                      Range range, const Ahead& ahead) const noexcept override {
    const bool centred = lift == ring::Lift::centred;
    const Word multiple = source.value() > q_.value() ? 2 * q_.value() : q_.value();
    const NearLift near{centred ? source.value() / 2 : source.value(), multiple - source.value()};
    ntt52_forward_lifted(forward_, near, ahead, in, out, range == Range::canonical);
  }

  void inverse(const Word* in, Word* out, const InverseScale& scale) const noexcept override {
    const LastStage last{scale.sum, scale.sum_companion, scale.product, scale.product_companion};
    (inverse_.arithmetic == Arithmetic::harvey60 ? ntt60_inverse : ntt52_inverse)(inverse_, last,
                                                                                  in, out);
  }

  InverseScale scale(Word c) const noexcept override {
    const auto companion = [&](Word w) {
      return static_cast<Word>((ring::Uint128{w} << companion_bits(inverse_.arithmetic)) /
                               q_.value());
    };
    const Word sum = q_.mul(c, q_.inverse(q_.degree() % q_.value()));
    const Word product = q_.mul(sum, last_twiddle_);
    return {sum, companion(sum), product, companion(product)};
  }

 private:
  base::LimbArena build(Transform& transform, Word root) const;
  void set_entries(const std::vector<RangeEntry>& ranges);

  ring::Modulus q_;
  std::vector<unsigned> radices_;
  Word last_twiddle_ = 0;  // of the inverse's last stage: psi^(-N/2)
  Transform forward_{};
  Transform inverse_{};
  base::LimbArena forward_words_;
  base::LimbArena inverse_words_;
};

base::LimbArena VectorNtt::build(Transform& transform, Word root) const {
  const std::vector<Word> powers = bit_reversed_powers(q_, root);
  const std::size_t inner_blocks = q_.degree() >> radices_.back();
  const std::size_t inner_words =
      (q_.degree() - inner_blocks) / 8 * inner_factor_words(transform.arithmetic);
  TwiddleWriter out(inner_words + 2 * (inner_blocks - 1), q_.value(),
                    companion_bits(transform.arithmetic));
  transform.q = q_.value();
  transform.mu = (Word{1} << 52) / q_.value();
  transform.degree = q_.degree();
  const std::span<const unsigned> strided = std::span(radices_).first(radices_.size() - 1);
  // The inner pass comes first in memory: its vectors are aligned to cache lines.
  const Word* inner_twiddles = out.position();
  write_inner(out, powers, inner_blocks, radices_.back(), transform.arithmetic);
  std::size_t blocks = 1;
  for (const unsigned log_radix : strided) {
    transform.passes[transform.pass_count++] = {log_radix, Entry::none, 0, out.position()};
    write_strided(out, powers, blocks, log_radix);
    blocks <<= log_radix;
  }
  transform.passes[transform.pass_count++] = {radices_.back(), Entry::none, 0, inner_twiddles};
  return out.take();
}

void VectorNtt::set_entries(const std::vector<RangeEntry>& ranges) {
  for (unsigned i = 0; i < forward_.pass_count; ++i) {
    if (i == 0) {
      forward_.passes[i].entry = Entry::add_bias;
      forward_.passes[i].bias = ranges[i].multiple * q_.value();
    } else if (ranges[i].reduce) {
      forward_.passes[i].entry = Entry::reduce;
      forward_.passes[i].bias = Word{0} - ranges[i].multiple;
    }
  }
}

}  // namespace

std::unique_ptr<const Ntt> make_vector_ntt(const ring::Modulus& q) {
  return std::make_unique<VectorNtt>(q);
}

}  // namespace heliodor::cpu::avx512
