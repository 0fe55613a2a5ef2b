// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Imported and exported traces compute the right limbs: the reference target runs the programs, an
// interpreter of our tests the traces.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/formats/trace/fhetch.h"
#include "heliodor/formats/trace/p_isa.h"
#include "heliodor/program/builder.h"
#include "heliodor/ring/primes.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/targets/reference/reference_target.h"
#include "heliodor/targets/reference/run_data.h"
#include "tests/formats/fhetch_interpreter.h"

namespace heliodor::vectors {
namespace {

using formats::trace::parse_fhetch;
using formats::trace::parse_p_isa;
using formats::trace::to_fhetch;
using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;

using Limbs = std::map<std::string, Words>;  // by name

/// Words that depend on the input's name and modulus only, so that two programs get the same. Every
/// fourth is the largest residue.
class WordsByName : public reference::InputSource {
 public:
  void fill(const program::Input& input, const ring::Modulus& q, std::size_t /*run*/,
            std::span<std::uint64_t> words) override {
    std::seed_seq seed(input.name.begin(), input.name.end());
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = i % 4 == 3 ? q.value() - 1 : random() % q.value();
    }
    given_[input.name] = {words.begin(), words.end()};
  }
  base::PublicSeed seed(const program::Input& /*input*/) override { return {}; }

  const Limbs& given() const { return given_; }

 private:
  Limbs given_;
};

struct Execution {
  Limbs inputs;
  Limbs outputs;
};

Execution run(const LimbProgram& program) {
  WordsByName source;
  const reference::RunInputs inputs(program, 1, source);
  reference::RunOutputs outputs(program, 1);
  const reference::ReferenceTarget target;
  target.plan(program)->run(bind(inputs, outputs), inputs.shared());
  Execution result{source.given(), {}};
  for (std::size_t i = 0; i < program.outputs().size(); ++i) {
    const auto limb = std::as_const(outputs).limb(0, i);
    result.outputs[program.outputs()[i].name] = {limb.begin(), limb.end()};
  }
  return result;
}

Limbs interpret(const std::string& trace, std::uint64_t degree, const Limbs& inputs) {
  return interpret_fhetch(trace, degree, [&](const std::string& name) { return inputs.at(name); });
}

/// Every output of the program as the interpreter computes it.
void expect_equal(const Limbs& outputs, const Limbs& interpreted) {
  EXPECT_FALSE(outputs.empty());
  for (const auto& [name, words] : outputs) EXPECT_EQ(words, interpreted.at(name)) << name;
}

LimbProgram imported(const std::string& trace, std::optional<std::uint64_t> degree = {}) {
  auto program = parse_fhetch(trace, degree);
  if (!program) throw std::runtime_error(to_string(program.diagnostics(), "trace") + trace);
  return std::move(program).value();
}

/// The program, its trace and the program of its trace compute the same.
void expect_round_trip(const LimbProgram& program) {
  const std::string trace = to_fhetch(program);
  const Execution before = run(program);
  expect_equal(before.outputs, interpret(trace, program.degree(), before.inputs));
  const Execution after = run(imported(trace));
  EXPECT_EQ(after.inputs, before.inputs);
  EXPECT_EQ(after.outputs, before.outputs);
}

std::vector<ring::Modulus> moduli(std::uint64_t degree, std::vector<unsigned> bits) {
  std::vector<ring::Modulus> result;
  for (const unsigned b : bits) result.emplace_back(ring::generate_primes(b, degree, 1)[0], degree);
  return result;
}

TEST(TraceTest, each_instruction_and_its_trace_compute_the_same) {
  Builder b(moduli(64, {60, 20, 31}), "instructions");
  const ValueId x = b.operand("x", 0, Domain::eval);
  const ValueId y = b.key("y", 0, Domain::eval);
  const ValueId c = b.constant("c", 0, Domain::coeff);
  b.output("add", b.add(x, y));
  b.output("sub", b.sub(x, y));
  b.output("neg", b.neg(x));
  b.output("mul", b.mul(x, y));
  b.output("add_scalar", b.add_scalar(x, b.modulus(0).value() - 1));
  b.output("add 0", b.add_scalar(x, 0));
  b.output("mul_scalar", b.mul_scalar(x, b.modulus(0).value() - 1));
  b.output("mul 0", b.mul_scalar(x, 0));
  b.output("ntt", b.ntt(c));
  b.output("intt", b.intt(x));
  for (const std::uint64_t g : {1U, 3U, 5U, 25U, 127U}) {
    b.output(fmt::format("permute {} evaluations", g), b.permute(g, x));
    b.output(fmt::format("permute {} coefficients", g), b.permute(g, c));
  }
  expect_round_trip(b.build());
}

TEST(TraceTest, sums_of_products_and_their_traces_compute_the_same) {
  Builder b(moduli(32, {60, 20, 31}), "sums");
  std::vector<std::pair<ValueId, ValueId>> pairs;
  std::vector<ValueId> own;
  for (const std::string name : {"u", "v", "w"}) {
    own.push_back(b.operand(name, 0, Domain::eval));
    pairs.emplace_back(own.back(), own.front());
    b.output("dot " + name, b.dot(pairs));
  }
  b.output("own", b.dot_scalar(0, own, std::array<std::uint64_t, 3>{7, 0, 1}));
  const std::array from{b.operand("x", 0, Domain::coeff), b.operand("y", 1, Domain::coeff),
                        b.operand("z", 2, Domain::coeff), b.operand("unread", 1, Domain::coeff)};
  for (std::uint32_t m = 0; m < 3; ++m) {
    const std::uint64_t last = b.modulus(m).value() - 1;
    b.output(fmt::format("foreign {}", m),
             b.dot_scalar(m, from, std::array<std::uint64_t, 4>{last, 1, last / 2, 0}));
  }
  expect_round_trip(b.build());
}

TEST(TraceTest, digit_lifts_and_their_traces_compute_the_same) {
  Builder b(moduli(32, {60, 20, 31, 21}), "lifts");
  for (std::uint32_t from = 0; from < 4; ++from) {
    const ValueId x = b.operand(fmt::format("x{}", from), from, Domain::coeff);
    for (std::uint32_t to = 0; to < 4; ++to) {
      b.output(fmt::format("plain {} {}", from, to), b.reduce(to, ring::Lift::plain, x));
      b.output(fmt::format("centred {} {}", from, to), b.reduce(to, ring::Lift::centred, x));
    }
  }
  expect_round_trip(b.build());
}

TEST(TraceTest, a_root_that_is_not_the_smallest_survives) {
  const ring::Modulus usual(97, 16);
  Builder b({ring::Modulus(97, 16, usual.neg(usual.psi()))}, "root");
  const ValueId x = b.operand("x", 0, Domain::coeff);
  b.output("ntt", b.ntt(x));
  b.output("again", b.intt(b.mul_scalar(b.ntt(x), 3)));
  expect_round_trip(b.build());
}

rlwe::Parameters parameters(rlwe::DigitLift lift) {
  rlwe::Parameters::Description description;
  for (const std::uint64_t q : ring::generate_primes(30, 64, 5)) {
    (description.q.size() < 3 ? description.q : description.p).emplace_back(q, 64);
  }
  description.gadgets = {{.digit_size = 2, .special_count = 2, .max_limb_count = 3},
                         {.digit_size = 1, .special_count = 0, .max_limb_count = 3}};
  description.error_scale = 17;
  description.lift = lift;
  description.security = rlwe::SecurityLevel::none;
  return rlwe::Parameters(std::move(description));
}

TEST(TraceTest, relinearizations_and_their_traces_compute_the_same) {
  const rlwe::Parameters p = parameters(rlwe::DigitLift::fast);
  const rlwe::KeySwitchShape bv{rlwe::KeySwitchMethod::bv, p.gadgets()[1]};
  const rlwe::KeySwitchShape hybrid{rlwe::KeySwitchMethod::hybrid, p.gadgets()[0]};
  expect_round_trip(rlwe::relinearize_program(p, bv, 3));
  expect_round_trip(rlwe::multiply_program(p, bv, 3, 1));
  expect_round_trip(rlwe::relinearize_program(p, hybrid, 3));
  expect_round_trip(rlwe::automorphisms_program(p, bv, 2, std::array<std::uint64_t, 2>{3, 127}));
}

std::string file(const std::string& name) {
  std::ifstream stream("tests/vectors/traces/" + name);
  EXPECT_TRUE(stream) << name;
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

TEST(TraceTest, a_recorded_trace_computes_what_its_lines_say) {
  const std::string trace = file("recorded.fhetch");
  const LimbProgram program = imported(trace);
  EXPECT_EQ(program.degree(), 16U);
  const Execution result = run(program);
  std::set<std::string> inputs;
  for (const auto& [name, words] : result.inputs) inputs.insert(name);
  EXPECT_EQ(inputs, (std::set<std::string>{"%1", "%2", "%3", "%4"}));
  std::set<std::string> outputs;
  for (const auto& [name, words] : result.outputs) outputs.insert(name);
  EXPECT_EQ(outputs, (std::set<std::string>{"%45", "%46"}));
  expect_equal(result.outputs, interpret(trace, 16, result.inputs));
}

TEST(TraceTest, a_declared_trace_computes_what_its_lines_say) {
  const std::string trace = file("declared.fhetch");
  const Execution result = run(imported(trace));
  EXPECT_EQ(result.inputs.size(), 4U);
  EXPECT_EQ(result.outputs.size(), 3U);
  expect_equal(result.outputs, interpret(trace, 16, result.inputs));
}

/// Writes traces that a recorder could: names are few and used again and again.
class RandomTrace {
 public:
  explicit RandomTrace(std::uint64_t seed) : random_(seed) {
    trace_ = "# heliodor degree 16\nmodulus_count 4\nm[0] 0xFFFFFFFFFFFFFFFF\n";
    for (std::size_t m = 1; m < kModuli.size(); ++m) {
      trace_ += fmt::format("m[{}] 0x{:X}\n", m, kModuli[m]);
    }
    for (std::size_t i = 1; i <= kNames; ++i) {
      types_.push_back({1 + draw(3), draw(2) == 0});
      trace_ += fmt::format("# heliodor input %{0} operand m={1} {2} \"%{0}\"\n", i,
                            types_.back().modulus, types_.back().coeff ? "coeff" : "eval");
    }
    // Every input is read, and what this makes is not.
    for (std::size_t i = 1; i <= kNames; ++i) {
      trace_ += fmt::format("sr_mulps %{}, %{}, 3, m={}\n", kNames + i, i, types_[i - 1].modulus);
    }
    for (int i = 0; i < 60; ++i) write_line();
    for (std::size_t i = 1; i <= kNames; ++i) {
      trace_ += fmt::format("sr_negp %{0}, %{0}, m={1}\n", i, types_[i - 1].modulus);
    }
  }

  const std::string& text() const { return trace_; }

 private:
  static constexpr std::array<std::uint64_t, 4> kModuli{0, 97, 193, 1153};
  static constexpr std::size_t kNames = 6;

  struct Type {
    std::size_t modulus;
    bool coeff;
    bool operator==(const Type&) const = default;
  };

  std::size_t draw(std::size_t bound) { return random_() % bound; }

  void write(std::size_t result, Type type, const std::string& line) {
    trace_ += line + "\n";
    types_[result - 1] = type;
  }

  void write_line() {
    const std::size_t result = 1 + draw(kNames);
    const std::size_t x = 1 + draw(kNames);
    const std::size_t y = 1 + draw(kNames);
    const Type type = types_[x - 1];
    const std::size_t m = type.modulus;
    const std::uint64_t c = random_();
    const std::string start = fmt::format("%{}, %{}, ", result, x);
    const bool pair = types_[y - 1] == type;
    switch (draw(9)) {
      case 0:
        if (pair) write(result, type, fmt::format("sr_addp {}%{}, m={}", start, y, m));
        return;
      case 1:
        if (pair) write(result, type, fmt::format("sr_subp {}%{}, m={}", start, y, m));
        return;
      case 2:
        if (pair) write(result, type, fmt::format("sr_mulp {}%{}, m={}", start, y, m));
        return;
      case 3:
        return write(result, type,
                     fmt::format("sr_{}ps {}{}, m={}", draw(2) == 0 ? "add" : "sub", start, c, m));
      case 4: {
        const std::size_t to = type.coeff ? 1 + draw(3) : m;
        return write(result, {to, type.coeff}, fmt::format("sr_mulps {}{}, m={}", start, c, to));
      }
      case 5:
        return write(result, {m, !type.coeff},
                     fmt::format("sr_{} {}m={}", type.coeff ? "ntt" : "intt", start, m));
      case 6:
        return write(result, type,
                     fmt::format("sr_automorph_{} {}k={}, m={}", type.coeff ? "coeff" : "eval",
                                 start, c | 1, type.coeff ? m : 0));
      case 7:
        return write(result, type, fmt::format("sr_addps {}0, m=0", start));
      default:
        // Whatever the domain of a zero, it is one.
        return write(result, {m, false}, fmt::format("sr_mulps {}0, m={}", start, m));
    }
  }

  std::mt19937_64 random_;
  std::string trace_;
  std::vector<Type> types_;
};

TEST(TraceTest, random_traces_compute_what_their_lines_say) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const std::string trace = RandomTrace(seed).text();
    const LimbProgram program = imported(trace);
    EXPECT_EQ(program.outputs().size(), 12U);
    const Execution result = run(program);
    expect_equal(result.outputs, interpret(trace, 16, result.inputs));
    expect_round_trip(program);
  }
}

TEST(TraceTest, a_kernel_computes_the_tensor_product) {
  const auto program = parse_p_isa(file("tensor.csv"), {{193}, 16});
  ASSERT_TRUE(program) << to_string(program.diagnostics(), "tensor.csv");
  const Execution result = run(*program);
  const Limbs& in = result.inputs;
  EXPECT_EQ(in.size(), 9U);
  for (const std::string unit : {"0", "1"}) {
    const auto word = [&](const std::string& name, std::size_t i) {
      return in.at(name + "_0_" + unit).at(i);
    };
    for (std::size_t i = 0; i < 16; ++i) {
      const std::uint64_t x = in.at("x[0]")[i];
      const std::uint64_t c0 = word("a_0", i) * word("b_0", i);
      const std::uint64_t c1 = word("a_0", i) * word("b_1", i) + word("a_1", i) * word("b_0", i);
      const std::uint64_t c2 = word("a_1", i) * word("b_1", i);
      const auto result_word = [&](const std::string& name) {
        return result.outputs.at(name + "_0_" + unit)[i];
      };
      // The immediate scales c_0 of the first unit; c_0 of the second joins c_1, so it is no
      // output.
      const bool first = unit == "0";
      EXPECT_EQ(result.outputs.contains("c_0_0_" + unit), first);
      if (first) {
        EXPECT_EQ(result_word("c_0"), c0 * x % 193);
      }
      EXPECT_EQ(result_word("c_1"), (first ? c1 : c1 + c0 % 193 * x) % 193);
      EXPECT_EQ(result_word("c_2"), c2 % 193);
    }
  }
}

}  // namespace
}  // namespace heliodor::vectors
