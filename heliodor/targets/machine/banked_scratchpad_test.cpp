// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/banked_scratchpad.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace heliodor::machine {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr Layout kLayout{.chunk_bits = 2, .degree_bits = 5};  // eight chunks of four words

Words read(const BankedScratchpad& scratchpad, const Access& access) {
  Words words(4);
  EXPECT_EQ(scratchpad.read(access, words), std::nullopt);
  return words;
}

/// The words 100, 101 .. of a limb, written row by row.
void write_limb(BankedScratchpad& scratchpad, Row first, bool wide, std::uint64_t scale = 1) {
  for (std::uint32_t chunk = 0; chunk < kLayout.chunks(); ++chunk) {
    Words words(4);
    std::iota(words.begin(), words.end(), 100 + 4 * chunk);
    for (std::uint64_t& word : words) word *= scale;
    scratchpad.write({.first = first, .wide = wide, .chunk = chunk}, words);
  }
}

TEST(BankedScratchpadTest, every_window_sees_the_words_of_its_indices) {
  for (const bool wide : {false, true}) {
    BankedScratchpad scratchpad(20, kLayout, 32);
    const std::uint64_t scale = wide ? (std::uint64_t{1} << 40) + 1 : 1;
    write_limb(scratchpad, 3, wide, scale);
    for (std::uint32_t window = 0; window < kLayout.windows(); ++window) {
      for (std::uint32_t chunk = 0; chunk < kLayout.chunks(); ++chunk) {
        Words expected;
        for (std::uint32_t lane = 0; lane < 4; ++lane) {
          expected.push_back(scale * (100 + kLayout.index(window, chunk, lane)));
        }
        EXPECT_EQ(read(scratchpad, {.first = 3, .wide = wide, .chunk = chunk, .window = window}),
                  expected);
      }
    }
  }
}

TEST(BankedScratchpadTest, a_linear_access_sees_the_banks_in_order) {
  BankedScratchpad scratchpad(8, kLayout, 32);
  write_limb(scratchpad, 0, false);
  // fold(7) = 3 xor 1 = 2: bank b holds lane b xor 2.
  EXPECT_EQ(read(scratchpad, {.chunk = 7, .linear = true}), (Words{130, 131, 128, 129}));
  scratchpad.write({.chunk = 7, .linear = true}, Words{1, 2, 3, 4});
  EXPECT_EQ(read(scratchpad, {.chunk = 7}), (Words{3, 4, 1, 2}));
}

TEST(BankedScratchpadTest, a_gather_delivers_each_word_at_its_bank) {
  BankedScratchpad scratchpad(16, kLayout, 32);
  for (std::uint32_t chunk = 0; chunk < 8; ++chunk) {
    scratchpad.write({.wide = true, .chunk = chunk, .linear = true},
                     Words{4 * chunk, 4 * chunk + 1, 4 * chunk + 2, 4 * chunk + 3});
  }
  Words words(4);
  EXPECT_EQ(scratchpad.gather(0, true, std::vector<std::uint32_t>{5, 12, 19, 26}, words),
            std::nullopt);
  EXPECT_EQ(words, (Words{12, 5, 26, 19}));
  EXPECT_EQ(scratchpad.gather(0, true, std::vector<std::uint32_t>{5, 12, 19, 13}, words),
            "lanes 0 and 3 need bank 1 in one access");
}

TEST(BankedScratchpadTest, words_never_written_are_named) {
  BankedScratchpad scratchpad(16, kLayout, 32);
  Words words(4);
  EXPECT_EQ(scratchpad.read({.first = 2, .chunk = 3}, words),
            "bank 3 of row 5 is read before it is written");  // lane 0 in bank fold(3)
  EXPECT_EQ(scratchpad.gather(2, false, std::vector<std::uint32_t>{6, 1, 0, 3}, words),
            "bank 2 of row 3 is read before it is written");
  scratchpad.write({.first = 4, .linear = true}, words);
  EXPECT_EQ(scratchpad.read({.first = 4, .wide = true}, words),
            "bank 0 of row 5 is read before it is written");  // the high halves
}

TEST(BankedScratchpadTest, cells_hold_no_more_bits_than_a_word) {
  BankedScratchpad narrow(16, kLayout, 20);
  const Words words{0, (1 << 20) - 1, 1 << 20, ~std::uint64_t{0}};
  narrow.write({}, words);
  EXPECT_EQ(read(narrow, {}), (Words{0, (1 << 20) - 1, 0, (1 << 20) - 1}));
  narrow.write({.wide = true}, words);
  const std::uint64_t all = (std::uint64_t{1} << 40) - 1;
  EXPECT_EQ(read(narrow, {.wide = true}), (Words{0, (1 << 20) - 1, 1 << 20, all}));
  BankedScratchpad full(8, kLayout, 64);
  full.write({}, Words(4, ~std::uint64_t{0}));  // not mistaken for words never written
  EXPECT_EQ(read(full, {}), Words(4, (std::uint64_t{1} << 60) - 1));
}

}  // namespace
}  // namespace heliodor::machine
