// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// TestRig: a MicroProgram that grows operation by operation, with the limbs that it loads and
// stores.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heliodor/base/random.h"
#include "heliodor/ring/primes.h"
#include "heliodor/targets/machine/datapath.h"

namespace heliodor::machine::internal {

class TestRig {
 public:
  using Words = std::vector<std::uint64_t>;

  /// One modulus for each entry of modulus_bits: the largest primes of that length.
  TestRig(Layout layout, std::uint32_t word_bits, const std::vector<unsigned>& modulus_bits)
      : random_(base::TestSeed(layout.degree_bits), "test rig") {
    program.layout = layout;
    program.word_bits = word_bits;
    program.registers = 4;
    program.spill_slots = 2;
    for (const unsigned bits : modulus_bits) {
      Words chosen;
      for (const ring::Modulus& modulus : program.moduli) chosen.push_back(modulus.value());
      program.moduli.emplace_back(ring::generate_primes(bits, program.degree(), 1, chosen)[0],
                                  program.degree());
    }
  }

  const ring::Modulus& q(std::uint32_t modulus) const { return program.moduli[modulus]; }

  /// Residues with the smallest and largest among them.
  Words random_limb(std::uint32_t modulus) {
    Words words(program.degree());
    for (std::uint64_t& word : words) word = random_.below(q(modulus).value());
    words.front() = q(modulus).value() - 1;
    words.back() = 0;
    return words;
  }
  std::uint64_t random_below(std::uint64_t bound) { return random_.below(bound); }

  /// Rows for a limb, after all rows so far.
  Row allocate(std::uint32_t modulus) {
    const Row first = program.rows;
    program.rows += program.layout.chunks() << (program.is_wide(modulus) ? 1 : 0);
    return first;
  }

  /// The operation's defaults: chunk 0 of limb 0, both moduli `modulus`, instruction 7.
  MicroOp& emit(MicroCode code, std::uint32_t modulus) {
    MicroOp op;
    op.code = code;
    op.modulus = op.source_modulus = modulus;
    op.instruction = 7;
    program.ops.push_back(op);
    return program.ops.back();
  }

  /// The operation once for every chunk; `edit` sees each.
  template <typename Edit>
  void emit_limb(MicroCode code, std::uint32_t modulus, Edit edit) {
    for (std::uint32_t chunk = 0; chunk < program.layout.chunks(); ++chunk) {
      MicroOp& op = emit(code, modulus);
      op.chunk = chunk;
      edit(op);
    }
  }

  /// Loads a limb; returns its first row.
  Row load(Words words, std::uint32_t modulus) {
    const Row row = allocate(modulus);
    program.inputs.push_back(program::InputKind::operand);
    inputs_.push_back(std::move(words));
    emit_limb(MicroCode::load, modulus, [&](MicroOp& op) {
      op.immediate = inputs_.size() - 1;
      op.out = Place::limb(row);
    });
    return row;
  }

  std::uint64_t add_seed(const base::PublicSeed& seed) {
    program.inputs.push_back(program::InputKind::seed);
    inputs_.emplace_back();
    seeds_.resize(inputs_.size());
    seeds_.back() = seed;
    return inputs_.size() - 1;
  }

  /// Stores a limb; output() has it after the run.
  std::size_t store(Row row, std::uint32_t modulus) {
    emit_limb(MicroCode::store, modulus, [&](MicroOp& op) {
      op.immediate = outputs_.size();
      op.in[0] = Place::limb(row);
    });
    outputs_.emplace_back(program.degree());
    program.outputs = static_cast<std::uint32_t>(outputs_.size());
    return outputs_.size() - 1;
  }
  const Words& output(std::size_t index) const { return outputs_[index]; }

  HostMemory host() {
    HostMemory host;
    host.inputs.assign(inputs_.begin(), inputs_.end());
    host.seeds = seeds_;
    host.seeds.resize(inputs_.size());
    host.outputs.assign(outputs_.begin(), outputs_.end());
    return host;
  }

  /// Executes everything on a fresh datapath; the reason of the first fault, if there is one.
  std::optional<std::string> run() {
    const HostMemory memory = host();
    PassTables tables;
    Datapath datapath(program, memory, tables);
    for (const MicroOp& op : program.ops) {
      if (auto reason = malformed(op, program)) return "malformed: " + *reason;
      if (auto reason = datapath.execute(op)) return reason;
    }
    return {};
  }

  MicroProgram program;

 private:
  base::RandomStream random_;
  std::vector<Words> inputs_;
  std::vector<base::PublicSeed> seeds_;
  std::vector<Words> outputs_;
};

}  // namespace heliodor::machine::internal
