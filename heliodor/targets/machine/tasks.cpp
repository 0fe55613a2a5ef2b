// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Why the order exists. An instruction joins a kernel only if its operands are defined before the
// kernel's first instruction. So whatever a kernel depends on begins before it begins: dependences
// between kernels have no cycle.
#include "heliodor/targets/machine/tasks.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "heliodor/targets/machine/frames.h"
#include "heliodor/targets/machine/rates.h"

namespace heliodor::machine {
namespace {

using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;

class TaskMaker {
 public:
  TaskMaker(const LimbProgram& program, const MachineDescription& description, TaskOrder order)
      : program_(program),
        description_(description),
        order_(order),
        frames_(description, program),
        needed_(program.instruction_count()),
        task_of_(program.instruction_count()) {}

  std::vector<Task> run() {
    mark_needed();
    for (const std::vector<std::uint32_t>& kernel : kernels()) cut(kernel);
    return ordered();
  }

 private:
  void mark_needed() {
    const auto mark = [&](ValueId value) {
      if (const auto definition = program_.definition(value)) needed_[*definition] = true;
    };
    for (const program::Output& output : program_.outputs()) mark(output.value);
    for (std::size_t i = program_.instruction_count(); i-- > 0;) {
      if (!needed_[i]) continue;
      for (const ValueId operand : program_.instruction(i).operands) mark(operand);
    }
  }

  /// What instructions of a kernel have in common; nothing if they form none.
  std::vector<ValueId> shared_sources(const Instruction& instruction) const {
    std::vector<ValueId> shared;
    if (instruction.op == LimbOp::dot) {
      for (std::size_t k = 0; k < instruction.operands.size(); k += 2) {
        shared.push_back(instruction.operands[k]);
      }
    } else if (instruction.op == LimbOp::dot_scalar && order_ != TaskOrder::limbwise) {
      const std::uint32_t own = program_.type(instruction.result).modulus;
      for (const ValueId source : instruction.operands) {
        if (program_.type(source).modulus != own) shared.push_back(source);
      }
    }
    return shared;
  }

  bool can_join(const Instruction& instruction, std::uint32_t first) const {
    return std::ranges::all_of(instruction.operands, [&](ValueId operand) {
      const auto definition = program_.definition(operand);
      return !definition || *definition < first;
    });
  }

  /// Needed instructions by kernel, kernels by their first instruction.
  std::vector<std::vector<std::uint32_t>> kernels() const {
    std::vector<std::vector<std::uint32_t>> kernels;
    std::map<std::pair<LimbOp, std::vector<ValueId>>, std::size_t> open;
    for (std::uint32_t i = 0; i < program_.instruction_count(); ++i) {
      if (!needed_[i]) continue;
      const Instruction instruction = program_.instruction(i);
      std::vector<ValueId> shared = shared_sources(instruction);
      std::size_t kernel = kernels.size();
      if (!shared.empty()) {
        std::size_t& latest =
            open.try_emplace({instruction.op, std::move(shared)}, kernel).first->second;
        if (latest != kernel && can_join(instruction, kernels[latest].front())) kernel = latest;
        latest = kernel;
      }
      if (kernel == kernels.size()) kernels.emplace_back();
      kernels[kernel].push_back(i);
    }
    return kernels;
  }

  /// Appends the kernel's tasks.
  void cut(const std::vector<std::uint32_t>& kernel) {
    const std::uint64_t most = frames_.count() / 4;
    const std::size_t first = tasks_.size();
    std::set<ValueId> values;
    std::uint64_t taken = 0;
    for (const std::uint32_t i : kernel) {
      const auto take = [&] {
        const Instruction instruction = program_.instruction(i);
        taken += frames_.width(instruction.result);
        for (const ValueId operand : instruction.operands) {
          if (values.insert(operand).second) taken += frames_.width(operand);
        }
      };
      take();
      if (tasks_.size() == first || taken > most) {
        values.clear();
        taken = 0;
        take();
        tasks_.emplace_back();
      }
      tasks_.back().instructions.push_back(i);
    }
    for (std::size_t task = first; task < tasks_.size(); ++task) complete(task, task != first);
    for (const std::uint32_t i : kernel)
      task_of_[i] = static_cast<std::uint32_t>(tasks_.size() - 1);
  }

  void complete(std::size_t task, bool continues) {
    Task& it = tasks_[task];
    std::vector<std::uint32_t>& before = before_.emplace_back();
    if (continues) before.push_back(static_cast<std::uint32_t>(task - 1));
    for (const std::uint32_t i : it.instructions) {
      for (const ValueId operand : program_.instruction(i).operands) {
        if (const auto definition = program_.definition(operand)) {
          before.push_back(task_of_[*definition]);
        }
      }
    }
    it.fetched = fetched(it);
  }

  /// A fetch keeps the unit for one operation and saves all reads of a source but one.
  std::vector<ValueId> fetched(const Task& task) const {
    if (task.instructions.size() < 2) return {};
    std::vector<ValueId> shared;
    for (const ValueId source : shared_sources(program_.instruction(task.instructions[0]))) {
      if (std::ranges::find(shared, source) == shared.end()) shared.push_back(source);
    }
    const std::uint32_t words = frames_.layout().chunk_words();
    const double cost = unit_cycles(description_, Operation::arithmetic, words, false);
    const auto saved = static_cast<std::uint32_t>(task.instructions.size() - 1);
    const Capability& unit =
        *description_.unit_for(Operation::arithmetic)->can(Operation::arithmetic);
    const bool worthwhile = cost < port_cycles(description_, saved, 0);
    return shared.size() <= unit.registers && worthwhile ? shared : std::vector<ValueId>{};
  }

  std::vector<Task> ordered() {
    std::vector<Task> result;
    std::vector<bool> visited(tasks_.size());
    std::vector<std::pair<std::uint32_t, std::size_t>> path;  // task, what of `before` comes next
    const auto visit = [&](std::uint32_t root) {
      if (visited[root]) return;
      visited[root] = true;
      path.emplace_back(root, 0);
      while (!path.empty()) {
        auto& [task, next] = path.back();
        if (next == before_[task].size()) {
          result.push_back(std::move(tasks_[task]));
          path.pop_back();
        } else if (const std::uint32_t child = before_[task][next++]; !visited[child]) {
          visited[child] = true;
          path.emplace_back(child, 0);
        }
      }
    };
    for (const program::Output& output : program_.outputs()) {
      if (const auto definition = program_.definition(output.value)) visit(task_of_[*definition]);
    }
    return result;
  }

  const LimbProgram& program_;
  const MachineDescription& description_;
  TaskOrder order_;
  Frames frames_;
  std::vector<bool> needed_;            // by instruction
  std::vector<std::uint32_t> task_of_;  // by instruction: its kernel's last task
  std::vector<Task> tasks_;
  std::vector<std::vector<std::uint32_t>> before_;  // by task: the tasks that come first
};

}  // namespace

std::vector<Task> make_tasks(const LimbProgram& program, const MachineDescription& description,
                             TaskOrder order) {
  return TaskMaker(program, description, order).run();
}

}  // namespace heliodor::machine
