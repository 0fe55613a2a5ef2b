// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that the tests of this component share, and what their outputs must be.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/base/random.h"
#include "heliodor/program/builder.h"
#include "heliodor/ring/primes.h"
#include "heliodor/ring/reference.h"
#include "heliodor/targets/machine/lower.h"
#include "heliodor/targets/machine/simulator.h"

namespace heliodor::machine::internal {

using Limb = std::vector<std::uint64_t>;

inline std::vector<ring::Modulus> moduli(std::uint64_t degree, unsigned bits,
                                         std::size_t count = 1) {
  std::vector<ring::Modulus> result;
  for (const std::uint64_t q : ring::generate_primes(bits, degree, count)) {
    result.emplace_back(q, degree);
  }
  return result;
}

/// Every instruction at random over the moduli; results that nothing uses are outputs, as are some
/// others and an input.
class RandomProgram {
 public:
  RandomProgram(std::uint64_t seed, const std::vector<ring::Modulus>& moduli)
      : random_(seed), moduli_(moduli), builder_(moduli, "random " + std::to_string(seed)) {}

  program::LimbProgram make(std::size_t instructions) {
    seed_ = builder_.seed("s");
    keep(builder_.uniform(seed_, random_(), 0, program::Domain::coeff));
    for (std::uint32_t i = 0; i < moduli_.size(); ++i) {
      for (const auto domain : {program::Domain::coeff, program::Domain::eval}) {
        const std::string name = std::to_string(values_.size());
        keep(builder_.operand("x" + name, i, domain));
        keep(builder_.key("k" + name, i, domain));
        keep(builder_.constant("c" + name, i, domain));
      }
    }
    for (std::size_t i = 0; i < instructions; ++i) add_instruction();
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (!used_[values_[i]] || i % 7 == 1) {
        builder_.output("y" + std::to_string(i), values_[i]);
      }
    }
    return builder_.build();
  }

 private:
  void keep(program::ValueId value) {
    values_.push_back(value);
    used_.resize(value + 1);
  }

  program::ValueId use(program::ValueId value) {
    used_[value] = true;
    return value;
  }

  program::ValueId any() { return use(values_[random_() % values_.size()]); }

  program::ValueId any_like(program::ValueId other) {
    return any(
        [&](program::ValueId value) { return builder_.type(value) == builder_.type(other); });
  }

  template <typename Suits>
  program::ValueId any(const Suits& suits) {
    while (true) {
      const program::ValueId value = values_[random_() % values_.size()];
      if (suits(value)) return use(value);
    }
  }

  std::vector<program::ValueId> coefficients(std::size_t count) {
    std::vector<program::ValueId> result;
    for (std::size_t i = 0; i < count; ++i) {
      result.push_back(any([&](program::ValueId value) {
        return builder_.type(value).domain == program::Domain::coeff;
      }));
    }
    return result;
  }

  std::uint64_t residue(std::uint32_t modulus) { return random_() % moduli_[modulus].value(); }

  void add_instruction() {
    const std::uint64_t kind = random_() % 14;
    const bool converts = (kind >= 7 && kind <= 10) || kind == 13;
    const program::ValueId x = converts ? values_.front() : any();
    const std::uint32_t own = builder_.type(x).modulus;
    const auto target = static_cast<std::uint32_t>(random_() % moduli_.size());
    switch (kind) {
      case 0:
        return keep(builder_.add(x, any_like(x)));
      case 1:
        return keep(builder_.sub(x, any_like(x)));
      case 2:
        return keep(builder_.neg(x));
      case 3:
        return keep(builder_.mul(x, any_like(x)));
      case 4:
        return keep(builder_.add_scalar(x, residue(own)));
      case 5:
        return keep(builder_.mul_scalar(x, residue(own)));
      case 6:
        return add_dots(x);
      case 7:
      case 8:
        return add_conversion();
      case 9:
        return keep(builder_.quotient(target, ring::Rounding(random_() % 2),
                                      coefficients(1 + random_() % 4)));
      case 10:
        return keep(builder_.reduce(target, ring::Lift(random_() % 2), coefficients(1)[0]));
      case 11:
        return keep(builder_.type(x).domain == program::Domain::coeff ? builder_.ntt(x)
                                                                      : builder_.intt(x));
      case 12:
        return keep(builder_.permute(2 * (random_() % moduli_[0].degree()) + 1, x));
      default:
        return keep(builder_.uniform(seed_, random_(), target, program::Domain::eval));
    }
  }

  /// Dots with the same first factors.
  void add_dots(program::ValueId x) {
    std::vector<std::pair<program::ValueId, program::ValueId>> pairs{{x, x}};
    while (random_() % 3 != 0) pairs.emplace_back(any_like(x), x);
    const std::size_t count = 1 + random_() % 3;
    for (std::size_t i = 0; i < count; ++i) {
      for (auto& pair : pairs) pair.second = any_like(x);
      keep(builder_.dot(pairs));
    }
  }

  /// dot_scalars with the same sources, to every modulus.
  void add_conversion() {
    const std::vector<program::ValueId> sources = coefficients(1 + random_() % 5);
    for (std::uint32_t target = 0; target < moduli_.size(); ++target) {
      std::vector<std::uint64_t> factors;
      for (std::size_t k = 0; k < sources.size(); ++k) factors.push_back(residue(target));
      keep(builder_.dot_scalar(target, sources, factors));
    }
  }

  std::mt19937_64 random_;
  const std::vector<ring::Modulus>& moduli_;
  program::Builder builder_;
  program::ValueId seed_ = 0;
  std::vector<program::ValueId> values_;
  std::vector<bool> used_;  // by value
};

/// The outputs by ring::reference. `inputs`: by input of the program, empty for seeds.
class Evaluation {
 public:
  Evaluation(const program::LimbProgram& program, const std::vector<Limb>& inputs,
             const std::vector<base::PublicSeed>& seeds)
      : program_(program), values_(program.value_count()), seeds_(program.value_count()) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      values_[program.inputs()[i].value] = inputs[i];
      seeds_[program.inputs()[i].value] = seeds[i];
    }
    for (std::size_t i = 0; i < program.instruction_count(); ++i) compute(program.instruction(i));
  }

  const Limb& output(std::size_t index) const { return values_[program_.outputs()[index].value]; }

 private:
  void compute(const program::Instruction& it) {
    namespace reference = ring::reference;
    using program::LimbOp;
    std::vector<reference::In> x, even, odd;
    std::vector<ring::Modulus> sources;
    for (const program::ValueId operand : it.operands) {
      (x.size() % 2 == 0 ? even : odd).emplace_back(values_[operand]);
      x.emplace_back(values_[operand]);
      if (!program_.type(operand).is_seed()) sources.push_back(program_.modulus(operand));
    }
    const ring::Modulus& q = program_.modulus(it.result);
    Limb out(program_.degree());
    switch (it.op) {
      case LimbOp::add:
        reference::add(q, x[0], x[1], out);
        break;
      case LimbOp::sub:
        reference::sub(q, x[0], x[1], out);
        break;
      case LimbOp::neg:
        reference::neg(q, x[0], out);
        break;
      case LimbOp::mul:
        reference::mul(q, x[0], x[1], out);
        break;
      case LimbOp::add_scalar:
        reference::add_scalar(q, x[0], it.scalars[0], out);
        break;
      case LimbOp::mul_scalar:
        reference::mul_scalar(q, x[0], it.scalars[0], out);
        break;
      case LimbOp::dot:
        reference::dot(q, even, odd, out);
        break;
      case LimbOp::dot_scalar:
        reference::dot_scalar(q, sources, x, it.scalars, out);
        break;
      case LimbOp::quotient:
        reference::quotient(sources, x, it.rounding(), out);
        break;
      case LimbOp::reduce:
        reference::reduce(sources[0], q, it.lift(), x[0], out);
        break;
      case LimbOp::ntt:
        reference::ntt(q, x[0], out);
        break;
      case LimbOp::intt:
        reference::intt(q, x[0], out);
        break;
      case LimbOp::permute:
        reference::permute(q, it.parameter, program_.type(it.result).domain, x[0], out);
        break;
      case LimbOp::uniform:
        reference::uniform(q, seeds_[it.operands[0]], it.parameter, out);
        break;
    }
    values_[it.result] = std::move(out);
  }

  const program::LimbProgram& program_;
  std::vector<Limb> values_;
  std::vector<base::PublicSeed> seeds_;
};

/// Lowers, simulates on random inputs and compares every output with ring::reference.
inline void expect_reference_words(const MachineDescription& machine,
                                   const program::LimbProgram& program,
                                   const Residency& residency = {}) {
  std::mt19937_64 random(program.value_count());
  std::vector<Limb> inputs;
  std::vector<base::PublicSeed> seeds(program.inputs().size());
  for (std::size_t i = 0; i < program.inputs().size(); ++i) {
    const program::ValueId value = program.inputs()[i].value;
    Limb limb(program.type(value).is_seed() ? 0 : program.degree());
    for (std::uint64_t& word : limb) word = random() % program.modulus(value).value();
    inputs.push_back(std::move(limb));
    seeds[i].bytes.fill(static_cast<std::uint8_t>(i + 1));
  }
  std::vector<Limb> outputs(program.outputs().size(), Limb(program.degree()));
  HostMemory host;
  host.inputs.assign(inputs.begin(), inputs.end());
  host.seeds = seeds;
  host.outputs.assign(outputs.begin(), outputs.end());
  const MicroProgram micro = lower(machine, program, residency);
  const Simulation simulation = simulate(machine, micro, host);
  ASSERT_FALSE(simulation.fault) << program.name() << ": " << simulation.fault->reason;
  const Evaluation expected(program, inputs, seeds);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_EQ(outputs[i], expected.output(i)) << program.name() << " " << program.outputs()[i].name;
  }
}

}  // namespace heliodor::machine::internal
