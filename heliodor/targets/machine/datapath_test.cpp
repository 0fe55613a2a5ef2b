// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every operation on whole limbs against ring::reference, in several layouts and word widths.
#include "heliodor/targets/machine/datapath.h"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>

#include "heliodor/ring/reference.h"
#include "heliodor/targets/machine/internal/test_rig.h"

namespace heliodor::machine {
namespace {

using internal::TestRig;
using Words = TestRig::Words;
using ring::Modulus;
namespace reference = ring::reference;

struct Case {
  Layout layout;
  std::uint32_t word_bits;
  std::vector<unsigned> modulus_bits;

  friend std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << "N 2^" << c.layout.degree_bits << " L 2^" << c.layout.chunk_bits << " words of "
               << c.word_bits << " bits, q0 of " << c.modulus_bits[0];
  }
};

/// Narrow and wide words, one chunk and many, chunks of one word, moduli of both widths.
std::vector<Case> cases() {
  return {
      {{.chunk_bits = 3, .degree_bits = 6}, 64, {60, 20, 45}},
      {{.chunk_bits = 3, .degree_bits = 8}, 32, {32, 20, 60}},
      {{.chunk_bits = 5, .degree_bits = 5}, 32, {50, 31, 60}},
      {{.chunk_bits = 0, .degree_bits = 3}, 64, {30, 50, 60}},
      {{.chunk_bits = 2, .degree_bits = 7}, 30, {59, 60, 30}},
  };
}

class DatapathTest : public testing::TestWithParam<Case> {
 protected:
  TestRig rig_{GetParam().layout, GetParam().word_bits, GetParam().modulus_bits};

  /// Executes the code on every chunk of x (and y) modulo q0 and stores the result.
  Words result_of(MicroCode code, const Words& x, const Words& y, std::uint64_t immediate = 0) {
    const Row first = rig_.load(x, 0);
    const Row second = rig_.load(y, 0);
    const Row out = rig_.allocate(0);
    rig_.emit_limb(code, 0, [&](MicroOp& op) {
      op.in = {Place::limb(first), Place::limb(second)};
      op.out = Place::limb(out);
      op.immediate = immediate;
    });
    const std::size_t output = rig_.store(out, 0);
    EXPECT_EQ(rig_.run(), std::nullopt);
    return rig_.output(output);
  }

  Words expected(const std::function<void(std::span<std::uint64_t>)>& reference) {
    Words words(rig_.program.degree());
    reference(words);
    return words;
  }
};

INSTANTIATE_TEST_SUITE_P(Cases, DatapathTest, testing::ValuesIn(cases()),
                         [](const auto& shape) { return "case" + std::to_string(shape.index); });

TEST_P(DatapathTest, arithmetic_is_that_of_the_reference) {
  const Modulus& q = rig_.q(0);
  const Words x = rig_.random_limb(0);
  const Words y = rig_.random_limb(0);
  const std::uint64_t c = q.value() - 2;
  EXPECT_EQ(result_of(MicroCode::add, x, y), expected([&](auto r) { reference::add(q, x, y, r); }));
  EXPECT_EQ(result_of(MicroCode::sub, x, y), expected([&](auto r) { reference::sub(q, x, y, r); }));
  EXPECT_EQ(result_of(MicroCode::mul, x, y), expected([&](auto r) { reference::mul(q, x, y, r); }));
  EXPECT_EQ(result_of(MicroCode::neg, x, y), expected([&](auto r) { reference::neg(q, x, r); }));
  EXPECT_EQ(result_of(MicroCode::add_imm, x, y, c),
            expected([&](auto r) { reference::add_scalar(q, x, c, r); }));
  EXPECT_EQ(result_of(MicroCode::mul_imm, x, y, c),
            expected([&](auto r) { reference::mul_scalar(q, x, c, r); }));
}

TEST_P(DatapathTest, sums_of_products_run_in_the_accumulator) {
  const std::vector<Words> x{rig_.random_limb(0), rig_.random_limb(0), rig_.random_limb(0)};
  const std::vector<Words> y{rig_.random_limb(0), rig_.random_limb(0), rig_.random_limb(0)};
  std::vector<std::pair<Row, Row>> rows;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const Row first = rig_.load(x[k], 0);
    rows.emplace_back(first, rig_.load(y[k], 0));
  }
  const Row out = rig_.allocate(0);
  for (std::uint32_t chunk = 0; chunk < rig_.program.layout.chunks(); ++chunk) {
    for (std::size_t k = 0; k < x.size(); ++k) {
      MicroOp& op = rig_.emit(MicroCode::mac, 0);
      op.chunk = chunk;
      op.in = {Place::limb(rows[k].first), Place::limb(rows[k].second)};
      op.out = Place::limb(out);
      op.first = k == 0;
      op.last = k + 1 == x.size();
    }
  }
  const std::size_t output = rig_.store(out, 0);
  ASSERT_EQ(rig_.run(), std::nullopt);
  const std::vector<reference::In> a(x.begin(), x.end());
  const std::vector<reference::In> b(y.begin(), y.end());
  EXPECT_EQ(rig_.output(output), expected([&](auto r) { reference::dot(rig_.q(0), a, b, r); }));
}

TEST_P(DatapathTest, weighted_sums_take_words_of_other_moduli_from_registers) {
  const std::vector<Modulus>& moduli = rig_.program.moduli;
  std::vector<Words> x;
  std::vector<Row> rows;
  std::vector<std::uint64_t> c;
  for (std::uint32_t k = 0; k < moduli.size(); ++k) {
    x.push_back(rig_.random_limb(k));
    rows.push_back(rig_.load(x.back(), k));
    c.push_back(rig_.random_below(moduli[0].value()));
  }
  const Row out = rig_.allocate(0);
  for (std::uint32_t chunk = 0; chunk < rig_.program.layout.chunks(); ++chunk) {
    for (std::uint32_t k = 0; k < x.size(); ++k) {
      MicroOp& fetch = rig_.emit(MicroCode::fetch, k);
      fetch.chunk = chunk;
      fetch.in[0] = Place::limb(rows[k]);
      fetch.out = Place::reg(k);
    }
    for (std::uint32_t k = 0; k < x.size(); ++k) {
      MicroOp& op = rig_.emit(MicroCode::mac_imm, 0);
      op.chunk = chunk;
      op.source_modulus = k;
      op.in[0] = Place::reg(k);
      op.out = Place::limb(out);
      op.immediate = c[k];
      op.first = k == 0;
      op.last = k + 1 == x.size();
    }
  }
  const std::size_t output = rig_.store(out, 0);
  ASSERT_EQ(rig_.run(), std::nullopt);
  const std::vector<reference::In> in(x.begin(), x.end());
  EXPECT_EQ(rig_.output(output),
            expected([&](auto r) { reference::dot_scalar(moduli[0], moduli, in, c, r); }));
}

TEST_P(DatapathTest, quotients_are_those_of_the_fixed_point_formula) {
  const std::vector<Modulus>& moduli = rig_.program.moduli;
  std::vector<Words> x;
  std::vector<Row> rows;
  for (std::uint32_t k = 0; k < moduli.size(); ++k) {
    x.push_back(rig_.random_limb(k));
    rows.push_back(rig_.load(x.back(), k));
  }
  const Row out = rig_.allocate(0);
  for (std::uint32_t chunk = 0; chunk < rig_.program.layout.chunks(); ++chunk) {
    for (std::uint32_t k = 0; k < x.size(); ++k) {
      MicroOp& op = rig_.emit(MicroCode::quotient_mac, 0);
      op.chunk = chunk;
      op.source_modulus = k;
      op.in[0] = Place::limb(rows[k]);
      op.first = k == 0;
      const ring::Uint128 one = ring::Uint128{1} << (moduli[k].bits() + reference::kQuotientBits);
      op.immediate = static_cast<std::uint64_t>(one / moduli[k].value());
    }
    MicroOp& round = rig_.emit(MicroCode::quotient_round, 0);
    round.chunk = chunk;
    round.out = Place::limb(out);
    round.immediate = x.size() + (std::uint64_t{1} << (reference::kQuotientBits - 1));
  }
  const std::size_t output = rig_.store(out, 0);
  ASSERT_EQ(rig_.run(), std::nullopt);
  const std::vector<reference::In> in(x.begin(), x.end());
  EXPECT_EQ(rig_.output(output),
            expected([&](auto r) { reference::quotient(moduli, in, ring::Rounding::nearest, r); }));
}

TEST_P(DatapathTest, reduce_lifts_plain_and_centred) {
  Words x = rig_.random_limb(1);
  x[1] = rig_.q(1).value() / 2;  // the largest that stays positive
  x[2] = x[1] + 1;
  const Row row = rig_.load(x, 1);
  for (const bool centred : {false, true}) {
    const Row out = rig_.allocate(0);
    rig_.emit_limb(MicroCode::reduce, 0, [&](MicroOp& op) {
      op.source_modulus = 1;
      op.in[0] = Place::limb(row);
      op.out = Place::limb(out);
      op.centred = centred;
    });
    const std::size_t output = rig_.store(out, 0);
    ASSERT_EQ(rig_.run(), std::nullopt);
    const ring::Lift lift = centred ? ring::Lift::centred : ring::Lift::plain;
    EXPECT_EQ(rig_.output(output),
              expected([&](auto r) { reference::reduce(rig_.q(1), rig_.q(0), lift, x, r); }));
  }
}

TEST_P(DatapathTest, uniform_words_are_those_of_the_stream) {
  base::PublicSeed seed;
  seed.bytes = {1, 2, 3};
  const std::uint64_t input = rig_.add_seed(seed);
  const Row out = rig_.allocate(0);
  rig_.emit_limb(MicroCode::uniform, 0, [&](MicroOp& op) {
    op.immediate = input;
    op.offset = 77;
    op.first = op.chunk == 0;
    op.out = Place::limb(out);
  });
  const std::size_t output = rig_.store(out, 0);
  ASSERT_EQ(rig_.run(), std::nullopt);
  EXPECT_EQ(rig_.output(output),
            expected([&](auto r) { reference::uniform(rig_.q(0), seed, 77, r); }));
}

TEST_P(DatapathTest, spilled_limbs_come_back) {
  const Words x = rig_.random_limb(0);
  const Row row = rig_.load(x, 0);
  const Row out = rig_.allocate(0);
  rig_.emit_limb(MicroCode::spill, 0, [&](MicroOp& op) {
    op.in[0] = Place::limb(row);
    op.immediate = 1;
  });
  rig_.emit_limb(MicroCode::reload, 0, [&](MicroOp& op) {
    op.out = Place::limb(out);
    op.immediate = 1;
  });
  const std::size_t output = rig_.store(out, 0);
  ASSERT_EQ(rig_.run(), std::nullopt);
  EXPECT_EQ(rig_.output(output), x);
}

TEST_P(DatapathTest, results_may_take_the_rows_of_their_operands) {
  const Words x = rig_.random_limb(0);
  const Row row = rig_.load(x, 0);
  rig_.emit_limb(MicroCode::add, 0, [&](MicroOp& op) {
    op.in = {Place::limb(row), Place::limb(row)};
    op.out = Place::limb(row);
  });
  const std::size_t output = rig_.store(row, 0);
  ASSERT_EQ(rig_.run(), std::nullopt);
  EXPECT_EQ(rig_.output(output), expected([&](auto r) { reference::add(rig_.q(0), x, x, r); }));
}

TEST(DatapathUniformTest, every_residue_and_no_other_word_is_taken) {
  TestRig rig({.chunk_bits = 1, .degree_bits = 3}, 64, {5});  // q = 17 of words below 32
  const std::uint64_t input = rig.add_seed({});
  for (std::uint64_t stream = 0; stream < 30; ++stream) {
    const Row out = rig.allocate(0);
    rig.emit_limb(MicroCode::uniform, 0, [&](MicroOp& op) {
      op.immediate = input;
      op.offset = stream;
      op.first = op.chunk == 0;
      op.out = Place::limb(out);
    });
    rig.store(out, 0);
  }
  ASSERT_EQ(rig.run(), std::nullopt);
  for (std::uint64_t stream = 0; stream < 30; ++stream) {
    Words expected(8);
    reference::uniform(rig.q(0), {}, stream, expected);
    EXPECT_EQ(rig.output(stream), expected);
  }
}

TEST(DatapathGatherTest, coefficients_from_the_degree_on_are_negated) {
  TestRig rig({.chunk_bits = 2, .degree_bits = 2}, 64, {30});
  const Words x = rig.random_limb(0);
  const Row row = rig.load(x, 0);
  const Row out = rig.allocate(0);
  MicroOp& op = rig.emit(MicroCode::permute_coeff, 0);
  op.in[0] = Place::limb(row);
  op.out = Place::limb(out);
  op.immediate = 7;
  op.offset = 5;  // words 5 4 3 2 of 8: -1 -0 3 2
  const std::size_t output = rig.store(out, 0);
  ASSERT_EQ(rig.run(), std::nullopt);
  const std::uint64_t q = rig.q(0).value();
  EXPECT_EQ(rig.output(output), (Words{q - x[1], q - x[0], x[3], x[2]}));
}

class DatapathFaultTest : public testing::Test {
 protected:
  TestRig rig_{{.chunk_bits = 3, .degree_bits = 6}, 32, {30, 50}};

  MicroOp& emit(MicroCode code, Place in, Place out, std::uint32_t modulus = 0) {
    MicroOp& op = rig_.emit(code, modulus);
    op.in[0] = in;
    op.out = out;
    return op;
  }
};

TEST_F(DatapathFaultTest, words_never_written_cannot_be_read) {
  const Row row = rig_.allocate(0);
  emit(MicroCode::neg, Place::limb(row), Place::limb(row));
  EXPECT_EQ(rig_.run(), "bank 0 of row 0 is read before it is written");
}

TEST_F(DatapathFaultTest, a_wide_word_needs_both_its_rows) {
  const Row row = rig_.allocate(1);
  rig_.load(rig_.random_limb(0), 0);
  rig_.program.ops.resize(1);                  // chunk 0 alone ..
  rig_.program.ops[0].out = Place::limb(row);  // .. in the row of the low halves
  emit(MicroCode::neg, Place::limb(row), Place::limb(row), 1);
  EXPECT_EQ(rig_.run(), "bank 0 of row 1 is read before it is written");
}

TEST_F(DatapathFaultTest, a_pass_needs_every_row_of_its_window) {
  const Row row = rig_.load(rig_.random_limb(0), 0);
  rig_.program.ops.erase(rig_.program.ops.begin() + 5);  // the load of row 5
  MicroOp& op = emit(MicroCode::ntt_pass, Place::limb(row), Place::limb(row));
  op.window = op.bit = op.stages = 3;
  EXPECT_EQ(rig_.run(), "bank 5 of row 5 is read before it is written");
}

TEST_F(DatapathFaultTest, a_pass_writes_only_the_words_of_its_window) {
  const Row row = rig_.load(rig_.random_limb(0), 0);
  const Row out = rig_.allocate(0);
  MicroOp& op = emit(MicroCode::ntt_pass, Place::limb(row), Place::limb(out));
  op.window = op.bit = op.stages = 3;
  emit(MicroCode::neg, Place::limb(out), Place::limb(out));
  EXPECT_EQ(rig_.run(), "bank 1 of row 8 is read before it is written");
}

TEST_F(DatapathFaultTest, registers_accumulator_and_spill_slots_are_written_before_they_are_read) {
  const Row row = rig_.load(rig_.random_limb(0), 0);
  const std::size_t loads = rig_.program.ops.size();
  const auto reason = [&](MicroOp& op) {
    op.in[1] = Place::limb(row);
    const auto result = rig_.run();
    rig_.program.ops.resize(loads);
    return result.value_or("");
  };
  EXPECT_EQ(reason(emit(MicroCode::neg, Place::reg(2), Place::reg(1))),
            "register 2 is read before it is written");
  EXPECT_EQ(reason(emit(MicroCode::mac, Place::limb(row), {})),
            "the accumulator is used before it is started");
  EXPECT_EQ(reason(emit(MicroCode::quotient_round, {}, Place::limb(row))),
            "the accumulator is used before it is started");
  EXPECT_EQ(reason(emit(MicroCode::reload, {}, Place::limb(row))),
            "chunk 0 of spill slot 0 is read before it is written");
  emit(MicroCode::spill, Place::limb(row), {});
  MicroOp& other_chunk = emit(MicroCode::reload, {}, Place::limb(row));
  other_chunk.chunk = 1;
  EXPECT_EQ(reason(other_chunk), "chunk 1 of spill slot 0 is read before it is written");
}

TEST_F(DatapathFaultTest, two_words_of_one_bank_in_one_access_conflict) {
  const Row row = rig_.load(rig_.random_limb(0), 0);
  const Row linear = rig_.allocate(0);
  rig_.emit_limb(MicroCode::unscramble, 0, [&](MicroOp& op) {
    op.in[0] = Place::limb(row);
    op.out = Place::limb(linear);
  });
  MicroOp& op = emit(MicroCode::permute_coeff, Place::limb(linear), Place::limb(row));
  op.immediate = 6;  // words 0 6 12 18 24: banks 0 6 4 2 0
  EXPECT_EQ(rig_.run(), "lanes 0 and 4 need bank 0 in one access");
}

TEST_F(DatapathFaultTest, a_gather_from_an_unwritten_row_is_a_fault) {
  const Row linear = rig_.allocate(0);
  MicroOp& op = emit(MicroCode::permute_coeff, Place::limb(linear), Place::limb(linear));
  op.immediate = 3;
  op.offset = 9;
  EXPECT_EQ(rig_.run(), "bank 1 of row 1 is read before it is written");
}

TEST_F(DatapathFaultTest, an_even_factor_conflicts_in_the_network) {
  const Row row = rig_.load(rig_.random_limb(0), 0);
  MicroOp& op = emit(MicroCode::permute_eval, Place::limb(row), Place::limb(row));
  op.immediate = 2;
  op.offset = 1;  // results 0 and 4 both come from lane 1
  EXPECT_EQ(rig_.run(), "lane 1 of the permutation network is needed by two results");
}

TEST_F(DatapathFaultTest, the_far_side_must_have_the_data) {
  const Row row = rig_.load(rig_.random_limb(0), 0);
  rig_.store(row, 0);
  HostMemory host = rig_.host();
  PassTables tables;
  host.outputs[0] = host.outputs[0].first(15);
  MicroOp& store = rig_.program.ops.back();
  store.chunk = 1;
  {
    Datapath datapath(rig_.program, host, tables);
    for (std::size_t i = 0; i < 8; ++i)
      EXPECT_EQ(datapath.execute(rig_.program.ops[i]), std::nullopt);
    EXPECT_EQ(datapath.execute(store), "output 0 has no chunk 1");
  }
  host.inputs.clear();
  host.seeds.clear();
  Datapath datapath(rig_.program, host, tables);
  EXPECT_EQ(datapath.execute(rig_.program.ops[0]), "input 0 has no chunk 0");
  EXPECT_EQ(datapath.execute(rig_.emit(MicroCode::uniform, 0)), "input 0 has no seed");
}

TEST_F(DatapathFaultTest, a_stream_is_continued_only_while_it_runs) {
  const std::uint64_t input = rig_.add_seed({});
  const Row row = rig_.allocate(0);
  const auto uniform = [&](std::uint64_t stream, bool first) {
    MicroOp& op = emit(MicroCode::uniform, {}, Place::limb(row));
    op.immediate = input;
    op.offset = stream;
    op.first = first;
  };
  uniform(4, false);
  EXPECT_EQ(rig_.run(), "stream 4 of seed 0 is continued but not running");
  rig_.program.ops.clear();
  uniform(4, true);
  uniform(5, false);
  EXPECT_EQ(rig_.run(), "stream 5 of seed 0 is continued but not running");
}

}  // namespace
}  // namespace heliodor::machine
