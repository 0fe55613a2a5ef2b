// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/portable/kernels.h"

namespace heliodor::cpu::portable {
namespace {

Word product(const KernelModulus& q, Word x, const KernelScalar& c) noexcept {
  const Word lazy = q.modulus().mul_shoup_lazy(x, c.value, c.companion_64);  // below 2q
  const Word over = Word{0} - static_cast<Word>(lazy >= q.value());
  return lazy - (q.value() & over);
}

}  // namespace

void add(const KernelModulus& q, const Word* a, const Word* b, Word* result,
         std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) result[i] = q.modulus().add(a[i], b[i]);
}

void sub(const KernelModulus& q, const Word* a, const Word* b, Word* result,
         std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) result[i] = q.modulus().sub(a[i], b[i]);
}

void neg(const KernelModulus& q, const Word* a, Word* result, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) result[i] = q.modulus().neg(a[i]);
}

void mul(const KernelModulus& q, const Word* a, const Word* b, Word* result,
         std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) result[i] = q.modulus().mul(a[i], b[i]);
}

void add_scalar(const KernelModulus& q, const Word* a, Word c, Word* result,
                std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) result[i] = q.modulus().add(a[i], c);
}

void mul_scalar(const KernelModulus& q, const Word* a, const KernelScalar& c, Word* result,
                std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) result[i] = product(q, a[i], c);
}

void sub_mul_scalar(const KernelModulus& q, const Word* a, const Word* b, const KernelScalar& c,
                    Word* result, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) result[i] = product(q, q.modulus().sub(a[i], b[i]), c);
}

}  // namespace heliodor::cpu::portable
