// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// CpuTarget: runs LimbPrograms on this machine with one kernel table and a pool of threads.
//
//   CpuTarget target(chosen_kernel_table(), 2);
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "heliodor/base/thread_pool.h"
#include "heliodor/program/target.h"
#include "heliodor/targets/cpu/fusions.h"
#include "heliodor/targets/cpu/kernel_table.h"
#include "heliodor/targets/cpu/ntt_cache.h"

namespace heliodor::cpu {

class CpuTarget final : public program::Target {
 public:
  /// `threads` includes the caller of run(); 0 means one per available CPU. Results do not depend
  /// on it.
  explicit CpuTarget(const KernelTable& kernels, unsigned threads = 1,
                     const Fusions& fusions = Fusions::usual());

  std::string name() const override;  ///< "cpu:" and the table's name
  std::optional<std::string> refusal(const program::LimbProgram& program) const override;

  /// Of one binding, by the plan's schedule and the table's rates on this machine (cost_model.h).
  /// The first call in a process reads those from the user's cache (rate_cache.h) or measures them,
  /// which takes up to 3 seconds.
  program::Cost predict(const program::LimbProgram& program) const override;

  unsigned widest_fast_modulus_bits() const override;  ///< 47: transforms stay lazy (range_plan.h)

 private:
  std::unique_ptr<const program::Plan> do_plan(
      std::shared_ptr<const program::LimbProgram> program) const override;

  const KernelTable& kernels_;
  Fusions fusions_;
  std::shared_ptr<base::ThreadPool> threads_;
  std::shared_ptr<NttCache> transforms_;
};

}  // namespace heliodor::cpu
