// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/cpu_plan.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "heliodor/base/check.h"
#include "heliodor/ring/automorphism.h"

namespace heliodor::cpu {

using program::Binding;
using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::SharedBinding;
using program::ValueId;

struct CpuPlan::Run {
  const Schedule* schedule;
  base::LimbArena arena;
  std::vector<Word*> results;      // by instruction
  std::vector<const Word*> reads;  // operands of all instructions in order; a dot's x_k precede its y_k
  std::vector<const Word*> values;  // by value; null for seeds
  const SharedBinding* shared = nullptr;
};

// A Run that returns to the plan when the execution is over.
class CpuPlan::RunLease {
 public:
  RunLease(const CpuPlan& plan, const Schedule& schedule) : plan_(plan), run_(plan.take_run(schedule)) {}
  ~RunLease() {
    const std::lock_guard lock(plan_.mutex_);
    plan_.idle_.push_back(std::move(run_));
  }
  RunLease(const RunLease&) = delete;
  RunLease& operator=(const RunLease&) = delete;

  Run& operator*() { return *run_; }

 private:
  const CpuPlan& plan_;
  std::unique_ptr<Run> run_;
};

CpuPlan::CpuPlan(std::shared_ptr<const LimbProgram> program, const KernelTable& kernels, NttCache& transforms,
                 std::shared_ptr<base::ThreadPool> threads)
    : Plan(std::move(program)),
      kernels_(kernels),
      threads_(std::move(threads)),
      serial_(make_schedule(this->program(), Order::serial)) {
  if (threads_->size() > 1) parallel_ = make_schedule(this->program(), Order::parallel);
  prepare(this->program(), transforms);
}

CpuPlan::~CpuPlan() = default;

std::string CpuPlan::describe() const {
  return to_string(threads_->size() > 1 ? parallel_ : serial_, program());
}

void CpuPlan::prepare(const LimbProgram& program, NttCache& transforms) {
  prepared_.resize(program.instruction_count());
  for (std::size_t i = 0; i < prepared_.size(); ++i) {
    const Instruction instruction = program.instruction(i);
    Prepared& prepared = prepared_[i];
    prepared.first_read = static_cast<std::uint32_t>(source_moduli_.size());
    for (const ValueId operand : instruction.operands) {
      const bool is_seed = program.type(operand).is_seed();
      source_moduli_.push_back(is_seed ? nullptr : &program.modulus(operand));
    }
    switch (instruction.op) {
      case LimbOp::ntt:
      case LimbOp::intt: prepared.ntt = transforms.get(program.modulus(instruction.result)); break;
      case LimbOp::permute:
        if (program.type(instruction.result).domain == ring::Domain::eval) {
          std::vector<std::uint32_t>& sources = permutations_[instruction.parameter];
          if (sources.empty()) sources = ring::automorphism_eval_sources(instruction.parameter, program.degree());
          prepared.permutation = sources.data();
        }
        break;
      case LimbOp::dot_scalar:
        for (const ValueId x : instruction.operands) {
          prepared.source_bound = std::max(prepared.source_bound, program.modulus(x).value());
        }
        break;
      default: break;
    }
  }
}

std::unique_ptr<CpuPlan::Run> CpuPlan::take_run(const Schedule& schedule) const {
  {
    const std::lock_guard lock(mutex_);
    const auto it = std::find_if(idle_.begin(), idle_.end(), [&](const auto& run) { return run->schedule == &schedule; });
    if (it != idle_.end()) {
      std::unique_ptr<Run> run = std::move(*it);
      idle_.erase(it);
      return run;
    }
  }
  auto run = std::make_unique<Run>();
  run->schedule = &schedule;
  run->arena = base::LimbArena(schedule.slot_count, program().degree());
  run->results.resize(program().instruction_count());
  run->reads.resize(source_moduli_.size());
  run->values.resize(program().value_count());
  return run;
}

void CpuPlan::bind(Run& run, const Binding& binding, const SharedBinding& shared) const {
  run.shared = &shared;
  for (std::size_t value = 0; value < run.values.size(); ++value) {
    const Place place = run.schedule->places[value];
    switch (place.kind) {
      case Place::Kind::operand: run.values[value] = binding.operands[place.index].data(); break;
      case Place::Kind::shared: run.values[value] = shared.limbs[place.index].data(); break;
      case Place::Kind::output: run.values[value] = binding.outputs[place.index].data(); break;
      case Place::Kind::slot: run.values[value] = run.arena.limb(place.index).data(); break;
      case Place::Kind::seed: run.values[value] = nullptr; break;
    }
  }
  for (std::size_t i = 0; i < prepared_.size(); ++i) {
    const Instruction instruction = program().instruction(i);
    const Place place = run.schedule->places[instruction.result];
    run.results[i] = place.kind == Place::Kind::output ? binding.outputs[place.index].data()
                                                       : run.arena.limb(place.index).data();
    const Word** reads = run.reads.data() + prepared_[i].first_read;
    const std::size_t count = instruction.operands.size();
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t position = instruction.op == LimbOp::dot ? k / 2 + (k % 2) * (count / 2) : k;
      reads[position] = run.values[instruction.operands[k]];
    }
  }
}

void CpuPlan::execute(const Run& run, std::uint32_t index) const {
  const Instruction instruction = program().instruction(index);
  const Prepared& prepared = prepared_[index];
  const ring::Modulus& q = program().modulus(instruction.result);
  const std::size_t n = program().degree();
  const Word* const* x = run.reads.data() + prepared.first_read;
  const std::size_t count = instruction.operands.size();
  Word* result = run.results[index];
  switch (instruction.op) {
    case LimbOp::add: kernels_.add(q, x[0], x[1], result, n); break;
    case LimbOp::sub: kernels_.sub(q, x[0], x[1], result, n); break;
    case LimbOp::neg: kernels_.neg(q, x[0], result, n); break;
    case LimbOp::mul: kernels_.mul(q, x[0], x[1], result, n); break;
    case LimbOp::add_scalar: kernels_.add_scalar(q, x[0], instruction.scalars[0], result, n); break;
    case LimbOp::mul_scalar: kernels_.mul_scalar(q, x[0], instruction.scalars[0], result, n); break;
    case LimbOp::dot: kernels_.dot(q, x, x + count / 2, count / 2, result, n); break;
    case LimbOp::dot_scalar:
      kernels_.dot_scalar(q, prepared.source_bound, x, instruction.scalars.data(), count, result, n);
      break;
    case LimbOp::quotient:
      kernels_.quotient(source_moduli_.data() + prepared.first_read, x, count, instruction.rounding(), result, n);
      break;
    case LimbOp::reduce:
      kernels_.reduce(*source_moduli_[prepared.first_read], q, instruction.lift(), x[0], result, n);
      break;
    case LimbOp::ntt: prepared.ntt->forward(x[0], result); break;
    case LimbOp::intt: prepared.ntt->inverse(x[0], result); break;
    case LimbOp::permute:
      if (prepared.permutation != nullptr) {
        kernels_.permute_eval(prepared.permutation, x[0], result, n);
      } else {
        kernels_.permute_coeff(q, instruction.parameter, x[0], result, n);
      }
      break;
    case LimbOp::uniform: {
      const Place seed = run.schedule->places[instruction.operands[0]];
      kernels_.uniform(q, run.shared->seeds[seed.index], instruction.parameter, result, n);
      break;
    }
  }
  HELIODOR_CHECK_RANGE("kernel result", std::span(result, n), q.value());
}

void CpuPlan::copy_outputs(const Run& run, const Binding& binding) const {
  for (const OutputCopy& copy : run.schedule->copies) {
    std::copy_n(run.values[copy.value], program().degree(), binding.outputs[copy.output].data());
  }
}

void CpuPlan::run_serial(const Binding& binding, const SharedBinding& shared) const {
  RunLease lease(*this, serial_);
  bind(*lease, binding, shared);
  for (const auto& wave : serial_.waves) execute(*lease, wave.front());
  copy_outputs(*lease, binding);
}

void CpuPlan::run_parallel(const Binding& binding, const SharedBinding& shared) const {
  RunLease lease(*this, parallel_);
  bind(*lease, binding, shared);
  for (const auto& wave : parallel_.waves) {
    threads_->parallel_for(wave.size(), [&](std::size_t i) { execute(*lease, wave[i]); });
  }
  copy_outputs(*lease, binding);
}

// A batch that occupies every thread is split by binding, which shares nothing; a smaller one by instruction.
program::RunReport CpuPlan::do_run(std::span<const Binding> batch, const SharedBinding& shared) const {
  const auto start = std::chrono::steady_clock::now();
  if (threads_->size() == 1 || batch.size() >= threads_->size()) {
    threads_->parallel_for(batch.size(), [&](std::size_t i) { run_serial(batch[i], shared); });
  } else {
    for (const Binding& binding : batch) run_parallel(binding, shared);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return {{seconds.count(), std::nullopt}, std::nullopt};
}

}  // namespace heliodor::cpu
