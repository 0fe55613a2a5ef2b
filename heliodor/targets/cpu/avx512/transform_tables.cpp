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

// log2 of the radices, the inner pass last. Over limbs larger than L1 radix 8 beats radix 16, whose 16 lines at a stride of a
// multiple of 4 KB overload an 8-way L1; inside L1 radix 16 halves the loads and stores.
std::vector<unsigned> log_radices(unsigned log_degree) {
  switch (log_degree) {
    case 6: return {3, 3};
    case 7: return {3, 4};
    case 8: return {4, 4};
    case 9: return {3, 3, 3};
    case 10: return {3, 3, 4};
    case 11: return {3, 4, 4};
    case 12: return {4, 4, 4};
    case 13: return {3, 3, 3, 4};
    case 14: return {3, 4, 4, 3};
    case 15: return {3, 4, 4, 4};
    case 16: return {3, 3, 3, 3, 4};
    default: return {3, 3, 3, 4, 4};
  }
}

// Limb 0 of an arena as an aligned, growing list of words.
class TwiddleWriter {
 public:
  TwiddleWriter(std::size_t words, Word q) : arena_(1, words), q_(q) {}

  const Word* position() { return arena_.limb(0).data() + size_; }
  void write(Word w) { arena_.limb(0)[size_++] = w; }
  Word shoup(Word w) const { return static_cast<Word>((ring::Uint128{w} << 52) / q_); }
  base::LimbArena take() { return std::move(arena_); }

 private:
  base::LimbArena arena_;
  std::size_t size_ = 0;
  Word q_;
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

// Pairs (w, w') of every block of the level with `blocks` blocks, in the order of the pass's stages and groups.
void write_strided(TwiddleWriter& out, std::span<const Word> powers, std::size_t blocks, unsigned log_radix) {
  for (std::size_t block = 0; block < blocks; ++block) {
    for (unsigned s = 0; s < log_radix; ++s) {
      for (std::size_t g = 0; g < std::size_t{1} << s; ++g) {
        const Word w = powers[(blocks << s) + (block << s) + g];
        out.write(w);
        out.write(out.shoup(w));
      }
    }
  }
}

// The same for eight blocks at a time, as vectors of eight w and eight w' in lane order.
void write_inner(TwiddleWriter& out, std::span<const Word> powers, std::size_t blocks, unsigned log_radix) {
  for (std::size_t block = 0; block < blocks; block += 8) {
    for (unsigned s = 0; s < log_radix; ++s) {
      for (std::size_t g = 0; g < std::size_t{1} << s; ++g) {
        Word w[8];
        for (unsigned lane = 0; lane < 8; ++lane) {
          w[lane] = powers[(blocks << s) + ((block + kBlockOfLane[lane]) << s) + g];
          out.write(w[lane]);
        }
        for (const Word word : w) out.write(out.shoup(word));
      }
    }
  }
}

class IfmaNtt final : public Ntt {
 public:
  explicit IfmaNtt(const ring::Modulus& q) {
    forward_words_ = build(forward_, q, q.psi(), 1);
    inverse_words_ = build(inverse_, q, q.inverse(q.psi()), q.inverse(q.degree() % q.value()));
    plan_entries(q);
  }

  void forward(const Word* in, Word* out) const noexcept override { ntt_forward(forward_, in, out); }
  void inverse(const Word* in, Word* out) const noexcept override { ntt_inverse(inverse_, in, out); }

 private:
  // `scale` rides on the factor of the level with one block, the last stage of an inverse.
  static base::LimbArena build(Transform& transform, const ring::Modulus& q, Word root, Word scale);
  void plan_entries(const ring::Modulus& q);

  Transform forward_{};
  Transform inverse_{};
  base::LimbArena forward_words_;
  base::LimbArena inverse_words_;
};

base::LimbArena IfmaNtt::build(Transform& transform, const ring::Modulus& q, Word root, Word scale) {
  std::vector<Word> powers = bit_reversed_powers(q, root);
  powers[1] = q.mul(powers[1], scale);
  TwiddleWriter out(2 * q.degree(), q.value());
  transform.q = q.value();
  transform.degree = q.degree();
  transform.scale = scale;
  transform.scale_shoup = out.shoup(scale);
  std::vector<unsigned> radices = log_radices(static_cast<unsigned>(std::countr_zero(q.degree())));
  const unsigned inner = radices.back();
  radices.pop_back();
  std::size_t blocks = 1;
  std::vector<std::size_t> strided_blocks;
  for (const unsigned log_radix : radices) {
    strided_blocks.push_back(blocks);
    blocks <<= log_radix;
  }
  // The inner pass comes first in memory: its vectors are aligned to cache lines.
  const Word* inner_twiddles = out.position();
  write_inner(out, powers, blocks, inner);
  for (std::size_t i = 0; i < radices.size(); ++i) {
    transform.passes[transform.pass_count++] = {radices[i], Entry::none, 0, out.position()};
    write_strided(out, powers, strided_blocks[i], radices[i]);
  }
  transform.passes[transform.pass_count++] = {inner, Entry::none, 0, inner_twiddles};
  return out.take();
}

void IfmaNtt::plan_entries(const ring::Modulus& q) {
  const auto ranges =
      plan_forward_ranges(q.value(), log_radices(static_cast<unsigned>(std::countr_zero(q.degree()))));
  forward_.arithmetic = ranges ? Arithmetic::lazy : Arithmetic::harvey;
  inverse_.arithmetic = q.bits() <= 48 ? Arithmetic::lazy : Arithmetic::harvey;
  if (!ranges) return;
  for (unsigned i = 0; i < forward_.pass_count; ++i) {
    const RangeEntry& entry = (*ranges)[i];
    if (i == 0) {
      forward_.passes[i].entry = Entry::add_bias;
      forward_.passes[i].bias = entry.multiple * q.value();
    } else if (entry.reduce) {
      forward_.passes[i].entry = Entry::reduce;
      forward_.passes[i].bias = Word{0} - entry.multiple;
    }
  }
}

}  // namespace

std::unique_ptr<const Ntt> make_ifma_ntt(const ring::Modulus& q) { return std::make_unique<IfmaNtt>(q); }

}  // namespace heliodor::cpu::avx512
