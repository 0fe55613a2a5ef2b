// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/avx2/pointwise.h"

#include "heliodor/targets/cpu/avx2/lanes.h"

namespace heliodor::cpu::avx2 {

void add_words(Word q, const Word* a, const Word* b, Word* result, std::size_t n) noexcept {
  const Vec bound = broadcast(q);
  for (std::size_t i = 0; i < n; i += kLanes) {
    store(result + i, subtract_if_above(add(load(a + i), load(b + i)), bound));
  }
}

void sub_words(Word q, const Word* a, const Word* b, Word* result, std::size_t n) noexcept {
  const Vec bound = broadcast(q);
  for (std::size_t i = 0; i < n; i += kLanes) {
    const Vec difference = sub(load(a + i), load(b + i));
    store(result + i, select_by_sign(difference, add(difference, bound), difference));
  }
}

void neg_words(Word q, const Word* a, Word* result, std::size_t n) noexcept {
  const Vec bound = broadcast(q);
  for (std::size_t i = 0; i < n; i += kLanes) {
    store(result + i, subtract_if_above(sub(bound, load(a + i)), bound));
  }
}

void add_constant(Word q, const Word* a, Word c, Word* result, std::size_t n) noexcept {
  const Vec bound = broadcast(q), constant = broadcast(c);
  for (std::size_t i = 0; i < n; i += kLanes) {
    store(result + i, subtract_if_above(add(load(a + i), constant), bound));
  }
}

}  // namespace heliodor::cpu::avx2
