// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The floor in quotient on both sides of an integer: words whose x*r/2^b has the smallest and the
// largest fractions, for AVX2 and AVX-512.
#include "heliodor/targets/cpu/avx2/convert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "heliodor/targets/cpu/avx512/convert.h"
#include "heliodor/targets/cpu/internal/kernel_inputs.h"
#include "heliodor/targets/cpu/kernel_table.h"

namespace heliodor::cpu {
namespace {

using ring::Uint128;

constexpr std::size_t kLength = 64;

/// Words below q with x*r = delta modulo 2^bits for the smallest |delta| that have one; where r is
/// even, modulo the remaining power of two.
std::vector<Word> words_next_to_integers(const KernelModulus& q) {
  const Word r = q.quotient_reciprocal();
  const auto zeros = static_cast<unsigned>(std::countr_zero(r));
  const unsigned bits = q.bits() - std::min(zeros, q.bits() - 1);
  const Word odd = r >> zeros, mask = (Word{1} << bits) - 1;
  Word inverse = odd;
  for (int step = 0; step < 6; ++step) inverse *= 2 - odd * inverse;
  std::vector<Word> words = {0, 1, q.value() - 1};
  for (Word delta = 0; words.size() < kLength; ++delta) {
    for (const Word signed_delta : {delta, Word{0} - delta}) {
      const Word x = (signed_delta * inverse) & mask;
      if (x < q.value() && words.size() < kLength) words.push_back(x);
    }
  }
  return words;
}

/// One term and then three equal ones, of all bits: kernels keep only those from 2^48 on.
template <typename Source, typename SumQuotients>
void expect_exact_floors(SumQuotients sum_quotients, const KernelModulus& q) {
  const std::vector<Word> x = words_next_to_integers(q);
  const std::vector<Source> sources(3, Source{x.data(), q.quotient_reciprocal(), q.bits()});
  for (const std::size_t count : {1u, 3u}) {
    std::vector<Word> result(kLength), expected(kLength);
    for (std::size_t i = 0; i < kLength; ++i) {
      const auto term = static_cast<Word>((Uint128{x[i]} * q.quotient_reciprocal()) >> q.bits());
      expected[i] = 7 + count * term;
    }
    sum_quotients(sources.data(), count, Word{7}, 0u, result.data(), kLength);
    EXPECT_EQ(result, expected) << "q = " << q.value();
  }
}

TEST(QuotientFloorTest, floor_is_right_on_both_sides_of_an_integer) {
  for (const ring::Modulus& modulus : internal::moduli_of_all_sizes(64)) {
    for (const KernelTable* table : supported_kernel_tables()) {
      if (table->name == "avx2") {
        expect_exact_floors<avx2::QuotientSource>(avx2::sum_quotients, modulus);
      } else if (table->name == "avx512ifma") {
        expect_exact_floors<avx512::QuotientSource>(avx512::sum_quotients, modulus);
      }
    }
  }
}

}  // namespace
}  // namespace heliodor::cpu
