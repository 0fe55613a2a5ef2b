// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// CpuPlan: a LimbProgram prepared for one kernel table. What can be known before data comes is done at construction:
// schedule, transforms, permutation tables. Running resolves addresses once per binding and then only calls kernels; arenas
// are kept between runs, so a warm run allocates nothing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "heliodor/base/limb_arena.h"
#include "heliodor/base/thread_pool.h"
#include "heliodor/program/target.h"
#include "heliodor/targets/cpu/kernel_table.h"
#include "heliodor/targets/cpu/ntt_cache.h"
#include "heliodor/targets/cpu/schedule.h"

namespace heliodor::cpu {

class CpuPlan final : public program::Plan {
 public:
  CpuPlan(std::shared_ptr<const program::LimbProgram> program, const KernelTable& kernels, NttCache& transforms,
          std::shared_ptr<base::ThreadPool> threads);
  ~CpuPlan() override;

  std::string describe() const override;

 private:
  // What an instruction needs besides addresses.
  struct Prepared {
    std::shared_ptr<const Ntt> ntt;
    const std::uint32_t* permutation = nullptr;
    Word source_bound = 0;
    std::uint32_t first_read = 0;  // into Run::reads
  };
  // The addresses of one execution and the arena behind them.
  struct Run;
  class RunLease;

  program::RunReport do_run(std::span<const program::Binding> batch, const program::SharedBinding& shared) const override;

  void prepare(const program::LimbProgram& program, NttCache& transforms);
  std::unique_ptr<Run> take_run(const Schedule& schedule) const;
  void bind(Run& run, const program::Binding& binding, const program::SharedBinding& shared) const;
  void execute(const Run& run, std::uint32_t index) const;
  void copy_outputs(const Run& run, const program::Binding& binding) const;
  void run_serial(const program::Binding& binding, const program::SharedBinding& shared) const;
  void run_parallel(const program::Binding& binding, const program::SharedBinding& shared) const;

  const KernelTable& kernels_;
  std::shared_ptr<base::ThreadPool> threads_;
  Schedule serial_;
  Schedule parallel_;  // without waves if there is one thread
  std::vector<Prepared> prepared_;
  std::vector<const ring::Modulus*> source_moduli_;  // of every read, parallel to Run::reads
  std::map<std::uint64_t, std::vector<std::uint32_t>> permutations_;

  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Run>> idle_;
};

}  // namespace heliodor::cpu
