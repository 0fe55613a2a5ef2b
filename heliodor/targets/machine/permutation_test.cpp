// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Automorphisms made of permute_eval, unscramble and permute_coeff: right, and without a conflict
// in any bank or switch.
#include <gtest/gtest.h>

#include "heliodor/ring/automorphism.h"
#include "heliodor/targets/machine/internal/test_rig.h"

namespace heliodor::machine {
namespace {

using internal::TestRig;
using ring::bit_reverse;
using Words = TestRig::Words;

/// With k = bitrev(i), evaluation k of the result is evaluation g k + (g - 1) / 2 of the source.
/// The low bits of k name the chunk, the high ones the lane.
void emit_permute_eval(TestRig& rig, Row source, Row out, std::uint64_t g) {
  const Layout& layout = rig.program.layout;
  const unsigned row_bits = layout.degree_bits - layout.chunk_bits;
  rig.emit_limb(MicroCode::permute_eval, 0, [&](MicroOp& op) {
    const std::uint64_t k = g * bit_reverse(op.chunk, row_bits) + (g - 1) / 2;
    op.source_chunk = bit_reverse(static_cast<std::uint32_t>(k & (layout.chunks() - 1)), row_bits);
    op.immediate = g;
    op.offset = k >> row_bits;
    op.in[0] = Place::limb(source);
    op.out = Place::limb(out);
  });
}

/// Coefficient j of the result is coefficient j / g mod 2N of the source.
void emit_permute_coeff(TestRig& rig, Row source, Row linear, Row out, std::uint64_t g) {
  const std::uint64_t inverse = ring::inverse_galois_element(g, rig.program.degree());
  rig.emit_limb(MicroCode::unscramble, 0, [&](MicroOp& op) {
    op.in[0] = Place::limb(source);
    op.out = Place::limb(linear);
  });
  rig.emit_limb(MicroCode::permute_coeff, 0, [&](MicroOp& op) {
    op.in[0] = Place::limb(linear);
    op.out = Place::limb(out);
    op.immediate = inverse;
    op.offset = op.chunk * rig.program.layout.chunk_words() * inverse;
  });
}

/// By index: its bits in reverse.
std::vector<std::uint32_t> reversed_indices(std::size_t size) {
  std::vector<std::uint32_t> reversed{0};
  for (std::size_t half = size / 2; half != 0; half /= 2) {
    const std::size_t known = reversed.size();
    for (std::size_t i = 0; i < known; ++i) {
      reversed.push_back(reversed[i] + static_cast<std::uint32_t>(half));
    }
  }
  return reversed;
}

/// One limb on chip that automorphisms are applied to, one after the other.
class Automorphisms {
 public:
  Automorphisms(const Layout& layout, std::uint32_t word_bits, unsigned modulus_bits)
      : rig_(layout, word_bits, {modulus_bits}),
        x_(rig_.random_limb(0)),
        reversed_(reversed_indices(x_.size())),
        source_(rig_.load(x_, 0)),
        linear_(rig_.allocate(0)),
        out_(rig_.allocate(0)) {
    rig_.store(out_, 0);
    host_ = rig_.host();
    datapath_.emplace(rig_.program, host_, tables_);
    stores_.assign(rig_.program.ops.begin() + layout.chunks(), rig_.program.ops.end());
    rig_.program.ops.resize(layout.chunks());
    execute();
  }

  void expect_right(std::uint64_t g) {
    emit_permute_eval(rig_, source_, out_, g);
    execute_and_store();
    const std::size_t degree = x_.size();
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < degree; ++k) {
      const std::size_t source = (g * k + (g - 1) / 2) % degree;
      wrong += rig_.output(0)[reversed_[k]] != x_[reversed_[source]] ? 1 : 0;
    }
    emit_permute_coeff(rig_, source_, linear_, out_, g);
    execute_and_store();
    for (std::size_t i = 0; i < degree; ++i) {
      const std::size_t exponent = i * g % (2 * degree);
      const std::uint64_t word = rig_.output(0)[exponent % degree];
      const std::uint64_t expected =
          exponent < degree || x_[i] == 0 ? x_[i] : rig_.q(0).value() - x_[i];
      wrong += word != expected ? 1 : 0;
    }
    ASSERT_EQ(wrong, 0u) << "Galois element " << g;
  }

  std::uint64_t random_element() { return 2 * rig_.random_below(x_.size()) + 1; }

 private:
  void execute_and_store() {
    execute();
    rig_.program.ops = stores_;
    execute();
  }

  void execute() {
    for (const MicroOp& op : rig_.program.ops) ASSERT_EQ(datapath_->execute(op), std::nullopt);
    rig_.program.ops.clear();
  }

  TestRig rig_;
  Words x_;
  std::vector<std::uint32_t> reversed_;
  Row source_;
  Row linear_;
  Row out_;
  HostMemory host_;
  PassTables tables_;
  std::optional<Datapath> datapath_;
  std::vector<MicroOp> stores_;
};

TEST(PermutationTest, every_automorphism_of_512_words_in_chunks_of_16) {
  Automorphisms automorphisms({.chunk_bits = 4, .degree_bits = 9}, 32, 30);
  for (std::uint64_t g = 1; g < 1024; g += 2) automorphisms.expect_right(g);
}

TEST(PermutationTest, every_automorphism_in_other_shapes_and_of_wide_words) {
  Automorphisms one_chunk({.chunk_bits = 7, .degree_bits = 7}, 64, 60);
  Automorphisms short_chunks({.chunk_bits = 1, .degree_bits = 7}, 64, 60);
  Automorphisms wide({.chunk_bits = 4, .degree_bits = 7}, 30, 60);
  for (std::uint64_t g = 1; g < 256; g += 2) {
    one_chunk.expect_right(g);
    short_chunks.expect_right(g);
    wide.expect_right(g);
  }
}

TEST(PermutationTest, a_random_thousand_automorphisms_of_65536_words_in_chunks_of_2048) {
  Automorphisms automorphisms({.chunk_bits = 11, .degree_bits = 16}, 32, 32);
  automorphisms.expect_right(2 * 65536 - 1);
  for (int i = 0; i < 1000; ++i) automorphisms.expect_right(automorphisms.random_element());
}

}  // namespace
}  // namespace heliodor::machine
