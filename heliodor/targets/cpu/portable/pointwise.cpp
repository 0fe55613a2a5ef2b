// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/portable/kernels.h"

namespace heliodor::cpu::portable {

void add(const ring::Modulus& q, const Word* a, const Word* b, Word* result, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) result[i] = q.add(a[i], b[i]);
}

void sub(const ring::Modulus& q, const Word* a, const Word* b, Word* result, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) result[i] = q.sub(a[i], b[i]);
}

void neg(const ring::Modulus& q, const Word* a, Word* result, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) result[i] = q.neg(a[i]);
}

void mul(const ring::Modulus& q, const Word* a, const Word* b, Word* result, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) result[i] = q.mul(a[i], b[i]);
}

void add_scalar(const ring::Modulus& q, const Word* a, Word c, Word* result, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) result[i] = q.add(a[i], c);
}

void mul_scalar(const ring::Modulus& q, const Word* a, Word c, Word* result, std::size_t n) noexcept {
  const Word c_shoup = q.shoup(c);
  for (std::size_t i = 0; i < n; ++i) {
    const Word lazy = q.mul_shoup_lazy(a[i], c, c_shoup);  // below 2q
    const Word over = Word{0} - static_cast<Word>(lazy >= q.value());
    result[i] = lazy - (q.value() & over);
  }
}

}  // namespace heliodor::cpu::portable
