// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Datapath: the data side of a machine. Words move through the banks of a scratchpad, an
// accumulator, butterfly networks and lane permutations, exactly as micro_op.h defines. It shares
// no algorithm with ring::reference: only the scalar operations of ring::Modulus.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heliodor/base/random.h"
#include "heliodor/targets/machine/micro_op.h"

namespace heliodor::machine {

/// A scratchpad of `banks` banks that each serve one word per access. It knows which words were
/// ever written.
class BankedScratchpad {
 public:
  BankedScratchpad(std::uint32_t rows, std::uint32_t banks);

  /// One access: word l of `words` from bank l. Nothing, or why it cannot be: a word was never
  /// written.
  std::optional<std::string> read(Row row, std::span<std::uint64_t> words) const;

  /// One access: words[l] from index indices[l] of the limb that starts in row `first`; index i
  /// lies in row first + i / banks, bank i mod banks. Two words of one bank are a conflict.
  std::optional<std::string> gather(Row first, std::span<const std::uint32_t> indices,
                                    std::span<std::uint64_t> words);

  /// One access: words[l] into bank l. Requires row < rows and words.size() <= banks.
  void write(Row row, std::span<const std::uint64_t> words) noexcept;

 private:
  std::uint32_t banks_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> written_;    // by row: words written, from bank 0 on
  std::vector<std::uint64_t> bank_used_;  // by bank: number of the last gather that used it
  std::uint64_t gathers_ = 0;
};

/// The host's side of loads and stores, by input and output of the LimbProgram.
struct HostMemory {
  std::vector<std::span<const std::uint64_t>> inputs;  ///< N words each; empty for seeds
  std::vector<base::PublicSeed> seeds;                 ///< as many as inputs; meaningful for seeds
  std::vector<std::span<std::uint64_t>> outputs;       ///< N words each
};

class Datapath {
 public:
  /// Both must outlive the datapath.
  Datapath(const MicroProgram& program, const HostMemory& host);

  /// Executes one operation. Nothing, or the reason of a fault; the state is unspecified after a
  /// fault. Requires !malformed(op, program).
  std::optional<std::string> execute(const MicroOp& op);

 private:
  using Words = std::vector<std::uint64_t>;

  std::optional<std::string> transfer(const MicroOp& op);
  std::optional<std::string> permute_coeff(const MicroOp& op);
  void arithmetic(const MicroOp& op);
  void accumulate(const MicroOp& op);
  void butterfly(const MicroOp& op);
  void stages(const MicroOp& op);
  void permute_eval(const MicroOp& op);
  void uniform(const MicroOp& op);
  std::uint64_t next_random_word(const MicroOp& op);

  const MicroProgram& program_;
  const HostMemory& host_;
  BankedScratchpad scratchpad_;
  Words x_, y_, result_, second_result_, accumulator_;
  std::vector<std::uint32_t> indices_;
  Words key_stream_;
  std::uint64_t key_stream_block_ = 0;
  std::size_t key_stream_position_ = 0;
};

}  // namespace heliodor::machine
