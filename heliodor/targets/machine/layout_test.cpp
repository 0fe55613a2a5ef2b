// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace heliodor::machine {
namespace {

constexpr std::uint32_t kMaxDegreeBits = 16;
constexpr std::uint32_t kMaxChunkBits = 11;

/// Calls f for every layout up to 2^16 words in chunks of up to 2^11.
template <typename F>
void for_all_layouts(F f) {
  for (std::uint32_t degree_bits = 1; degree_bits <= kMaxDegreeBits; ++degree_bits) {
    for (std::uint32_t bits = 0; bits <= std::min(degree_bits, kMaxChunkBits); ++bits) {
      f(Layout{.chunk_bits = bits, .degree_bits = degree_bits});
    }
  }
}

/// By index: the bank from the definition in layout.h, where bit j of the index reaches bank bit j
/// mod l alone.
std::vector<std::uint32_t> banks_of(const Layout& layout) {
  std::vector<std::uint32_t> banks{0};
  for (std::uint32_t j = 0; j < layout.degree_bits; ++j) {
    const std::uint32_t bit = layout.chunk_bits == 0 ? 0 : 1u << (j % layout.chunk_bits);
    for (std::size_t i = 0; i < std::size_t{1} << j; ++i) banks.push_back(banks[i] ^ bit);
  }
  return banks;
}

TEST(LayoutTest, the_bank_of_a_word_is_its_lane_xored_with_the_fold_of_its_chunk) {
  for_all_layouts([](const Layout& layout) {
    const std::uint32_t words = layout.chunk_words();
    const std::vector<std::uint32_t> banks = banks_of(layout);
    std::uint32_t wrong = 0;
    for (std::uint32_t i = 0; i < 1u << layout.degree_bits; ++i) {
      wrong += (i % words ^ layout.fold(i / words)) != banks[i] ? 1 : 0;
    }
    ASSERT_EQ(wrong, 0u) << layout.degree_bits << " " << layout.chunk_bits;
  });
}

TEST(LayoutTest, every_access_of_every_window_reaches_every_bank_once) {
  for_all_layouts([](const Layout& layout) {
    const std::vector<std::uint32_t> banks = banks_of(layout);
    std::vector<std::uint32_t> used(layout.chunk_words(), 0);
    std::uint32_t access = 0;
    for (std::uint32_t window = 0; window < layout.windows(); ++window) {
      for (std::uint32_t chunk = 0; chunk < layout.chunks(); ++chunk) {
        ++access;
        std::uint32_t conflicts = 0;
        for (std::uint32_t lane = 0; lane < layout.chunk_words(); ++lane) {
          std::uint32_t& last = used[banks[layout.index(window, chunk, lane)]];
          conflicts += last == access ? 1 : 0;
          last = access;
        }
        ASSERT_EQ(conflicts, 0u) << layout.degree_bits << " " << layout.chunk_bits << " window "
                                 << window << " chunk " << chunk;
      }
    }
  });
}

TEST(LayoutTest, the_chunks_of_a_window_are_the_words_of_the_limb) {
  for_all_layouts([](const Layout& layout) {
    if (layout.degree_bits > 10) return;
    for (std::uint32_t window = 0; window < layout.windows(); ++window) {
      std::vector<bool> seen(std::size_t{1} << layout.degree_bits);
      for (std::uint32_t chunk = 0; chunk < layout.chunks(); ++chunk) {
        for (std::uint32_t lane = 0; lane < layout.chunk_words(); ++lane) {
          const std::uint32_t index = layout.index(window, chunk, lane);
          ASSERT_LT(index, seen.size());
          EXPECT_EQ(index >> window & (layout.chunk_words() - 1), lane);
          seen[index] = true;
        }
      }
      EXPECT_EQ(std::ranges::count(seen, false), 0);
    }
  });
}

TEST(LayoutTest, window_zero_holds_the_words_of_one_row) {
  const Layout layout{.chunk_bits = 3, .degree_bits = 8};
  for (std::uint32_t chunk = 0; chunk < layout.chunks(); ++chunk) {
    for (std::uint32_t lane = 0; lane < 8; ++lane) {
      EXPECT_EQ(layout.index(0, chunk, lane), 8 * chunk + lane);
    }
  }
}

TEST(LayoutTest, in_linear_layout_odd_steps_reach_every_bank_once) {
  const std::uint32_t words = 64;
  for (std::uint32_t step = 1; step < 4096; step += 2) {
    std::vector<bool> used(words);
    for (std::uint32_t j = 0; j < words; ++j) used[(17 + j * step) % words] = true;
    EXPECT_EQ(std::ranges::count(used, false), 0) << step;
  }
}

}  // namespace
}  // namespace heliodor::machine
