// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The program that the complete core is for, and bindings of it to the data of a session.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "heliodor/program/builder.h"
#include "heliodor/program/target.h"
#include "heliodor/targets/stream/internal/relinearize_data.h"

namespace heliodor::stream::internal {

/// What a test may change of the program before its outputs are made.
struct RelinearizeValues {
  std::vector<program::ValueId> a0, a1, b0, b1, c2;
  std::vector<std::vector<program::ValueId>> digit, key_b, key_a;  // by limb, by digit's limb

  /// Inputs and digits.
  RelinearizeValues(program::Builder& b, std::size_t limbs, ring::Lift lift = ring::Lift::centred) {
    const auto at = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
    const auto operands = [&](const char* name, std::vector<program::ValueId>& values) {
      for (std::size_t i = 0; i < limbs; ++i) {
        values.push_back(b.operand(fmt::format("{}[{}]", name, i), at(i), program::Domain::eval));
      }
    };
    operands("a0", a0);
    operands("a1", a1);
    operands("b0", b0);
    operands("b1", b1);
    std::vector<program::ValueId> coefficients;
    for (std::size_t i = 0; i < limbs; ++i) {
      c2.push_back(b.mul(a1[i], b1[i]));
      if (limbs > 1) coefficients.push_back(b.intt(c2[i]));
    }
    for (std::size_t i = 0; i < limbs; ++i) {
      digit.emplace_back();
      key_b.emplace_back();
      key_a.emplace_back();
      for (std::size_t j = 0; j < limbs; ++j) {
        const std::string of = fmt::format("[{}][{}]", j, i);
        digit[i].push_back(i == j ? c2[i] : b.ntt(b.reduce(at(i), lift, coefficients[j])));
        key_b[i].push_back(b.key("key_b" + of, at(i), program::Domain::eval));
        key_a[i].push_back(b.key("key_a" + of, at(i), program::Domain::eval));
      }
    }
  }

  program::ValueId inner(program::Builder& b, std::size_t limb,
                         const std::vector<std::vector<program::ValueId>>& keys) const {
    std::vector<std::pair<program::ValueId, program::ValueId>> pairs;
    for (std::size_t j = 0; j < keys[limb].size(); ++j) {
      pairs.emplace_back(digit[limb][j], keys[limb][j]);
    }
    return b.dot(pairs);
  }

  /// c0 and c1 of every limb.
  void outputs(program::Builder& b) const {
    for (std::size_t i = 0; i < a0.size(); ++i) {
      const std::pair<program::ValueId, program::ValueId> cross[] = {{a0[i], b1[i]},
                                                                     {a1[i], b0[i]}};
      b.output(fmt::format("c0[{}]", i), b.add(b.mul(a0[i], b0[i]), inner(b, i, key_b)));
      b.output(fmt::format("c1[{}]", i), b.add(b.dot(cross), inner(b, i, key_a)));
    }
  }
};

inline program::LimbProgram relinearize_sample(const std::vector<ring::Modulus>& moduli) {
  program::Builder b(moduli, "multiply and relinearize");
  RelinearizeValues(b, moduli.size()).outputs(b);
  return b.build();
}

/// The data of a session, bound to relinearize_sample's inputs and outputs.
class RelinearizeBindings {
 public:
  explicit RelinearizeBindings(const RelinearizeData& data) : inputs_(data.inputs()) {
    const std::size_t limbs = data.shape().limbs;
    outputs_.resize(data.shape().batch);
    for (std::size_t slot = 0; slot < data.shape().batch; ++slot) {
      program::Binding& binding = bindings_.emplace_back();
      for (std::size_t part = 0; part < kTensorParts; ++part) {
        for (const auto& parts : inputs_.parts[slot]) binding.operands.push_back(parts[part]);
      }
      outputs_[slot].assign(2 * limbs, std::vector<std::uint64_t>(data.shape().degree(), ~0ULL));
      binding.outputs.assign(outputs_[slot].begin(), outputs_[slot].end());
    }
    for (std::size_t i = 0; i < limbs; ++i) {
      for (std::size_t j = 0; j < limbs; ++j) {
        shared_.limbs.push_back(inputs_.key_b[i][j]);
        shared_.limbs.push_back(inputs_.key_a[i][j]);
      }
    }
  }

  std::span<const program::Binding> bindings() const { return bindings_; }
  std::span<program::Binding> bindings() { return bindings_; }
  const program::SharedBinding& shared() const { return shared_; }
  const std::vector<std::uint64_t>& output(std::size_t slot, std::size_t index) const {
    return outputs_[slot][index];
  }

 private:
  RelinearizeInputs inputs_;
  std::vector<program::Binding> bindings_;
  program::SharedBinding shared_;
  std::vector<std::vector<std::vector<std::uint64_t>>> outputs_;  // by slot, by output
};

}  // namespace heliodor::stream::internal
