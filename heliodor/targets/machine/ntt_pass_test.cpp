// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Transforms made of passes against ring::reference.
#include "heliodor/targets/machine/ntt_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "heliodor/ring/reference.h"
#include "heliodor/targets/machine/internal/test_rig.h"

namespace heliodor::machine {
namespace {

using internal::TestRig;
using Words = TestRig::Words;

struct Pass {
  std::uint32_t bit;
  std::uint32_t stages;
};

/// Passes of `stages` index bits from the highest to bit 0; the last takes the rest.
std::vector<Pass> split(std::uint32_t degree_bits, std::uint32_t stages) {
  std::vector<Pass> passes;
  for (std::uint32_t end = degree_bits; end != 0; end = passes.back().bit) {
    const std::uint32_t count = std::min(end, stages);
    passes.push_back({end - count, count});
  }
  return passes;
}

/// In place; each pass in the lowest or highest window that holds its bits.
void emit_transform(TestRig& rig, Row row, MicroCode code, std::uint32_t stages, bool high_window) {
  const Layout& layout = rig.program.layout;
  std::vector<Pass> passes = split(layout.degree_bits, stages);
  if (code == MicroCode::intt_pass) std::ranges::reverse(passes);
  for (const Pass& pass : passes) {
    const std::uint32_t end = pass.bit + pass.stages;
    const std::uint32_t lowest = end < layout.chunk_bits ? 0 : end - layout.chunk_bits;
    const std::uint32_t highest = std::min(pass.bit, layout.windows() - 1);
    rig.emit_limb(code, 0, [&](MicroOp& op) {
      op.in[0] = op.out = Place::limb(row);
      op.bit = static_cast<std::uint8_t>(pass.bit);
      op.stages = static_cast<std::uint8_t>(pass.stages);
      op.window = static_cast<std::uint8_t>(high_window ? highest : lowest);
    });
  }
}

struct Shape {
  Layout layout;
  std::uint32_t word_bits;
  unsigned modulus_bits;
};

/// Both directions in every radix and both extreme windows.
void expect_transforms_of_the_reference(const Shape& shape) {
  for (std::uint32_t stages = 1; stages <= shape.layout.chunk_bits; ++stages) {
    for (const bool high_window : {false, true}) {
      SCOPED_TRACE(testing::Message()
                   << "N 2^" << shape.layout.degree_bits << " L 2^" << shape.layout.chunk_bits
                   << " radix 2^" << stages << " high window " << high_window);
      TestRig rig(shape.layout, shape.word_bits, {shape.modulus_bits});
      const Words x = rig.random_limb(0);
      const Row row = rig.load(x, 0);
      emit_transform(rig, row, MicroCode::ntt_pass, stages, high_window);
      const std::size_t forward = rig.store(row, 0);
      const Row other = rig.load(x, 0);
      emit_transform(rig, other, MicroCode::intt_pass, stages, high_window);
      const std::size_t inverse = rig.store(other, 0);
      ASSERT_EQ(rig.run(), std::nullopt);
      Words expected(x.size());
      ring::reference::ntt(rig.q(0), x, expected);
      EXPECT_EQ(rig.output(forward), expected);
      ring::reference::intt(rig.q(0), x, expected);
      EXPECT_EQ(rig.output(inverse), expected);
    }
  }
}

TEST(NttPassTest, passes_from_the_highest_bits_down_are_the_negacyclic_transform) {
  expect_transforms_of_the_reference({{.chunk_bits = 1, .degree_bits = 1}, 64, 20});
  expect_transforms_of_the_reference({{.chunk_bits = 4, .degree_bits = 4}, 64, 60});
  expect_transforms_of_the_reference({{.chunk_bits = 3, .degree_bits = 8}, 64, 60});
  expect_transforms_of_the_reference({{.chunk_bits = 1, .degree_bits = 6}, 64, 30});
  expect_transforms_of_the_reference({{.chunk_bits = 6, .degree_bits = 12}, 64, 59});
}

TEST(NttPassTest, wide_words_are_transformed_alike) {
  expect_transforms_of_the_reference({{.chunk_bits = 3, .degree_bits = 7}, 30, 60});
  expect_transforms_of_the_reference({{.chunk_bits = 3, .degree_bits = 7}, 32, 33});
}

TEST(NttPassTest, two_passes_of_radix_256_transform_65536_words_in_chunks_of_2048) {
  const Layout layout{.chunk_bits = 11, .degree_bits = 16};
  TestRig rig(layout, 32, {32});
  const Words x = rig.random_limb(0);
  const Row row = rig.load(x, 0);
  emit_transform(rig, row, MicroCode::ntt_pass, 8, true);
  EXPECT_EQ(std::ranges::count(rig.program.ops, MicroCode::ntt_pass, &MicroOp::code), 2 * 32);
  const std::size_t forward = rig.store(row, 0);
  emit_transform(rig, row, MicroCode::intt_pass, 8, true);
  const std::size_t back = rig.store(row, 0);
  ASSERT_EQ(rig.run(), std::nullopt);
  Words expected(x.size());
  ring::reference::ntt(rig.q(0), x, expected);
  EXPECT_EQ(rig.output(forward), expected);
  EXPECT_EQ(rig.output(back), x);
}

TEST(NttPassTest, the_root_is_the_one_of_the_modulus) {
  const Layout layout{.chunk_bits = 2, .degree_bits = 4};
  TestRig rig(layout, 64, {20});
  const ring::Modulus smallest = rig.q(0);
  const std::uint64_t other_root = smallest.pow(smallest.psi(), 5);
  rig.program.moduli[0] = ring::Modulus(smallest.value(), 16, other_root);
  const Words x = rig.random_limb(0);
  const Row row = rig.load(x, 0);
  emit_transform(rig, row, MicroCode::ntt_pass, 2, false);
  const std::size_t output = rig.store(row, 0);
  ASSERT_EQ(rig.run(), std::nullopt);
  Words expected(x.size());
  ring::reference::ntt(rig.q(0), x, expected);
  EXPECT_EQ(rig.output(output), expected);
}

TEST(NttPassTest, tables_are_made_once_and_shared_by_threads) {
  TestRig rig({.chunk_bits = 3, .degree_bits = 6}, 64, {30, 40});
  MicroOp op;
  op.code = MicroCode::ntt_pass;
  op.window = op.bit = op.stages = 3;
  PassTables tables;
  const PassConstants* found[2] = {};
  std::vector<std::thread> threads;
  for (const PassConstants*& slot : found) {
    threads.emplace_back([&] { slot = &tables.find(op, rig.program); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found[0], found[1]);
  op.modulus = 1;
  EXPECT_NE(&tables.find(op, rig.program), found[0]);
  EXPECT_EQ(found[0]->network.size(), 8u);
  EXPECT_EQ(found[0]->outer.size(), 8u);
}

}  // namespace
}  // namespace heliodor::machine
