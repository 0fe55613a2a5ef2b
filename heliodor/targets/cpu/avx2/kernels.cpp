// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each kernel here decides by sizes which arithmetic covers the call and hands over to the files
// compiled with the AVX2 flags; this file is compiled without them. Words that do not fill a vector
// are left to the portable kernels.
#include "heliodor/targets/cpu/avx2/kernels.h"

#include <algorithm>
#include <bit>

#include "heliodor/base/cpu_features.h"
#include "heliodor/targets/cpu/avx2/convert.h"
#include "heliodor/targets/cpu/avx2/dot.h"
#include "heliodor/targets/cpu/avx2/permute.h"
#include "heliodor/targets/cpu/avx2/pointwise.h"
#include "heliodor/targets/cpu/avx2/rates.h"
#include "heliodor/targets/cpu/avx2/transform_tables.h"
#include "heliodor/targets/cpu/avx2/uniform.h"
#include "heliodor/targets/cpu/portable/kernels.h"
#include "heliodor/targets/cpu/uniform_words.h"

namespace heliodor::cpu::avx2 {
namespace {

using ring::Uint128;

constexpr std::size_t kLanes = 4;
constexpr Word kMaxSource50 = Word{1} << 52;
constexpr Word kMaxSource60 = Word{1} << 60;

// The words that fill vectors; the rest begins there.
constexpr std::size_t whole(std::size_t n) noexcept { return n & ~(kLanes - 1); }

bool fits_real(const KernelModulus& q) noexcept { return q.bits() <= kMaxRealBits; }

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
  if (fits_real(q)) {
    mul_words50(q.value(), a, b, result, m);
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
  if (fits_real(q)) {
    mul_constant50(q.value(), a, c.value, result, m);
  } else {
    mul_constant60(q.value(), a, c.value, c.companion_63, result, m);
  }
  portable::mul_scalar(q, a + m, c, result + m, n - m);
}

void sub_mul_scalar(const KernelModulus& q, const Word* a, const Word* b, const KernelScalar& c,
                    Word* result, std::size_t n) noexcept {
  sub(q, a, b, result, n);
  mul_scalar(q, result, c, result, n);
}

void reduce(const KernelModulus& source, const KernelModulus& q, ring::Lift lift, const Word* a,
            Word* result, std::size_t n) noexcept {
  const std::size_t m = whole(n);
  const bool centred = lift == ring::Lift::centred;
  const Word half = source.value() / 2;
  if (fits_real(q) && source.bits() <= 52) {
    lift_words50({q.value(), source.value(), centred ? half : kMaxSource50}, a, result, m);
  } else {
    const Word shift = q.modulus().neg(q.modulus().reduce(source.value()));
    lift_words60({q.value(), q.inverse_63(), centred ? half : kMaxSource60, shift}, a, result, m);
  }
  portable::reduce(source, q, lift, a + m, result + m, n - m);
}

// 2^exponent mod q, within q/2 of zero.
double centred_power(unsigned exponent, Word q) noexcept {
  const auto power = static_cast<Word>((Uint128{1} << exponent) % q);
  return power > q / 2 ? -static_cast<double>(q - power) : static_cast<double>(power);
}

enum class Method : std::uint8_t { products32, real50, halves60 };

// Sums of a few 32-bit products are not worth a fold each.
Method method_of(const KernelModulus& q, Word bound) noexcept {
  constexpr Uint128 kFewTerms = 8;
  const Word largest = std::max(bound, q.value()) - 1;
  if (largest >> 32 == 0 && kFewTerms * (bound - 1) * (q.value() - 1) >> 64 == 0) {
    return Method::products32;
  }
  return fits_real(q) && bound <= kMaxSource50 ? Method::real50 : Method::halves60;
}

Sum32 sum32_of(const KernelModulus& q, Word bound) noexcept {
  const Word product = std::max<Word>((bound - 1) * (q.value() - 1), 1);
  return {static_cast<double>(q.value()), centred_power(32, q.value()), ~Word{0} / product};
}

// Products are below 2^p. High accumulators take 2^(52+k-p) terms, low ones 2^(54-k) (dot50.cpp).
Sum50 sum50_of(const KernelModulus& q, Word bound) noexcept {
  const unsigned p = static_cast<unsigned>(std::bit_width(bound - 1)) + q.bits();
  const unsigned k = p / 2 + 1;
  return {static_cast<double>(q.value()), static_cast<double>(Word{1} << k),
          centred_power(k, q.value()), std::size_t{1} << std::min(52 + k - p, 54 - k)};
}

Sum60 sum60_of(const KernelModulus& q, Word bound) noexcept {
  return {q.value(), q.inverse_63(), q.carry_60(), q.carry_companion_60(), q.terms_60(bound)};
}

void dot_target(const KernelModulus& q, const Word* const* a, std::size_t count,
                const DotTarget<Word>& target, std::size_t n) noexcept {
  switch (method_of(q, q.value())) {
    case Method::products32:
      return dot32(sum32_of(q, q.value()), a, count, target, n);
    case Method::real50:
      return dot50(sum50_of(q, q.value()), a, count, target, n);
    default:
      return dot60(sum60_of(q, q.value()), a, count, target, n);
  }
}

void dot(const KernelModulus& q, Range range, const Word* const* a, std::size_t count,
         const DotTarget<Word>* targets, std::size_t target_count, std::size_t n) noexcept {
  if (whole(n) != n) return portable::dot(q, range, a, count, targets, target_count, n);
  for (std::size_t t = 0; t < target_count; ++t) dot_target(q, a, count, targets[t], n);
}

template <typename Sum, typename SumOf, typename Kernel>
void dot_scalar_by(SumOf sum_of, Kernel kernel, Word source_bound, const Word* const* x,
                   std::size_t count, const DotScalarTarget* targets, std::size_t target_count,
                   std::size_t n) noexcept {
  Target<Sum> sums[KernelTable::kMaxTargets];
  for (std::size_t t = 0; t < target_count; ++t) {
    sums[t] = {sum_of(*targets[t].q, source_bound), targets[t].factors->values.data(),
               targets[t].result};
  }
  kernel(x, count, sums, target_count, n);
}

// The method of the target that needs most serves all.
void dot_scalar(Word source_bound, const Word* const* x, std::size_t count,
                const DotScalarTarget* targets, std::size_t target_count, std::size_t n) noexcept {
  if (whole(n) != n) {
    return portable::dot_scalar(source_bound, x, count, targets, target_count, n);
  }
  Method method = Method::products32;
  for (std::size_t t = 0; t < target_count; ++t) {
    method = std::max(method, method_of(*targets[t].q, source_bound));
  }
  switch (method) {
    case Method::products32:
      return dot_scalar_by<Sum32>(sum32_of, dot_scalar32, source_bound, x, count, targets,
                                  target_count, n);
    case Method::real50:
      return dot_scalar_by<Sum50>(sum50_of, dot_scalar50, source_bound, x, count, targets,
                                  target_count, n);
    default:
      return dot_scalar_by<Sum60>(sum60_of, dot_scalar60, source_bound, x, count, targets,
                                  target_count, n);
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

constexpr RateLoops kRateLoops = {.multiplier = Multiplier::vector_32,
                                  .lanes = kLanes,
                                  .multiply = multiply_32,
                                  .add = add_64,
                                  .read = read_words};

bool supported() noexcept {
  const base::CpuFeatures& features = base::cpu_features();
  return features.avx2 && features.fma;
}

}  // namespace

const KernelTable& kernel_table() {
  static const KernelTable kTable = {
      .name = "avx2",
      .supported = supported,
      .make_ntt = make_ntt,
      .add = add,
      .sub = sub,
      .neg = neg,
      .mul = mul,
      .add_scalar = add_scalar,
      .mul_scalar = mul_scalar,
      .sub_mul_scalar = sub_mul_scalar,
      .reduce = reduce,
      .dot = dot,
      .dot_packed = nullptr,
      .dot_scalar = dot_scalar,
      .quotient = quotient,
      .permute_eval = permute_eval,
      .permute_coeff = permute_coeff,
      .uniform = uniform,
      .rate_loops = &kRateLoops,
  };
  return kTable;
}

}  // namespace heliodor::cpu::avx2
