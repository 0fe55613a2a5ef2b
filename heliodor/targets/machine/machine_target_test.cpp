// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every instruction on several machines equals ring::reference word for word; predictions equal
// runs; the cycle count of an NTT is the closed form of README.md.
#include "heliodor/targets/machine/machine_target.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <map>
#include <random>

#include "heliodor/base/error.h"
#include "heliodor/program/builder.h"
#include "heliodor/ring/primes.h"
#include "heliodor/ring/reference.h"
#include "heliodor/targets/machine/internal/test_machine.h"
#include "heliodor/targets/machine/lower.h"
#include "heliodor/targets/machine/shipped_machines.h"
#include "heliodor/targets/machine/simulator.h"

namespace heliodor::machine {
namespace {

namespace reference = ring::reference;
using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;
using ring::Modulus;
using Limb = std::vector<std::uint64_t>;

std::vector<Modulus> moduli(std::uint64_t degree, unsigned bits, std::size_t count) {
  std::vector<Modulus> result;
  for (const std::uint64_t q : ring::generate_primes(bits, degree, count)) {
    result.emplace_back(q, degree);
  }
  return result;
}

/// Random residues with the ends and the middle of the range among them.
Limb random_limb(const Modulus& q, std::mt19937_64& random) {
  Limb limb(q.degree());
  for (std::uint64_t& word : limb) word = random() % q.value();
  limb[random() % limb.size()] = 0;
  limb[random() % limb.size()] = q.value() - 1;
  limb[random() % limb.size()] = q.value() / 2;
  return limb;
}

/// One program with every instruction over a modulus of `bits` and one of 80 - `bits`, so that
/// conversions go both ways between words of different size, and what each of its outputs must be.
class EveryInstruction {
 public:
  EveryInstruction(std::uint64_t degree, unsigned bits)
      : random_(degree * 64 + bits),
        moduli_{moduli(degree, bits, 1)[0], moduli(degree, 80 - bits, 1)[0]},
        builder_(moduli_) {
    seed_.bytes.fill(static_cast<std::uint8_t>(bits));
    x_ = input(0, Domain::coeff);
    y_ = input(0, Domain::coeff);
    z_ = input(1, Domain::coeff);
    vector_instructions();
    base_conversion_instructions();
    transforms();
    automorphisms();
    uniform();
  }

  /// Runs on the machine and compares every output.
  void check(const MachineDescription& machine) {
    const MachineTarget target(machine);
    const LimbProgram program = builder_.build();
    ASSERT_EQ(target.refusal(program), std::nullopt);
    std::vector<Limb> outputs(program.outputs().size(), Limb(program.degree()));
    program::Binding binding;
    for (const Limb& limb : inputs_) binding.operands.emplace_back(limb);
    for (Limb& limb : outputs) binding.outputs.emplace_back(limb);
    const program::SharedBinding shared{{}, {seed_}};
    const auto plan = target.plan(program);
    const program::RunReport report = plan->run({&binding, 1}, shared);
    ASSERT_FALSE(report.fault) << report.fault->reason;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_EQ(outputs[i], expected_[i]) << program.outputs()[i].name;
    }
    EXPECT_EQ(target.predict(program).cycles, report.cost.cycles);
  }

 private:
  struct Operand {
    ValueId value = 0;
    Limb words;
  };

  Operand input(std::uint32_t modulus, Domain domain) {
    inputs_.push_back(random_limb(moduli_[modulus], random_));
    const std::string name = "x" + std::to_string(inputs_.size());
    return {builder_.operand(name, modulus, domain), inputs_.back()};
  }

  template <typename Reference>
  Limb expect(const std::string& name, ValueId value, const Reference& compute) {
    Limb result(moduli_[0].degree());
    compute(reference::Out(result));
    builder_.output(name, value);
    expected_.push_back(result);
    return result;
  }

  void vector_instructions() {
    const Modulus& q = moduli_[0];
    const std::uint64_t c = q.value() - 2;
    const Limb& x = x_.words;
    const Limb& y = y_.words;
    expect("add", builder_.add(x_.value, y_.value),
           [&](auto out) { reference::add(q, x, y, out); });
    expect("sub", builder_.sub(x_.value, y_.value),
           [&](auto out) { reference::sub(q, x, y, out); });
    expect("neg", builder_.neg(x_.value), [&](auto out) { reference::neg(q, x, out); });
    expect("mul", builder_.mul(x_.value, y_.value),
           [&](auto out) { reference::mul(q, x, y, out); });
    expect("add_scalar", builder_.add_scalar(x_.value, c),
           [&](auto out) { reference::add_scalar(q, x, c, out); });
    expect("mul_scalar", builder_.mul_scalar(x_.value, c),
           [&](auto out) { reference::mul_scalar(q, x, c, out); });
    const std::array<std::pair<ValueId, ValueId>, 3> pairs{
        {{x_.value, y_.value}, {x_.value, x_.value}, {y_.value, y_.value}}};
    const std::array<reference::In, 3> left{x, x, y};
    const std::array<reference::In, 3> right{y, x, y};
    expect("dot", builder_.dot(pairs), [&](auto out) { reference::dot(q, left, right, out); });
  }

  void base_conversion_instructions() {
    const std::array<ValueId, 3> sources{x_.value, z_.value, y_.value};
    const std::array<Modulus, 3> source_moduli{moduli_[0], moduli_[1], moduli_[0]};
    const std::array<reference::In, 3> words{x_.words, z_.words, y_.words};
    for (std::uint32_t to = 0; to < 2; ++to) {
      const std::string suffix = std::to_string(to);
      const Modulus& q = moduli_[to];
      const std::array<std::uint64_t, 3> c{q.value() - 1, 3, q.value() / 2};
      expect("dot_scalar" + suffix, builder_.dot_scalar(to, sources, c),
             [&](auto out) { reference::dot_scalar(q, source_moduli, words, c, out); });
      const auto lift = to == 0 ? ring::Lift::plain : ring::Lift::centred;
      const auto rounding = to == 0 ? ring::Rounding::floor : ring::Rounding::nearest;
      expect("quotient" + suffix, builder_.quotient(to, rounding, sources),
             [&](auto out) { reference::quotient(source_moduli, words, rounding, out); });
      const Operand& from = to == 0 ? z_ : x_;
      expect("reduce" + suffix, builder_.reduce(to, lift, from.value),
             [&](auto out) { reference::reduce(moduli_[1 - to], q, lift, from.words, out); });
    }
  }

  void transforms() {
    for (const Operand* operand : {&x_, &z_}) {
      const Modulus& q = moduli_[operand == &x_ ? 0 : 1];
      const ValueId evaluations = builder_.ntt(operand->value);
      const Limb expected = expect("ntt" + std::to_string(q.value()), evaluations,
                                   [&](auto out) { reference::ntt(q, operand->words, out); });
      expect("intt" + std::to_string(q.value()), builder_.intt(evaluations),
             [&](auto out) { reference::intt(q, expected, out); });
    }
  }

  void automorphisms() {
    const std::uint64_t degree = moduli_[0].degree();
    const Operand evaluations = input(0, Domain::eval);
    std::vector<std::uint64_t> elements{1, 3, 2 * degree - 1, (2 * degree - 3) | 1, degree + 1};
    if (degree == 16) {
      for (std::uint64_t g = 5; g < 29; g += 2) elements.push_back(g);
    }
    std::size_t count = 0;
    for (const std::uint64_t g : elements) {
      for (const Operand* operand : {&evaluations, static_cast<const Operand*>(&x_)}) {
        const Domain domain = operand == &x_ ? Domain::coeff : Domain::eval;
        expect("permute" + std::to_string(count++) + " " + std::to_string(g),
               builder_.permute(g, operand->value),
               [&](auto out) { reference::permute(moduli_[0], g, domain, operand->words, out); });
      }
    }
  }

  void uniform() {
    const ValueId seed = builder_.seed("seed");
    for (const std::uint64_t stream : {std::uint64_t{0}, ~std::uint64_t{0}}) {
      expect("uniform " + std::to_string(stream), builder_.uniform(seed, stream, 1, Domain::eval),
             [&](auto out) { reference::uniform(moduli_[1], seed_, stream, out); });
    }
  }

  std::mt19937_64 random_;
  std::vector<Modulus> moduli_;
  Builder builder_;
  base::PublicSeed seed_;
  Operand x_, y_, z_;
  std::vector<Limb> inputs_;
  std::vector<Limb> expected_;
};

MachineDescription machine_by_name(std::string_view name) {
  if (name == "awkward") return internal::awkward_machine();
  if (name == "wide") {
    return parse_description(internal::kWideMachine,
                             {{"memory.scratchpad.capacity_words", "1048576"}})
        .value();
  }
  return shipped_description(name);
}

class EveryInstructionTest
    : public testing::TestWithParam<std::tuple<std::uint64_t, unsigned, std::string>> {};

TEST_P(EveryInstructionTest, equals_the_reference) {
  const auto [degree, bits, machine] = GetParam();
  EveryInstruction(degree, bits).check(machine_by_name(machine));
}

INSTANTIATE_TEST_SUITE_P(
    MachineTargetTest, EveryInstructionTest,
    testing::Combine(testing::Values(2, 16, 32, 64, 256, 4096, 8192), testing::Values(20, 30, 60),
                     testing::Values("tutorial", "awkward", "wide", "u280_adaptive")),
    [](const auto& test) {
      return "degree" + std::to_string(std::get<0>(test.param)) + "_bits" +
             std::to_string(std::get<1>(test.param)) + "_" + std::get<2>(test.param);
    });

TEST(MachineTargetTest, quotients_agree_with_the_reference_on_both_sides_of_a_tie) {
  // One source of 60 bits: the fixed-point sum S takes every value, so the words around t * q /
  // 2^48 straddle the steps.
  const Modulus q = moduli(16, 60, 1)[0];
  for (const ring::Rounding rounding : {ring::Rounding::floor, ring::Rounding::nearest}) {
    const std::uint64_t one = std::uint64_t{1} << reference::kQuotientBits;
    const std::uint64_t step = rounding == ring::Rounding::floor ? one : one / 2;
    Limb x(16);
    for (std::uint64_t i = 0; i < 16; ++i) {
      const std::uint64_t sum = step - 12 + i;
      x[i] = std::min(q.value() - 1,
                      static_cast<std::uint64_t>((ring::Uint128{sum} * q.value()) >> 48) + 2048);
    }
    Limb expected(16), y(16);
    reference::quotient({&q, 1}, std::array<reference::In, 1>{x}, rounding, expected);
    ASSERT_NE(expected.front(), expected.back());
    Builder b({q});
    b.output("y", b.quotient(0, rounding, std::array{b.operand("x", 0, Domain::coeff)}));
    const program::Binding binding{{x}, {y}};
    const MachineTarget target(internal::small_machine());
    const auto plan = target.plan(b.build());
    EXPECT_FALSE(plan->run({&binding, 1}).fault);
    EXPECT_EQ(y, expected);
  }
}

TEST(MachineTargetTest, every_automorphism_over_several_chunks_runs_without_bank_conflict) {
  const MachineTarget target(internal::small_machine());  // 16 chunks of 4 words
  const Modulus q = moduli(64, 30, 1)[0];
  std::mt19937_64 random(1);
  const Limb x = random_limb(q, random);
  for (std::uint64_t g = 1; g < 128; g += 2) {
    for (const Domain domain : {Domain::coeff, Domain::eval}) {
      Builder b({q});
      b.output("y", b.permute(g, b.operand("x", 0, domain)));
      Limb expected(64), y(64);
      reference::permute(q, g, domain, x, expected);
      const program::Binding binding{{x}, {y}};
      const program::RunReport report = target.plan(b.build())->run({&binding, 1});
      ASSERT_FALSE(report.fault) << report.fault->reason;
      ASSERT_EQ(y, expected) << "galois element " << g;
    }
  }
}

/// load, ntt, store of one limb.
LimbProgram one_ntt(std::uint64_t degree) {
  Builder b(moduli(degree, 30, 1));
  b.output("y", b.ntt(b.operand("x", 0, Domain::coeff)));
  return b.build();
}

TEST(MachineTargetTest, an_ntt_takes_the_cycles_of_the_closed_form) {
  const MachineTarget tutorial(shipped_description("tutorial"));
  const std::uint64_t transfer = 4;  // 64 words of 8 bytes at 128 bytes per cycle
  const std::uint64_t off_chip_latency = 100;
  const std::uint64_t latency = 2;
  const std::uint64_t depth = 40;
  for (const std::uint64_t degree : {8192u, 16384u, 65536u}) {
    const std::uint64_t chunks = degree / 64;
    const auto passes = (static_cast<std::uint64_t>(std::countr_zero(degree)) + 5) / 6;
    const std::uint64_t expected = 2 * (transfer * chunks + off_chip_latency) +
                                   (passes - 1) * (chunks + latency + depth) + 2 * latency + depth;
    EXPECT_EQ(tutorial.predict(one_ntt(degree)).cycles, expected) << degree;
  }
  EXPECT_EQ(tutorial.predict(one_ntt(8192)).cycles, 1608u);
}

TEST(MachineTargetTest, the_ntt_unit_is_busy_for_passes_times_chunks) {
  const MachineTarget tutorial(shipped_description("tutorial"));
  for (const std::uint64_t degree : {64u, 256u, 8192u}) {
    const auto plan = tutorial.plan(one_ntt(degree));
    const auto passes = (static_cast<std::uint64_t>(std::countr_zero(degree)) + 5) / 6;
    const Activity& activity = dynamic_cast<const MachinePlan&>(*plan).activity();
    std::uint64_t busy = 0;
    for (std::size_t i = 0; i < tutorial.description().units.size(); ++i) {
      if (tutorial.description().units[i].can(Operation::ntt)) busy = activity.units[i].busy_cycles;
    }
    EXPECT_EQ(busy, passes * degree / 64);
  }
}

TEST(MachineTargetTest, basalisc_transforms_a_limb_in_two_round_trips_to_its_single_port) {
  // ePrint 2022/657: N = 65536 = 256^2 in two passes of 32 chunks, each read and written once.
  const MachineDescription basalisc = shipped_description("basalisc");
  const Residency resident{.operands = true, .outputs = true};
  const auto cycles = [&](std::size_t limbs) {
    Builder b(moduli(65536, 30, 1));
    for (std::size_t i = 0; i < limbs; ++i) {
      b.output("y" + std::to_string(i),
               b.ntt(b.operand("x" + std::to_string(i), 0, Domain::coeff)));
    }
    return estimate(basalisc, lower(basalisc, b.build(), resident)).activity;
  };
  const Activity one = cycles(1);
  EXPECT_EQ(one.scratchpad_reads, 64u);
  EXPECT_EQ(one.scratchpad_writes, 64u);
  EXPECT_GE(one.cycles, 128u);
  // A ciphertext of 80 limbs keeps the port busy: at most a tenth above 10.24 us.
  const Activity ciphertext = cycles(80);
  EXPECT_GE(ciphertext.cycles, 10240u);
  EXPECT_LE(ciphertext.cycles, 11264u);
}

TEST(MachineTargetTest, a_batch_runs_item_after_item) {
  const MachineTarget target(internal::small_machine());
  const LimbProgram program = one_ntt(16);
  const auto plan = target.plan(program);
  std::mt19937_64 random(3);
  std::vector<Limb> inputs;
  std::vector<Limb> outputs(3, Limb(16));
  std::vector<program::Binding> batch(3);
  for (std::size_t i = 0; i < 3; ++i) {
    inputs.push_back(random_limb(program.moduli()[0], random));
    batch[i].outputs = {outputs[i]};
  }
  for (std::size_t i = 0; i < 3; ++i) batch[i].operands = {inputs[i]};
  const program::RunReport report = plan->run(batch);
  EXPECT_EQ(report.cost.cycles, 3 * *target.predict(program).cycles);
  for (std::size_t i = 0; i < 3; ++i) {
    Limb expected(16);
    reference::ntt(program.moduli()[0], inputs[i], expected);
    EXPECT_EQ(outputs[i], expected);
  }
}

TEST(MachineTargetTest, seconds_are_cycles_of_the_machine_clock) {
  const MachineTarget target(internal::awkward_machine());
  const program::Cost cost = target.predict(one_ntt(64));
  EXPECT_DOUBLE_EQ(cost.seconds, static_cast<double>(*cost.cycles) / 600e6);
}

TEST(MachineTargetTest, the_target_bears_the_machines_name_and_refuses_with_its_reason) {
  MachineDescription machine = internal::small_machine();
  machine.word_bits = 20;
  const MachineTarget target(machine);
  EXPECT_EQ(target.name(), "machine:small");
  try {
    target.plan(one_ntt(16));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_NE(std::string(error.what()).find("modulus q0 has 30 bits, words hold 20"),
              std::string::npos);
  }
}

TEST(MachineTargetTest, keys_and_constants_come_from_the_shared_binding_in_program_order) {
  Builder b(moduli(16, 30, 1));
  const ValueId key = b.key("k", 0, Domain::eval);
  const ValueId x = b.operand("x", 0, Domain::eval);
  const ValueId constant = b.constant("c", 0, Domain::eval);
  b.output("y", b.sub(b.sub(x, key), b.add(constant, constant)));
  const Limb k(16, 1), c(16, 10), data(16, 100);
  Limb y(16);
  const program::Binding binding{{data}, {y}};
  const MachineTarget target(internal::small_machine());
  const auto plan = target.plan(b.build());
  EXPECT_FALSE(plan->run({&binding, 1}, {{k, c}, {}}).fault);
  EXPECT_EQ(y, Limb(16, 79));
}

TEST(MachineTargetTest, describe_shows_instructions_units_and_scratchpad) {
  const MachineTarget target(internal::small_machine());
  const std::string text = target.plan(one_ntt(16))->describe();
  EXPECT_NE(text.find("8 ntt_pass"), std::string::npos) << text;
  EXPECT_NE(text.find("unit ntt: 8 operations"), std::string::npos) << text;
  EXPECT_NE(text.find("memory dram: 8 operations"), std::string::npos) << text;
  EXPECT_NE(text.find("scratchpad: 12 reads, 12 writes"), std::string::npos) << text;
}

}  // namespace
}  // namespace heliodor::machine
