// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the instructions of a plan need besides addresses, computed once: constants, transforms,
// permutation tables.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "heliodor/program/limb_program.h"
#include "heliodor/targets/cpu/kernel_table.h"
#include "heliodor/targets/cpu/ntt_cache.h"
#include "heliodor/targets/cpu/schedule.h"

namespace heliodor::cpu {

struct PreparedInstruction {
  program::Instruction instruction{};
  program::ValueId result = 0;             ///< of the chain that begins here, or of the instruction
  std::optional<program::ValueId> addend;  ///< only for a dot with an add behind it
  const KernelModulus* q = nullptr;        ///< of the result
  std::vector<program::ValueId> reads;     ///< operands; for dot first all x_k, then all y_k
  std::vector<const KernelModulus*>
      sources;  ///< moduli of the operands; only for quotient and reduce
  std::shared_ptr<const Ntt> ntt;
  InverseScale inverse_scale{};                ///< only for an intt with a mul_scalar behind it
  std::optional<KernelScalar> scalar;          ///< only for mul_scalar
  const std::uint32_t* permutation = nullptr;  ///< only for permute in evaluation domain
  std::optional<KernelFactors> factors;        ///< only for dot_scalar
  Word source_bound = 0;                ///< only for dot_scalar: above every word of its sources
  Range range = Range::canonical;       ///< of the result for ntt, of the x_k for dot
  bool packed = false;                  ///< for dot: the y_k may be packed (packed_keys.h)
  std::vector<program::ValueId> ahead;  ///< for ntt: limbs that it fetches
};

class PreparedProgram {
 public:
  /// Keeps references into `program`, which must outlive it.
  /// `packs`: whether sums may read packed keys.
  PreparedProgram(const program::LimbProgram& program, const Schedule& schedule,
                  NttCache& transforms, bool packs);

  const PreparedInstruction& operator[](std::size_t instruction) const noexcept {
    return instructions_[instruction];
  }
  /// Whether transforms fetch keys.
  bool fetches_keys() const noexcept { return fetches_keys_; }
  /// The shared limbs that sums may read packed.
  const std::vector<bool>& packed_limbs() const noexcept { return packed_limbs_; }

 private:
  PreparedInstruction prepare(const program::Instruction& instruction, const Schedule& schedule,
                              NttCache& transforms);
  void prepare_dot(const program::Instruction& instruction, const Schedule& schedule,
                   PreparedInstruction& prepared);
  static void join(PreparedInstruction& first, const program::Instruction& second);
  void pack(const Schedule& schedule);
  void look_ahead(const Schedule& schedule);
  std::vector<program::ValueId> far_limbs(std::span<const std::uint32_t> members,
                                          const Schedule& schedule) const;
  std::size_t bytes_of(program::ValueId limb, const Schedule& schedule) const;

  const program::LimbProgram& program_;
  std::vector<KernelModulus> moduli_;
  std::vector<PreparedInstruction> instructions_;
  std::vector<bool> packed_limbs_;
  bool fetches_keys_ = false;
  std::map<std::uint64_t, std::vector<std::uint32_t>> permutations_;
};

}  // namespace heliodor::cpu
