// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each kernel here decides by sizes whether the vector arithmetic covers the call and hands over to
// the files compiled with the AVX-512 flags; this file is compiled without them. Words that do not
// fill a vector are left to the portable kernels.
#include "heliodor/targets/cpu/avx512/kernels.h"

#include <algorithm>

#include "heliodor/base/cpu_features.h"
#include "heliodor/targets/cpu/avx512/convert.h"
#include "heliodor/targets/cpu/avx512/dot52.h"
#include "heliodor/targets/cpu/avx512/dot60.h"
#include "heliodor/targets/cpu/avx512/permute.h"
#include "heliodor/targets/cpu/avx512/pointwise.h"
#include "heliodor/targets/cpu/avx512/pointwise60.h"
#include "heliodor/targets/cpu/avx512/rates.h"
#include "heliodor/targets/cpu/avx512/transform_tables.h"
#include "heliodor/targets/cpu/avx512/uniform.h"
#include "heliodor/targets/cpu/portable/kernels.h"
#include "heliodor/targets/cpu/uniform_words.h"

namespace heliodor::cpu::avx512 {
namespace {

constexpr std::size_t kLanes = 8;
constexpr Word kMaxSource52 = Word{1} << 52;
constexpr Word kMaxSource60 = Word{1} << 60;

// The words that fill vectors; the rest begins there.
constexpr std::size_t whole(std::size_t n) noexcept { return n & ~(kLanes - 1); }

void add(const KernelModulus& q, const Word* a, const Word* b, Word* result,
         std::size_t n) noexcept {
  const std::size_t m = whole(n);
  add_words(q.value(), a, b, result, m);
  portable::add(q, a + m, b + m, result + m, n - m);
}

void sub(const KernelModulus& q, const Word* a, const Word* b, Word* result,
         std::size_t n) noexcept {
  const std::size_t m = whole(n);
  sub_words(q.value(), a, b, result, m);
  portable::sub(q, a + m, b + m, result + m, n - m);
}

void neg(const KernelModulus& q, const Word* a, Word* result, std::size_t n) noexcept {
  const std::size_t m = whole(n);
  neg_words(q.value(), a, result, m);
  portable::neg(q, a + m, result + m, n - m);
}

void mul(const KernelModulus& q, const Word* a, const Word* b, Word* result,
         std::size_t n) noexcept {
  const std::size_t m = whole(n);
  if (q.fits_52()) {
    mul_words(q.value(), q.bits(), q.product_inverse_52(), a, b, result, m);
  } else {
    mul_words60(q.value(), q.bits(), q.product_inverse_63(), a, b, result, m);
  }
  portable::mul(q, a + m, b + m, result + m, n - m);
}

void add_scalar(const KernelModulus& q, const Word* a, Word c, Word* result,
                std::size_t n) noexcept {
  const std::size_t m = whole(n);
  add_constant(q.value(), a, c, result, m);
  portable::add_scalar(q, a + m, c, result + m, n - m);
}

void mul_scalar(const KernelModulus& q, const Word* a, const KernelScalar& c, Word* result,
                std::size_t n) noexcept {
  const std::size_t m = whole(n);
  if (q.fits_52()) {
    mul_constant(q.value(), a, c.value, c.companion_52, result, m);
  } else {
    mul_constant60(q.value(), a, c.value, c.companion_63, result, m);
  }
  portable::mul_scalar(q, a + m, c, result + m, n - m);
}

void sub_mul_scalar(const KernelModulus& q, const Word* a, const Word* b, const KernelScalar& c,
                    Word* result, std::size_t n) noexcept {
  const std::size_t m = whole(n);
  if (q.fits_52()) {
    mul_difference(q.value(), a, b, c.value, c.companion_52, result, m);
  } else {
    mul_difference60(q.value(), a, b, c.value, c.companion_63, result, m);
  }
  portable::sub_mul_scalar(q, a + m, b + m, c, result + m, n - m);
}

void reduce(const KernelModulus& source, const KernelModulus& q, ring::Lift lift, const Word* a,
            Word* result, std::size_t n) noexcept {
  const std::size_t m = whole(n);
  const bool centred = lift == ring::Lift::centred;
  const Word shift = q.modulus().neg(q.modulus().reduce(source.value()));
  if (q.fits_52() && source.bits() <= 52) {
    lift_words({q.value(), centred ? source.value() / 2 : kMaxSource52, shift}, a, result, m);
  } else {
    lift_words60({q.value(), q.inverse_63(), centred ? source.value() / 2 : kMaxSource60, shift}, a,
                 result, m);
  }
  portable::reduce(source, q, lift, a + m, result + m, n - m);
}

Dot52 sum52_of(const KernelModulus& q, Word bound) noexcept {
  return {q.value(), q.inverse_52(), q.carry_52(), q.carry_companion_52(), q.terms_52(bound)};
}

Dot60 sum60_of(const KernelModulus& q, Word bound) noexcept {
  return {q.value(), q.inverse_63(), q.carry_60(), q.carry_companion_60(), q.terms_60(bound)};
}

void dot(const KernelModulus& q, Range range, const Word* const* a, std::size_t count,
         const DotTarget<Word>* targets, std::size_t target_count, std::size_t n) noexcept {
  if (whole(n) != n) return portable::dot(q, range, a, count, targets, target_count, n);
  if (q.fits_52()) {
    const Dot52 sum = sum52_of(q, range == Range::lazy ? kMaxSource52 : q.value());
    return dot52(sum, a, count, targets, target_count, n);
  }
  for (std::size_t t = 0; t < target_count; ++t)
    dot60(sum60_of(q, q.value()), a, count, targets[t], n);
}

void dot_packed(const KernelModulus& q, Range range, const Word* const* a, std::size_t count,
                const DotTarget<std::uint32_t>* targets, std::size_t target_count,
                std::size_t n) noexcept {
  dot52_packed(sum52_of(q, range == Range::lazy ? kMaxSource52 : q.value()), a, count, targets,
               target_count, n);
}

void dot_scalar(Word source_bound, const Word* const* x, std::size_t count,
                const DotScalarTarget* targets, std::size_t target_count, std::size_t n) noexcept {
  if (whole(n) != n) {
    return portable::dot_scalar(source_bound, x, count, targets, target_count, n);
  }
  bool fits_52 = source_bound <= kMaxSource52;
  for (std::size_t t = 0; t < target_count; ++t) fits_52 = fits_52 && targets[t].q->fits_52();
  if (fits_52) {
    std::size_t terms = targets[0].q->terms_52(source_bound);
    for (std::size_t t = 1; t < target_count; ++t)
      terms = std::min(terms, targets[t].q->terms_52(source_bound));
    const bool is_short = count <= terms && source_bound <= kMaxSource52 / count;
    DotScalar52 sums[KernelTable::kMaxTargets];
    for (std::size_t t = 0; t < target_count; ++t) {
      const auto& [q, factors, result] = targets[t];
      sums[t] = {sum52_of(*q, source_bound), q->montgomery_52(),
                 (is_short ? factors->montgomery_52 : factors->values).data(), result};
      sums[t].sum.terms = terms;
    }
    (is_short ? dot_scalar52_short : dot_scalar52)(x, count, sums, target_count, n);
  } else {
    DotScalar60 sums[KernelTable::kMaxTargets];
    for (std::size_t t = 0; t < target_count; ++t) {
      sums[t] = {sum60_of(*targets[t].q, source_bound), targets[t].factors->values.data(),
                 targets[t].result};
    }
    dot_scalar60(x, count, sums, target_count, n);
  }
}

void quotient(const KernelModulus* const* sources, const Word* const* x, std::size_t count,
              ring::Rounding rounding, Word* result, std::size_t n) noexcept {
  constexpr unsigned kBits = ring::reference::kQuotientBits;
  if (whole(n) != n || count > ring::reference::kMaxQuotientSources) {
    return portable::quotient(sources, x, count, rounding, result, n);
  }
  QuotientSource prepared[ring::reference::kMaxQuotientSources];
  for (std::size_t k = 0; k < count; ++k) {
    prepared[k] = {x[k], sources[k]->quotient_reciprocal(), sources[k]->bits()};
  }
  const Word bias =
      rounding == ring::Rounding::floor ? 2 * Word{count} : Word{count} + (Word{1} << (kBits - 1));
  sum_quotients(prepared, count, bias, kBits, result, n);
}

void permute_eval(const std::uint32_t* sources, const Word* a, Word* result,
                  std::size_t n) noexcept {
  if (n < kLanes) return portable::permute_eval(sources, a, result, n);
  permute_groups(sources, a, result, n);
}

void permute_coeff(const KernelModulus& q, std::uint64_t galois_element, const Word* a,
                   Word* result, std::size_t n) noexcept {
  if (n < kLanes) return portable::permute_coeff(q, galois_element, a, result, n);
  permute_coefficients(q.value(), inverse_modulo_2_32(galois_element), a, result, n);
}

void uniform(const KernelModulus& q, const base::PublicSeed& seed, std::uint64_t stream,
             Word* result, std::size_t n) noexcept {
  uniform_words(take_below, q, seed, stream, result, n);
}

std::unique_ptr<const Ntt> make_ntt(const ring::Modulus& q) {
  if (q.degree() < kMinNttDegree) return portable::make_ntt(q);
  return make_vector_ntt(q);
}

constexpr RateLoops kRateLoops = {.multiplier = Multiplier::vector_52,
                                  .lanes = kLanes,
                                  .multiply = multiply_52,
                                  .add = add_64,
                                  .read = read_words};

bool supported() noexcept {
  const base::CpuFeatures& features = base::cpu_features();
  return features.avx512 && features.avx512_ifma;
}

}  // namespace

const KernelTable& kernel_table() {
  static const KernelTable kTable = [] {
    KernelTable table = portable::kernel_table();
    table.name = "avx512ifma";
    table.supported = supported;
    table.make_ntt = make_ntt;
    table.add = add;
    table.sub = sub;
    table.neg = neg;
    table.mul = mul;
    table.add_scalar = add_scalar;
    table.mul_scalar = mul_scalar;
    table.sub_mul_scalar = sub_mul_scalar;
    table.reduce = reduce;
    table.dot = dot;
    table.dot_packed = dot_packed;
    table.dot_scalar = dot_scalar;
    table.quotient = quotient;
    table.permute_eval = permute_eval;
    table.permute_coeff = permute_coeff;
    table.uniform = uniform;
    table.rate_loops = &kRateLoops;
    return table;
  }();
  return kTable;
}

}  // namespace heliodor::cpu::avx512
