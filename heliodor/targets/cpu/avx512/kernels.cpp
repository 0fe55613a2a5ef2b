// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each kernel here decides by sizes whether the 52-bit arithmetic covers the call, prepares its constants, and hands over
// to the files compiled with the AVX-512 flags. This file is compiled without them.
#include "heliodor/targets/cpu/avx512/kernels.h"

#include "heliodor/base/cpu_features.h"
#include "heliodor/targets/cpu/avx512/dot.h"
#include "heliodor/targets/cpu/avx512/pointwise.h"
#include "heliodor/targets/cpu/avx512/transform_tables.h"
#include "heliodor/targets/cpu/portable/kernels.h"

namespace heliodor::cpu::avx512 {
namespace {

using ring::Modulus;
using ring::Uint128;

constexpr std::size_t kMinWords = 8;
constexpr unsigned kMaxBits = 50;
constexpr Word kMaxSource = Word{1} << 52;

bool covers(const Modulus& q, std::size_t n) noexcept { return q.bits() <= kMaxBits && n >= kMinWords; }

void add(const Modulus& q, const Word* a, const Word* b, Word* result, std::size_t n) noexcept {
  if (n < kMinWords) return portable::add(q, a, b, result, n);
  add_words(q.value(), a, b, result, n);
}

void sub(const Modulus& q, const Word* a, const Word* b, Word* result, std::size_t n) noexcept {
  if (n < kMinWords) return portable::sub(q, a, b, result, n);
  sub_words(q.value(), a, b, result, n);
}

void neg(const Modulus& q, const Word* a, Word* result, std::size_t n) noexcept {
  if (n < kMinWords) return portable::neg(q, a, result, n);
  neg_words(q.value(), a, result, n);
}

void mul(const Modulus& q, const Word* a, const Word* b, Word* result, std::size_t n) noexcept {
  if (!covers(q, n)) return portable::mul(q, a, b, result, n);
  const auto mu = static_cast<Word>((Uint128{1} << (51 + q.bits())) / q.value());
  mul_words(q.value(), q.bits(), mu, a, b, result, n);
}

void add_scalar(const Modulus& q, const Word* a, Word c, Word* result, std::size_t n) noexcept {
  if (n < kMinWords) return portable::add_scalar(q, a, c, result, n);
  add_constant(q.value(), a, c, result, n);
}

void mul_scalar(const Modulus& q, const Word* a, Word c, Word* result, std::size_t n) noexcept {
  if (!covers(q, n)) return portable::mul_scalar(q, a, c, result, n);
  mul_constant(q.value(), a, c, static_cast<Word>((Uint128{c} << 52) / q.value()), result, n);
}

void dot(const Modulus& q, const Word* const* a, const Word* const* b, std::size_t count, Word* result,
         std::size_t n) noexcept {
  if (!covers(q, n)) return portable::dot(q, a, b, count, result, n);
  dot_words(DotConstants(q.value(), q.value()), a, b, count, result, n);
}

void dot_scalar(const Modulus& q, Word source_bound, const Word* const* x, const Word* c, std::size_t count,
                Word* result, std::size_t n) noexcept {
  if (!covers(q, n) || source_bound > kMaxSource) {
    return portable::dot_scalar(q, source_bound, x, c, count, result, n);
  }
  dot_constants(DotConstants(q.value(), source_bound), x, c, count, result, n);
}

std::unique_ptr<const Ntt> make_ntt(const Modulus& q) {
  if (q.bits() > kMaxNttBits || q.degree() < kMinNttDegree) return portable::make_ntt(q);
  return make_ifma_ntt(q);
}

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
    table.dot = dot;
    table.dot_scalar = dot_scalar;
    table.costs.pointwise = 0.5;
    table.costs.mul = 1;
    table.costs.mac = 0.4;
    table.costs.mac_finish = 1;
    table.costs.butterfly = 0.5;
    return table;
  }();
  return kTable;
}

}  // namespace heliodor::cpu::avx512
