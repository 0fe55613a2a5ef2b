// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/cpu_target.h"

#include <utility>

#include "heliodor/targets/cpu/cost_model.h"
#include "heliodor/targets/cpu/cpu_plan.h"
#include "heliodor/targets/cpu/rate_cache.h"
#include "heliodor/targets/cpu/schedule.h"

namespace heliodor::cpu {

CpuTarget::CpuTarget(const KernelTable& kernels, unsigned threads, const Fusions& fusions)
    : kernels_(kernels),
      fusions_(fusions),
      threads_(std::make_shared<base::ThreadPool>(threads)),
      transforms_(std::make_shared<NttCache>(kernels)) {}

std::string CpuTarget::name() const { return "cpu:" + std::string(kernels_.name); }

unsigned CpuTarget::widest_fast_modulus_bits() const { return 47; }

std::optional<std::string> CpuTarget::refusal(const program::LimbProgram& /*program*/) const {
  return std::nullopt;
}

program::Cost CpuTarget::predict(const program::LimbProgram& program) const {
  const unsigned threads = threads_->size();
  const Schedule schedule = make_schedule(
      program, fusions_, threads == 1 ? Concurrency::serial : Concurrency::concurrent);
  constexpr double kSecond = 1e9;
  return {predict_time(program, schedule, known_rates(kernels_), threads).total_ns() / kSecond,
          std::nullopt};
}

std::unique_ptr<const program::Plan> CpuTarget::do_plan(
    std::shared_ptr<const program::LimbProgram> program) const {
  return std::make_unique<CpuPlan>(std::move(program), kernels_, fusions_, *transforms_, threads_);
}

}  // namespace heliodor::cpu
