// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/portable/kernels.h"

namespace heliodor::cpu::portable {

void permute_eval(const std::uint32_t* sources, const Word* a, Word* result,
                  std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) result[i] = a[sources[i]];
}

// Coefficient i lands at i*g mod n, negated when i*g mod 2n >= n. Addresses and the sign depend on
// i alone.
void permute_coeff(const KernelModulus& q, std::uint64_t galois_element, const Word* a,
                   Word* result, std::size_t n) noexcept {
  std::uint64_t exponent = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Word negative = q.modulus().neg(a[i]);
    const Word mask = Word{0} - static_cast<Word>((exponent & n) != 0);
    result[exponent & (n - 1)] = (negative & mask) | (a[i] & ~mask);
    exponent += galois_element;
  }
}

}  // namespace heliodor::cpu::portable
