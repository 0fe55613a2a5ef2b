// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Datapath: the data side of a machine. Words move through the banks of a scratchpad, a register
// file, an accumulator, NTT networks and a permutation network, exactly as micro_op.h defines. It
// shares no algorithm with ring::reference: only the scalar operations of ring::Modulus.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "heliodor/base/random.h"
#include "heliodor/targets/machine/banked_scratchpad.h"
#include "heliodor/targets/machine/micro_op.h"
#include "heliodor/targets/machine/ntt_pass.h"

namespace heliodor::machine {

/// The far side of loads and stores, by input and output of the LimbProgram.
struct HostMemory {
  std::vector<std::span<const std::uint64_t>> inputs;  ///< N words each; empty for seeds
  std::vector<base::PublicSeed> seeds;                 ///< as many as inputs; meaningful for seeds
  std::vector<std::span<std::uint64_t>> outputs;       ///< N words each
};

class Datapath {
 public:
  /// All must outlive the datapath; `tables` serve any number of datapaths of one program.
  /// Requires !malformed_frame(program).
  Datapath(const MicroProgram& program, const HostMemory& host, PassTables& tables);

  /// Executes one operation. Nothing, or the reason of a fault; the state is unspecified after a
  /// fault. Requires !malformed(op, program).
  std::optional<std::string> execute(const MicroOp& op);

 private:
  using Words = std::vector<std::uint64_t>;
  using Reason = std::optional<std::string>;

  /// Words that a program writes chunk by chunk and may not read before.
  struct Slot {
    Words words;
    std::vector<bool> written;  // by chunk
  };

  Reason transfer(const MicroOp& op);
  Reason arithmetic(const MicroOp& op);
  Reason transform(const MicroOp& op);
  Reason permutation(const MicroOp& op);
  Reason uniform(const MicroOp& op);

  Reason read(const MicroOp& op, unsigned operand, Words& buffer,
              std::span<const std::uint64_t>& words);
  void write(const MicroOp& op);
  void combine(const MicroOp& op, std::span<const std::uint64_t> x,
               std::span<const std::uint64_t> y) noexcept;
  Reason accumulate(const MicroOp& op, std::span<const std::uint64_t> x,
                    std::span<const std::uint64_t> y);
  Reason permute_eval(const MicroOp& op);
  Reason permute_coeff(const MicroOp& op);
  Reason through_network(const MicroOp& op, std::uint32_t line_xor);
  std::uint64_t next_random_word();

  const MicroProgram& program_;
  const HostMemory& host_;
  PassTables& tables_;
  BankedScratchpad scratchpad_;
  std::vector<Words> registers_;  // empty: never written
  std::unordered_map<std::uint64_t, Slot> spilled_;
  Words x_, y_, result_;
  Words accumulator_;
  bool accumulator_started_ = false;
  std::vector<std::uint32_t> indices_;
  std::vector<std::uint32_t> reversed_;  // by lane: its bits in reverse
  std::vector<std::size_t> targets_;

  struct Stream {
    std::uint64_t seed_input = 0;
    std::uint64_t number = 0;
    std::uint64_t next_block = 0;
    Words words;
    std::size_t position = 0;
    bool started = false;
  };
  Stream stream_;
};

}  // namespace heliodor::machine
