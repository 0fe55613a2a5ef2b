// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The program that the session core is for, in the order and nesting that a test asks for, and what
// ring::reference says its outputs are.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "heliodor/program/builder.h"
#include "heliodor/program/target.h"
#include "heliodor/ring/primes.h"
#include "heliodor/ring/reference.h"

namespace heliodor::stream::internal {

using program::Builder;
using program::Domain;
using program::LimbProgram;
using program::ValueId;

inline std::vector<ring::Modulus> sample_moduli(std::uint64_t degree, std::size_t count,
                                                unsigned bits = 30) {
  std::vector<ring::Modulus> moduli;
  for (const std::uint64_t q : ring::generate_primes(bits, degree, count)) {
    moduli.emplace_back(q, degree);
  }
  return moduli;
}

/// Inputs of one limb in a fixed order: a0, a1, b0, b1, then digit, key_b, key_a for each digit.
struct SampleLimb {
  std::uint32_t modulus = 0;
  ValueId a0 = 0, a1 = 0, b0 = 0, b1 = 0;
  std::vector<ValueId> digit, key_b, key_a;

  SampleLimb(Builder& b, std::uint32_t limb, std::size_t digits) : modulus(limb) {
    const std::string of = fmt::format("[{}]", limb);
    a0 = b.operand("a0" + of, limb, Domain::eval);
    a1 = b.operand("a1" + of, limb, Domain::eval);
    b0 = b.operand("b0" + of, limb, Domain::eval);
    b1 = b.operand("b1" + of, limb, Domain::eval);
    for (std::size_t j = 0; j < digits; ++j) {
      const std::string digit_of = fmt::format("{}{}", j, of);
      digit.push_back(b.operand("digit" + digit_of, limb, Domain::eval));
      key_b.push_back(b.key("key_b" + digit_of, limb, Domain::eval));
      key_a.push_back(b.key("key_a" + digit_of, limb, Domain::eval));
    }
  }

  ValueId inner(Builder& b, const std::vector<ValueId>& key) const {
    std::vector<std::pair<ValueId, ValueId>> pairs;
    for (std::size_t j = 0; j < digit.size(); ++j) pairs.emplace_back(digit[j], key[j]);
    return b.dot(pairs);
  }
};

/// Outputs c0 and c1 of every limb, in this order.
inline LimbProgram sample_program(const std::vector<ring::Modulus>& moduli, std::size_t digits) {
  Builder b(moduli, "multiply and relinearize");
  for (std::uint32_t limb = 0; limb < moduli.size(); ++limb) {
    const SampleLimb x(b, limb, digits);
    const ValueId cross = b.add(b.mul(x.a0, x.b1), b.mul(x.a1, x.b0));
    const std::string of = fmt::format("[{}]", limb);
    b.output("c0" + of, b.add(b.mul(x.a0, x.b0), x.inner(b, x.key_b)));
    b.output("c1" + of, b.add(cross, x.inner(b, x.key_a)));
  }
  return b.build();
}

/// Random inputs of a batch of sample_program's, room for outputs, and what they must be.
class SampleData {
 public:
  using Limb = std::vector<std::uint64_t>;

  SampleData(const LimbProgram& program, std::size_t digits, std::size_t batch, std::uint64_t seed)
      : program_(program), digits_(digits), random_(seed) {
    for (const program::Input& input : program.inputs()) {
      if (input.kind == program::InputKind::key) keys_.push_back(draw(input));
    }
    shared_.limbs.assign(keys_.begin(), keys_.end());
    operands_.resize(batch);
    outputs_.assign(batch, std::vector(program.outputs().size(), Limb(program.degree(), ~0ULL)));
    bindings_.resize(batch);
    for (std::size_t i = 0; i < batch; ++i) {
      for (const program::Input& input : program.inputs()) {
        if (input.kind == program::InputKind::operand) operands_[i].push_back(draw(input));
      }
      bindings_[i].operands.assign(operands_[i].begin(), operands_[i].end());
      bindings_[i].outputs.assign(outputs_[i].begin(), outputs_[i].end());
    }
  }

  std::span<const program::Binding> bindings() const { return bindings_; }
  const program::SharedBinding& shared() const { return shared_; }
  const Limb& output(std::size_t slot, std::size_t index) const { return outputs_[slot][index]; }
  /// Limbs may be overwritten word by word, not resized.
  std::span<std::uint64_t> operand(std::size_t slot, std::size_t index) {
    return operands_[slot][index];
  }
  std::span<std::uint64_t> key(std::size_t index) { return keys_[index]; }

  Limb expected(std::size_t slot, std::size_t output) const {
    const std::size_t limb = output / 2;
    const bool c1 = output % 2 == 1;
    const Limb* part = &operands_[slot][limb * (4 + digits_)];
    std::vector<ring::reference::In> left = {part[0]};
    std::vector<ring::reference::In> right = {part[c1 ? 3 : 2]};
    if (c1) {
      left.emplace_back(part[1]);
      right.emplace_back(part[2]);
    }
    for (std::size_t j = 0; j < digits_; ++j) {
      left.emplace_back(part[4 + j]);
      right.emplace_back(keys_[2 * (limb * digits_ + j) + (c1 ? 1 : 0)]);
    }
    Limb result(program_.degree());
    ring::reference::dot(program_.moduli()[limb], left, right, result);
    return result;
  }

 private:
  Limb draw(const program::Input& input) {
    Limb limb(program_.degree());
    for (std::uint64_t& word : limb) word = random_() % program_.modulus(input.value).value();
    return limb;
  }

  const LimbProgram& program_;
  std::size_t digits_;
  std::mt19937_64 random_;
  std::vector<Limb> keys_;
  std::vector<std::vector<Limb>> operands_, outputs_;
  std::vector<program::Binding> bindings_;
  program::SharedBinding shared_;
};

}  // namespace heliodor::stream::internal
