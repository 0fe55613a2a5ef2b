// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// CpuPlan: a LimbProgram prepared for one kernel table. What can be known before data comes is done
// at construction. A run resolves addresses once per binding and then only calls kernels; memory is
// kept between runs, so a warm run allocates nothing.
//
// Threads. A batch that occupies every thread is split by binding. A smaller one runs binding by
// binding: the tiles of a strip and the independent operations of a whole step are shared out.
// Either way every word is computed by the same kernel calls on the same operands, so results do
// not depend on threads.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "heliodor/base/thread_pool.h"
#include "heliodor/program/target.h"
#include "heliodor/targets/cpu/execution.h"
#include "heliodor/targets/cpu/fusions.h"
#include "heliodor/targets/cpu/kernel_table.h"
#include "heliodor/targets/cpu/ntt_cache.h"
#include "heliodor/targets/cpu/prepared.h"
#include "heliodor/targets/cpu/schedule.h"

namespace heliodor::cpu {

class CpuPlan final : public program::Plan {
 public:
  CpuPlan(std::shared_ptr<const program::LimbProgram> program, const KernelTable& kernels,
          const Fusions& fusions, NttCache& transforms, std::shared_ptr<base::ThreadPool> threads);

  std::string describe() const override;

 private:
  // A schedule with what it needs. Executions of past runs wait here for the next.
  struct Form {
    Form(const program::LimbProgram& program, const Fusions& fusions, Concurrency concurrency,
         NttCache& transforms, std::size_t workers, bool packs);

    Schedule schedule;
    PreparedProgram prepared;
    std::size_t workers;
    std::mutex mutex;
    std::vector<std::unique_ptr<Execution>> idle;
    std::size_t executions = 0;  // ever made
  };
  class Lease;

  program::RunReport do_run(std::span<const program::Binding> batch,
                            const program::SharedBinding& shared) const override;
  std::unique_ptr<program::LoadedShared> do_load(program::SharedBinding shared) const override;
  program::RunReport do_run_loaded(std::span<const program::Binding> batch,
                                   const program::LoadedShared& shared) const override;

  // What the bindings of a run share.
  struct Shared {
    const program::SharedBinding& binding;
    const PackedKeys* packed;  // or null
  };
  program::RunReport run_batch(std::span<const program::Binding> batch, const Shared& shared) const;
  template <typename Body>
  void share(std::size_t items, Body body) const;
  void run_in_step(std::span<const program::Binding> bindings, const Shared& shared) const;
  void run_concurrently(const program::Binding& binding, const Shared& shared) const;
  void execute(const Form& form, Execution& execution, const Operation& operation,
               std::size_t begin, std::size_t length, std::size_t worker) const;
  void execute_one(const PreparedInstruction& prepared, Execution& execution, std::size_t begin,
                   std::size_t length, std::size_t worker) const;
  void execute_sums(const Form& form, std::span<const std::uint32_t> members, Execution& execution,
                    std::size_t begin, std::size_t length, std::size_t worker) const;
  void execute_conversions(const Form& form, std::span<const std::uint32_t> group,
                           Execution& execution, std::size_t begin, std::size_t length,
                           std::size_t worker) const;

  const KernelTable& kernels_;
  std::shared_ptr<base::ThreadPool> threads_;
  std::unique_ptr<Form> serial_;
  std::unique_ptr<Form> concurrent_;  // null for a pool of one thread
};

}  // namespace heliodor::cpu
