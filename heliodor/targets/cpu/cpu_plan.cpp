// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/cpu_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include "heliodor/base/check.h"

namespace heliodor::cpu {
namespace {

using program::Binding;
using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::SharedBinding;
using program::ValueId;

// Bindings that a thread runs in step, so that a piece of a key is read from cache by all but the
// first; where transforms fetch keys, one binding alone leaves more of that cache.
constexpr std::size_t kBindingsInStep = 2;

}  // namespace

CpuPlan::Form::Form(const LimbProgram& program, const Fusions& fusions, Concurrency concurrency,
                    NttCache& transforms, std::size_t worker_count, bool packs)
    : schedule(make_schedule(program, fusions, concurrency)),
      prepared(program, schedule, transforms, packs),
      workers(worker_count) {}

// An execution that goes back to its form when the run is over.
class CpuPlan::Lease {
 public:
  Lease(const LimbProgram& program, Form& form) : form_(form) {
    {
      const std::lock_guard lock(form_.mutex);
      if (!form_.idle.empty()) {
        execution_ = std::move(form_.idle.back());
        form_.idle.pop_back();
        return;
      }
    }
    execution_ = std::make_unique<Execution>(program, form_.schedule, form_.workers);
    const std::lock_guard lock(form_.mutex);
    form_.idle.reserve(++form_.executions);
  }
  ~Lease() {
    if (!execution_) return;
    const std::lock_guard lock(form_.mutex);
    form_.idle.push_back(std::move(execution_));  // does not allocate: room was reserved
  }
  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) = delete;

  Execution& operator*() const { return *execution_; }

 private:
  Form& form_;
  std::unique_ptr<Execution> execution_;
};

CpuPlan::CpuPlan(std::shared_ptr<const LimbProgram> program, const KernelTable& kernels,
                 const Fusions& fusions, NttCache& transforms,
                 std::shared_ptr<base::ThreadPool> threads)
    : Plan(std::move(program)),
      kernels_(kernels),
      threads_(std::move(threads)),
      serial_(std::make_unique<Form>(this->program(), fusions, Concurrency::serial, transforms, 1,
                                     kernels.dot_packed != nullptr)) {
  if (threads_->size() == 1) return;
  concurrent_ = std::make_unique<Form>(this->program(), fusions, Concurrency::concurrent,
                                       transforms, threads_->size(), kernels.dot_packed != nullptr);
}

std::string CpuPlan::describe() const {
  const Schedule& schedule = (concurrent_ ? concurrent_ : serial_)->schedule;
  const std::size_t workers = threads_->size();
  const std::size_t words = schedule.slot_count * program().degree() +
                            schedule.tile_count * schedule.tile_words * workers;
  return fmt::format("kernels {}, threads {}, {:.1f} MiB of intermediate values per binding\n{}",
                     kernels_.name, workers, static_cast<double>(words * sizeof(Word)) / (1 << 20),
                     to_string(schedule, program()));
}

program::RunReport CpuPlan::do_run(std::span<const Binding> batch,
                                   const SharedBinding& shared) const {
  return run_batch(batch, {shared, nullptr});
}

std::unique_ptr<program::LoadedShared> CpuPlan::do_load(SharedBinding shared) const {
  return std::make_unique<PackedKeys>(std::move(shared), serial_->prepared.packed_limbs());
}

program::RunReport CpuPlan::do_run_loaded(std::span<const Binding> batch,
                                          const program::LoadedShared& shared) const {
  return run_batch(batch, {shared.binding(), static_cast<const PackedKeys*>(&shared)});
}

program::RunReport CpuPlan::run_batch(std::span<const Binding> batch, const Shared& shared) const {
  const auto start = std::chrono::steady_clock::now();
  const std::size_t threads = threads_->size();
  const std::size_t in_step = serial_->prepared.fetches_keys() ? 1 : kBindingsInStep;
  if (batch.size() >= threads) {
    const auto run_part = [&](std::size_t t) {
      const std::size_t first = batch.size() * t / threads, last = batch.size() * (t + 1) / threads;
      for (std::size_t i = first; i < last; i += in_step) {
        run_in_step(batch.subspan(i, std::min(in_step, last - i)), shared);
      }
    };
    threads_->parallel_for(threads, std::cref(run_part));  // a reference: no allocation
  } else {
    for (const Binding& binding : batch) run_concurrently(binding, shared);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return {{seconds.count(), std::nullopt}, std::nullopt};
}

// Calls body(item, worker) for every item, each worker with a contiguous part.
template <typename Body>
void CpuPlan::share(std::size_t items, Body body) const {
  const std::size_t workers = std::min<std::size_t>(items, threads_->size());
  threads_->parallel_for(workers, [&](std::size_t worker) {
    for (std::size_t i = items * worker / workers; i < items * (worker + 1) / workers; ++i)
      body(i, worker);
  });
}

void CpuPlan::run_in_step(std::span<const Binding> bindings, const Shared& shared) const {
  const Schedule& schedule = serial_->schedule;
  std::array<std::optional<Lease>, kBindingsInStep> places;
  const auto leases = std::span(places).first(bindings.size());
  for (std::size_t i = 0; i < bindings.size(); ++i) {
    (*leases[i].emplace(program(), *serial_)).bind(bindings[i], shared.binding, shared.packed);
  }
  for (const Step& step : schedule.steps) {
    const std::size_t tile = step.strip ? schedule.tile_words : program().degree();
    for (std::size_t begin = 0; begin < program().degree(); begin += tile) {
      for (const std::optional<Lease>& lease : leases) {
        for (const Operation& operation : schedule.operations_of(step)) {
          execute(*serial_, **lease, operation, begin, tile, 0);
        }
      }
    }
  }
  for (std::size_t i = 0; i < bindings.size(); ++i) (**leases[i]).copy_outputs(bindings[i]);
}

void CpuPlan::run_concurrently(const Binding& binding, const Shared& shared) const {
  const Schedule& schedule = concurrent_->schedule;
  const Lease lease(program(), *concurrent_);
  (*lease).bind(binding, shared.binding, shared.packed);
  for (const Step& step : schedule.steps) {
    const auto operations = schedule.operations_of(step);
    if (step.strip) {
      share(program().degree() / schedule.tile_words, [&](std::size_t tile, std::size_t worker) {
        for (const Operation& operation : operations) {
          execute(*concurrent_, *lease, operation, tile * schedule.tile_words, schedule.tile_words,
                  worker);
        }
      });
    } else {
      share(operations.size(), [&](std::size_t i, std::size_t worker) {
        execute(*concurrent_, *lease, operations[i], 0, program().degree(), worker);
      });
    }
  }
  (*lease).copy_outputs(binding);
}

void CpuPlan::execute(const Form& form, Execution& execution, const Operation& operation,
                      std::size_t begin, std::size_t length, std::size_t worker) const {
  const auto members = form.schedule.instructions(operation);
  const PreparedInstruction& first = form.prepared[members[0]];
  const LimbOp op = first.instruction.op;
  if (op == LimbOp::dot_scalar)
    return execute_conversions(form, members, execution, begin, length, worker);
  if (op == LimbOp::dot) return execute_sums(form, members, execution, begin, length, worker);
  if (members.size() == 1) return execute_one(first, execution, begin, length, worker);
  const PreparedInstruction& second = form.prepared[members[1]];
  const Word* x = execution.address(first.reads[0], begin, worker);
  Word* result = execution.address(first.result, begin, worker);
  if (op == LimbOp::intt) {
    first.ntt->inverse(x, result, first.inverse_scale);
  } else if (op == LimbOp::sub) {
    const Word* y = execution.address(first.reads[1], begin, worker);
    kernels_.sub_mul_scalar(*first.q, x, y, *second.scalar, result, length);
  } else if (second.ntt->lifts_from(*first.sources[0])) {
    second.ntt->forward_lifted(*first.sources[0], first.instruction.lift(), x, result, second.range,
                               execution.ahead(second.ahead));
  } else {
    kernels_.reduce(*first.sources[0], *first.q, first.instruction.lift(), x, result, length);
    second.ntt->forward(result, result, second.range, execution.ahead(second.ahead));
  }
  if (second.range == Range::canonical)
    HELIODOR_CHECK_RANGE("chain", std::span(result, length), first.q->value());
}

void CpuPlan::execute_sums(const Form& form, std::span<const std::uint32_t> members,
                           Execution& execution, std::size_t begin, std::size_t length,
                           std::size_t worker) const {
  const PreparedInstruction& first = form.prepared[members[0]];
  const std::size_t terms = first.reads.size() / 2;
  const bool packed = first.packed && execution.has_packed_keys();
  const Word* const* x = nullptr;
  DotTarget<Word> targets[KernelTable::kMaxDotTargets];
  DotTarget<std::uint32_t> packed_targets[KernelTable::kMaxDotTargets];
  std::size_t count = 0;
  for (const std::uint32_t member : members) {
    const PreparedInstruction& dot = form.prepared[member];
    if (dot.instruction.op != LimbOp::dot) continue;  // the add of a chain
    const Word* const* reads = execution.addresses(dot.reads, begin, worker, count);
    const Word* addend = dot.addend ? execution.address(*dot.addend, begin, worker) : nullptr;
    Word* result = execution.address(dot.result, begin, worker);
    if (count == 0) x = reads;
    if (packed) {
      const auto keys = std::span(dot.reads).last(terms);
      packed_targets[count] = {execution.packed_addresses(keys, begin, worker, count), addend,
                               result};
    }
    targets[count++] = {reads + terms, addend, result};
  }
  if (packed) {
    kernels_.dot_packed(*first.q, first.range, x, terms, packed_targets, count, length);
  } else {
    kernels_.dot(*first.q, first.range, x, terms, targets, count, length);
  }
  for (std::size_t t = 0; t < count; ++t)
    HELIODOR_CHECK_RANGE("dot", std::span(targets[t].result, length), first.q->value());
}

void CpuPlan::execute_conversions(const Form& form, std::span<const std::uint32_t> group,
                                  Execution& execution, std::size_t begin, std::size_t length,
                                  std::size_t worker) const {
  DotScalarTarget targets[KernelTable::kMaxTargets];
  for (std::size_t t = 0; t < group.size(); ++t) {
    const PreparedInstruction& prepared = form.prepared[group[t]];
    targets[t] = {prepared.q, &*prepared.factors,
                  execution.address(prepared.result, begin, worker)};
  }
  const PreparedInstruction& first = form.prepared[group[0]];
  kernels_.dot_scalar(first.source_bound, execution.addresses(first.reads, begin, worker),
                      first.reads.size(), targets, group.size(), length);
  for (std::size_t t = 0; t < group.size(); ++t) {
    HELIODOR_CHECK_RANGE("dot_scalar", std::span(targets[t].result, length), targets[t].q->value());
  }
}

void CpuPlan::execute_one(const PreparedInstruction& prepared, Execution& execution,
                          std::size_t begin, std::size_t length, std::size_t worker) const {
  const Instruction& instruction = prepared.instruction;
  const KernelModulus& q = *prepared.q;
  const std::size_t count = prepared.reads.size();
  Word* result = execution.address(instruction.result, begin, worker);
  if (instruction.op == LimbOp::uniform) {
    kernels_.uniform(q, execution.seed(prepared.reads[0]), instruction.parameter, result, length);
    HELIODOR_CHECK_RANGE("uniform", std::span(result, length), q.value());
    return;
  }
  const Word* const* x = execution.addresses(prepared.reads, begin, worker);
  switch (instruction.op) {
    case LimbOp::add:
      kernels_.add(q, x[0], x[1], result, length);
      break;
    case LimbOp::sub:
      kernels_.sub(q, x[0], x[1], result, length);
      break;
    case LimbOp::neg:
      kernels_.neg(q, x[0], result, length);
      break;
    case LimbOp::mul:
      kernels_.mul(q, x[0], x[1], result, length);
      break;
    case LimbOp::add_scalar:
      kernels_.add_scalar(q, x[0], instruction.scalars[0], result, length);
      break;
    case LimbOp::mul_scalar:
      kernels_.mul_scalar(q, x[0], *prepared.scalar, result, length);
      break;
    case LimbOp::quotient:
      kernels_.quotient(prepared.sources.data(), x, count, instruction.rounding(), result, length);
      break;
    case LimbOp::reduce:
      kernels_.reduce(*prepared.sources[0], q, instruction.lift(), x[0], result, length);
      break;
    case LimbOp::ntt:
      prepared.ntt->forward(x[0], result, prepared.range, execution.ahead(prepared.ahead));
      break;
    case LimbOp::intt:
      prepared.ntt->inverse(x[0], result);
      break;
    case LimbOp::permute:
      if (prepared.permutation != nullptr) {
        kernels_.permute_eval(prepared.permutation, x[0], result, length);
      } else {
        kernels_.permute_coeff(q, instruction.parameter, x[0], result, length);
      }
      break;
    case LimbOp::dot:
    case LimbOp::dot_scalar:
    case LimbOp::uniform:
      break;  // above
  }
  const bool canonical = instruction.op != LimbOp::ntt || prepared.range == Range::canonical;
  if (canonical)
    HELIODOR_CHECK_RANGE(program::info(instruction.op).name.data(), std::span(result, length),
                         q.value());
}

}  // namespace heliodor::cpu
