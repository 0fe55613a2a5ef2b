// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/limb_arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"

namespace heliodor::base {
namespace {

static_assert(!std::is_copy_constructible_v<LimbArena> && !std::is_copy_assignable_v<LimbArena>);

std::uintptr_t address(const LimbArena& arena, std::size_t index) {
  return reinterpret_cast<std::uintptr_t>(arena.limb(index).data());
}

ErrorCode code_of(std::size_t limb_count, std::size_t words) {
  try {
    const LimbArena arena(limb_count, words);
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "an arena of " << limb_count << " limbs of " << words << " words was made";
  return ErrorCode::io;
}

/// Sizes on both sides of the change from heap to mapping, and lengths that are not powers of two.
struct Size {
  std::size_t limb_count;
  std::size_t words;
};
constexpr Size kSizes[] = {{1, 1},      {3, 5},      {4, 16},    {7, 1023},   {1, 130935},
                           {1, 130936}, {1, 131072}, {3, 65536}, {5, 100003}, {40, 65536}};

TEST(LimbArenaTest, limbs_are_aligned_zero_and_writable_to_their_ends) {
  for (const auto& [limb_count, words] : kSizes) {
    SCOPED_TRACE(testing::Message() << limb_count << " limbs of " << words << " words");
    LimbArena arena(limb_count, words);
    ASSERT_EQ(arena.limb_count(), limb_count);
    ASSERT_EQ(arena.words(), words);
    EXPECT_GE(arena.bytes(), limb_count * words * 8);
    for (std::size_t i = 0; i < limb_count; ++i) {
      const auto limb = arena.limb(i);
      ASSERT_EQ(limb.size(), words);
      ASSERT_EQ(address(arena, i) % 64, 0u);
      ASSERT_TRUE(std::all_of(limb.begin(), limb.end(), [](std::uint64_t w) { return w == 0; }));
      std::fill(limb.begin(), limb.end(), i + 1);
    }
    for (std::size_t i = 0; i < limb_count; ++i) {
      const auto limb = std::as_const(arena).limb(i);
      ASSERT_TRUE(
          std::all_of(limb.begin(), limb.end(), [i](std::uint64_t w) { return w == i + 1; }))
          << "limb " << i << " overlaps another";
    }
  }
}

TEST(LimbArenaTest, limbs_are_zero_whatever_an_arena_of_their_size_held) {
  for (const auto& [limb_count, words] : kSizes) {
    for (int round = 0; round < 3; ++round) {
      LimbArena arena(limb_count, words);
      for (std::size_t i = 0; i < limb_count; ++i) {
        const auto limb = arena.limb(i);
        ASSERT_TRUE(std::all_of(limb.begin(), limb.end(), [](std::uint64_t w) { return w == 0; }));
        std::fill(limb.begin(), limb.end(), 7);
      }
    }
  }
}

TEST(LimbArenaTest, arenas_alive_together_never_share_a_block) {
  for (int round = 0; round < 3; ++round) {  // from the second on, from kept blocks
    std::vector<LimbArena> arenas;
    std::vector<std::uintptr_t> starts;
    for (std::size_t i = 0; i < 100; ++i) {
      arenas.emplace_back(1 + i % 3, 65536, Fill::nothing);
      starts.push_back(address(arenas.back(), 0));
      std::ranges::fill(arenas.back().limb(i % 3), i);
    }
    std::ranges::sort(starts);
    EXPECT_EQ(std::ranges::adjacent_find(starts), starts.end());
    for (std::size_t i = 0; i < 100; ++i) {
      const auto limb = arenas[i].limb(i % 3);
      ASSERT_TRUE(std::ranges::all_of(limb, [i](std::uint64_t w) { return w == i; })) << i;
    }
  }
}

TEST(LimbArenaTest, limbs_are_staggered_by_17_cache_lines) {
  for (const auto& [limb_count, words] : kSizes) {
    const LimbArena arena(limb_count, words);
    const std::size_t lines = (words * 8 + 63) / 64;
    for (std::size_t i = 0; i + 1 < limb_count; ++i) {
      ASSERT_EQ(address(arena, i + 1) - address(arena, i), lines * 64 + 1088);
    }
  }
}

TEST(LimbArenaTest, sixty_four_limbs_start_in_sixty_four_cache_sets) {
  const LimbArena arena(64, 4096);
  std::set<std::uintptr_t> sets;
  for (std::size_t i = 0; i < 64; ++i) {
    sets.insert(address(arena, i) / 64 % 64);
  }
  EXPECT_EQ(sets.size(), 64u);
}

TEST(LimbArenaTest, large_blocks_start_on_a_huge_page_and_waste_at_most_one_mebibyte) {
  for (const auto& [limb_count, words] : kSizes) {
    const LimbArena arena(limb_count, words);
    const std::size_t needed = limb_count * ((words * 8 + 63) / 64 * 64 + 1088);
    ASSERT_GE(arena.bytes(), needed);
    ASSERT_LE(arena.bytes(), needed + (std::size_t{1} << 20));
    if (needed >= std::size_t{1} << 20) {
      ASSERT_EQ(address(arena, 0) % (std::size_t{1} << 21), 0u);
    }
  }
}

TEST(LimbArenaTest, empty_arenas_take_nothing_or_hold_empty_limbs) {
  EXPECT_EQ(LimbArena().bytes(), 0u);
  EXPECT_EQ(LimbArena(0, 1024).bytes(), 0u);
  LimbArena arena(3, 0);
  EXPECT_EQ(arena.limb_count(), 3u);
  EXPECT_TRUE(arena.limb(2).empty());
  LimbArena().wipe();
}

TEST(LimbArenaTest, a_refused_allocation_is_out_of_memory) {
  // 2^49 bytes exceed the 2^47 of an x86-64 process and the 2^48 of an aarch64 one.
  EXPECT_EQ(code_of(1, std::size_t{1} << 46), ErrorCode::out_of_memory);
  EXPECT_EQ(code_of(std::size_t{1} << 30, std::size_t{1} << 16), ErrorCode::out_of_memory);
}

constexpr std::size_t kMax = std::numeric_limits<std::size_t>::max();

TEST(LimbArenaTest, a_size_that_overflows_is_out_of_range) {
  EXPECT_EQ(code_of(1, kMax), ErrorCode::out_of_range);
  EXPECT_EQ(code_of(1, kMax / 8), ErrorCode::out_of_range);
  EXPECT_EQ(code_of(1, kMax / 8 - 136), ErrorCode::out_of_range);
  EXPECT_EQ(code_of(kMax, 1), ErrorCode::out_of_range);
  EXPECT_EQ(code_of(kMax, 0), ErrorCode::out_of_range);
  EXPECT_EQ(code_of(std::size_t{1} << 32, std::size_t{1} << 32), ErrorCode::out_of_range);
}

TEST(LimbArenaTest, moving_passes_the_block_on_and_leaves_an_empty_arena) {
  LimbArena from(2, 100);
  from.limb(1)[99] = 7;
  const std::uintptr_t block = address(from, 0);
  LimbArena to(std::move(from));
  EXPECT_EQ(address(to, 0), block);
  EXPECT_EQ(to.limb(1)[99], 7u);
  EXPECT_EQ(from.limb_count(), 0u);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(from.bytes(), 0u);

  LimbArena target(5, 65536);
  target = std::move(to);
  EXPECT_EQ(address(target, 0), block);
  EXPECT_EQ(target.words(), 100u);
  EXPECT_EQ(to.bytes(), 0u);  // NOLINT(bugprone-use-after-move)

  LimbArena& itself = target;
  target = std::move(itself);
  EXPECT_EQ(target.limb(1)[99], 7u);
}

/// The first number of /proc/self/statm: the size of this process's address space in pages.
std::size_t mapped_pages() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  EXPECT_TRUE(file >> pages);
  return pages;
}

TEST(LimbArenaTest, dead_arenas_give_their_address_space_back) {
  { const LimbArena warm_up(5, 100003); }
  const std::size_t before = mapped_pages();
  for (int i = 0; i < 200; ++i) {
    const LimbArena odd(5, 100003);
    const LimbArena even(4, 65536);
  }
  // Far less than the 1.2 GB of all blocks, or than one lost edge of each mapping.
  EXPECT_LT(mapped_pages(), before + 16384);
}

TEST(LimbArenaTest, wipe_zeroes_every_word) {
  for (const auto& [limb_count, words] : kSizes) {
    LimbArena arena(limb_count, words);
    for (std::size_t i = 0; i < limb_count; ++i) {
      std::fill(arena.limb(i).begin(), arena.limb(i).end(), ~std::uint64_t{0});
    }
    arena.wipe();
    for (std::size_t i = 0; i < limb_count; ++i) {
      const auto limb = arena.limb(i);
      ASSERT_TRUE(std::all_of(limb.begin(), limb.end(), [](std::uint64_t w) { return w == 0; }));
    }
  }
}

}  // namespace
}  // namespace heliodor::base
