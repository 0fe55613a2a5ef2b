// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The rejection steps of AVX2 and AVX-512 on words at the bound, which key streams almost never
// contain.
#include "heliodor/targets/cpu/avx2/uniform.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "heliodor/base/random.h"
#include "heliodor/targets/cpu/avx512/uniform.h"
#include "heliodor/targets/cpu/kernel_table.h"

namespace heliodor::cpu {
namespace {

using TakeBelow = std::size_t (*)(Word, Word, const Word*, std::size_t, Word*,
                                  std::size_t) noexcept;

constexpr Word kGuard = 0xdead'beef'0bad'cafe;

/// Words that, masked, are next to q or anything, under random upper bits.
std::vector<Word> words_next_to(Word q, Word mask, std::size_t count) {
  base::RandomStream random(base::TestSeed(q), "uniform test");
  std::vector<Word> words(count);
  for (Word& word : words) {
    const Word choice = random.below(6);
    const Word low = choice < 3 ? q - 1 + choice : random.below(mask + 1);
    word = (random.next() & ~mask) | (low & mask);
  }
  return words;
}

void expect_takes_what_a_loop_takes(TakeBelow take_below, Word q, Word mask, std::size_t count,
                                    std::size_t room) {
  const std::vector<Word> words = words_next_to(q, mask, count);
  std::vector<Word> expected;
  for (const Word word : words) {
    if ((word & mask) < q && expected.size() < room) expected.push_back(word & mask);
  }
  std::vector<Word> result(room + 1, kGuard);
  ASSERT_EQ(take_below(q, mask, words.data(), count, result.data(), room), expected.size());
  EXPECT_EQ(result.back(), kGuard) << "a word beyond the room was written";
  result.resize(expected.size());
  EXPECT_EQ(result, expected) << "q = " << q << ", room " << room;
}

TEST(TakeBelowTest, words_below_the_modulus_are_taken_in_order_up_to_the_room) {
  for (const KernelTable* table : supported_kernel_tables()) {
    if (table->name == "portable") continue;
    const TakeBelow take_below = table->name == "avx2" ? avx2::take_below : avx512::take_below;
    SCOPED_TRACE(table->name);
    for (const unsigned bits : {20u, 30u, 50u, 60u}) {
      const Word mask = (Word{1} << bits) - 1;
      for (const Word q : {mask, mask - 12, (Word{1} << (bits - 1)) + 1}) {
        for (const std::size_t count : {8u, 16u, 64u, 256u}) {
          for (std::size_t room = 0; room <= count + 9; room += room < 20 ? 1 : 13)
            expect_takes_what_a_loop_takes(take_below, q, mask, count, room);
        }
      }
    }
  }
}

}  // namespace
}  // namespace heliodor::cpu
