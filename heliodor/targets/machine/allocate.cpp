// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/allocate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "heliodor/targets/machine/frames.h"
#include "heliodor/targets/machine/internal/frame_pool.h"

namespace heliodor::machine {
namespace {

using internal::FramePool;
using program::InputKind;
using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;

constexpr std::uint32_t kNone = 0xffffffff;

bool is_resident(InputKind kind, const Residency& residency) noexcept {
  return (kind == InputKind::operand && residency.operands) ||
         (kind == InputKind::key && residency.keys) ||
         (kind == InputKind::constant && residency.constants);
}

class Allocator {
 public:
  Allocator(const MachineDescription& description, const LimbProgram& program,
            const std::vector<Task>& tasks, const Residency& residency)
      : program_(program),
        tasks_(tasks),
        residency_(residency),
        frames_(description, program),
        pool_(most_frames(), frames_.has_wide()),
        values_(program.value_count()) {
    collect_inputs_and_outputs();
    collect_uses();
  }

  base::Result<Allocation> run() {
    if (!load_residents()) return refused("what is resident at the start");
    for (; task_ < tasks_.size(); ++task_) {
      collect_items();
      if (!place()) {
        return refused(fmt::format("instruction {}", tasks_[task_].instructions.front()));
      }
      run_task();
    }
    if (!finish()) return refused("what is resident at the end");
    result_.rows = pool_.reach() * frames_.rows_per_frame();
    return std::move(result_);
  }

 private:
  struct Value {
    std::uint32_t frame = kNone;
    std::uint32_t input = kNone;
    std::uint32_t slot = kNone;
    std::vector<std::uint32_t> outputs;
    std::vector<std::size_t> uses;  // tasks that read it, ascending; tasks_.size(): the end
    std::size_t used = 0;           // of them
    std::size_t placement = 0;      // index into result_.placements while it has a frame

    bool is_dead() const noexcept { return used == uses.size(); }
  };

  /// What must have a frame while a task runs.
  struct Item {
    enum class Kind : std::uint8_t { operand, scratch, result };

    Kind kind;
    ValueId value;  // scratch: the result, whose modulus it shares
    std::uint32_t frame = kNone;
  };

  /// No more than all values together can take.
  std::uint32_t most_frames() const {
    const std::uint64_t useful = 2 * (std::uint64_t{program_.value_count()} + 1);
    return static_cast<std::uint32_t>(std::min(frames_.count(), useful));
  }

  void collect_inputs_and_outputs() {
    for (std::uint32_t i = 0; i < program_.inputs().size(); ++i) {
      values_[program_.inputs()[i].value].input = i;
    }
    for (std::uint32_t i = 0; i < program_.outputs().size(); ++i) {
      values_[program_.outputs()[i].value].outputs.push_back(i);
    }
  }

  void collect_uses() {
    const auto add = [&](ValueId value, std::size_t use) {
      std::vector<std::size_t>& uses = values_[value].uses;
      if (uses.empty() || uses.back() != use) uses.push_back(use);
    };
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      for (const std::uint32_t i : tasks_[task].instructions) {
        for (const ValueId operand : program_.instruction(i).operands) add(operand, task);
      }
    }
    for (const program::Output& output : program_.outputs()) {
      if (is_stored_at_end(output.value)) add(output.value, tasks_.size());
    }
  }

  /// Outputs that stay on chip, and inputs that are outputs; others are stored when they are made.
  bool is_stored_at_end(ValueId value) const {
    return residency_.outputs || values_[value].input != kNone;
  }

  bool load_residents() {
    for (const program::Input& input : program_.inputs()) {
      if (is_resident(input.kind, residency_) && !values_[input.value].is_dead()) {
        items_.push_back({Item::Kind::operand, input.value});
      }
    }
    loading_residents_ = true;
    const bool fits = place();
    loading_residents_ = false;
    return fits;
  }

  void collect_items() {
    items_.clear();
    handed_over_.clear();
    std::set<ValueId> operands;
    for (const std::uint32_t i : tasks_[task_].instructions) {
      for (const ValueId operand : program_.instruction(i).operands) {
        if (frames_.width(operand) != 0 && operands.insert(operand).second) {
          items_.push_back({Item::Kind::operand, operand});
        }
      }
    }
    for (const std::uint32_t i : tasks_[task_].instructions) {
      const Instruction instruction = program_.instruction(i);
      if (needs_scratch(instruction)) items_.push_back({Item::Kind::scratch, instruction.result});
      if (const auto operand = find_frame_to_take_over(instruction)) {
        handed_over_.emplace_back(*operand, instruction.result);
      } else {
        items_.push_back({Item::Kind::result, instruction.result});
      }
    }
  }

  bool needs_scratch(const Instruction& instruction) const {
    return instruction.op == LimbOp::permute && frames_.layout().chunks() > 1 &&
           program_.type(instruction.result).domain == program::Domain::coeff;
  }

  bool is_handed_over(ValueId operand) const {
    return std::ranges::any_of(handed_over_,
                               [&](const auto& pair) { return pair.first == operand; });
  }

  /// An operand that dies and whose reads come before the result's writes in every chunk: any of a
  /// single instruction, of a kernel those in registers. Permutations read other chunks than they
  /// write.
  std::optional<ValueId> find_frame_to_take_over(const Instruction& instruction) const {
    const Task& task = tasks_[task_];
    if (instruction.op == LimbOp::permute) return {};
    for (const ValueId operand : instruction.operands) {
      const bool read_first = task.instructions.size() == 1 ||
                              std::ranges::find(task.fetched, operand) != task.fetched.end();
      const bool dies = values_[operand].used + 1 == values_[operand].uses.size();
      const bool fits = frames_.width(operand) == frames_.width(instruction.result);
      if (read_first && dies && fits && !is_handed_over(operand)) return operand;
    }
    return {};
  }

  /// Gives every item a frame. Wide ones come first: once all else has left, the items fit if their
  /// sum does.
  bool place() {
    bool placed = try_place();
    if (!placed) {
      evict_all();
      placed = try_place();
    }
    pool_.unpin_all();
    return placed;
  }

  bool try_place() {
    for (const Item& item : items_) {
      const std::uint32_t frame = values_[item.value].frame;
      if (item.kind == Item::Kind::operand && frame != kNone) {
        pool_.pin(frame, frames_.width(item.value));
      }
    }
    return try_place_all_of(2) && try_place_all_of(1);
  }

  bool try_place_all_of(std::uint32_t width) {
    for (Item& item : items_) {
      const bool operand = item.kind == Item::Kind::operand;
      std::uint32_t& frame = operand ? values_[item.value].frame : item.frame;
      if (frames_.width(item.value) != width || frame != kNone) continue;
      const auto found = make_room(width);
      if (!found) return false;
      frame = *found;
      pool_.take(frame, width, item.value, true);
      if (operand) bring(item.value);
    }
    return true;
  }

  std::optional<std::uint32_t> make_room(std::uint32_t width) {
    const auto frame = pool_.best(width, [&](ValueId value) {
      const Value& it = values_[value];
      return it.uses[it.used];
    });
    for (std::uint32_t i = 0; frame && i < width; ++i) {
      const ValueId there = pool_.occupant(*frame + i);
      if (there != FramePool::kFree) evict(there);
    }
    return frame;
  }

  void evict(ValueId id) {
    Value& value = values_[id];
    if (value.input == kNone && value.slot == kNone) {
      value.slot = result_.spill_slots++;
      add_step(Step::Kind::spill, id, value.slot).operands = {row(id)};
      touch(id);
    }
    release(id);
  }

  void evict_all() {
    pool_.unpin_all();
    for (Item& item : items_) {
      if (item.frame == kNone) continue;
      pool_.release(item.frame, frames_.width(item.value), now());
      item.frame = kNone;
    }
    for (ValueId id = 0; id < values_.size(); ++id) {
      if (values_[id].frame != kNone) evict(id);
    }
  }

  /// Loads or reloads a value into its frame.
  void bring(ValueId id) {
    const Value& value = values_[id];
    Step& step = value.input != kNone ? add_step(Step::Kind::load, id, value.input)
                                      : add_step(Step::Kind::reload, id, value.slot);
    step.results = {row(id)};
    step.resident = loading_residents_;
    begin_placement(id);
  }

  void run_task() {
    Step& step = add_step(Step::Kind::task, 0, 0);
    for (const std::uint32_t i : tasks_[task_].instructions) {
      for (const ValueId operand : program_.instruction(i).operands) {
        step.operands.push_back(frames_.width(operand) == 0 ? 0 : row(operand));
      }
    }
    for (const auto& [operand, result] : handed_over_) {
      values_[result].frame = values_[operand].frame;
    }
    for (const Item& item : items_) {
      if (item.kind == Item::Kind::result) values_[item.value].frame = item.frame;
      if (item.kind == Item::Kind::scratch) {
        step.scratch.push_back(item.frame * frames_.rows_per_frame());
        pool_.release(item.frame, frames_.width(item.value), now());
      }
    }
    for (const std::uint32_t i : tasks_[task_].instructions) {
      step.results.push_back(row(program_.instruction(i).result));
    }
    retire_operands();
    keep_results();
  }

  void retire_operands() {
    for (const Item& item : items_) {
      if (item.kind != Item::Kind::operand) continue;
      Value& value = values_[item.value];
      touch(item.value);
      ++value.used;
      if (!value.is_dead()) continue;
      if (is_handed_over(item.value)) {
        value.frame = kNone;
      } else {
        release(item.value);
      }
    }
  }

  void keep_results() {
    for (const std::uint32_t i : tasks_[task_].instructions) {
      const ValueId result = program_.instruction(i).result;
      pool_.take(values_[result].frame, frames_.width(result), result, false);
      begin_placement(result);
    }
    for (const std::uint32_t i : tasks_[task_].instructions) {
      const ValueId result = program_.instruction(i).result;
      if (!is_stored_at_end(result)) store(result);
      if (values_[result].is_dead()) release(result);
    }
  }

  void store(ValueId id) {
    for (const std::uint32_t output : values_[id].outputs) {
      Step& step = add_step(Step::Kind::store, id, output);
      step.operands = {row(id)};
      step.resident = residency_.outputs;
      touch(id);
    }
  }

  /// Stores what stays on chip, all at once, or inputs that are outputs, one by one.
  bool finish() {
    std::set<ValueId> values;
    for (const program::Output& output : program_.outputs()) {
      if (is_stored_at_end(output.value)) values.insert(output.value);
    }
    items_.clear();
    for (const ValueId value : values) items_.push_back({Item::Kind::operand, value});
    if (residency_.outputs && !place()) return false;
    for (const ValueId value : values) {
      if (!residency_.outputs) {
        items_ = {{Item::Kind::operand, value}};
        if (!place()) return false;
      }
      store(value);
      ++values_[value].used;
      if (!residency_.outputs) release(value);
    }
    return true;
  }

  base::Diagnostics refused(std::string_view what) const {
    std::uint64_t needed = 0;
    for (const Item& item : items_) needed += frames_.width(item.value);
    return {{{},
             fmt::format("{} needs {} rows, scratchpad holds {}", what,
                         needed * frames_.rows_per_frame(),
                         frames_.count() * frames_.rows_per_frame())}};
  }

  Row row(ValueId id) const noexcept { return values_[id].frame * frames_.rows_per_frame(); }

  std::size_t now() const noexcept { return result_.steps.size(); }

  Step& add_step(Step::Kind kind, ValueId value, std::uint32_t index) {
    Step& step = result_.steps.emplace_back();
    step.kind = kind;
    step.task = static_cast<std::uint32_t>(task_);
    step.value = value;
    step.index = index;
    return step;
  }

  void begin_placement(ValueId id) {
    values_[id].placement = result_.placements.size();
    result_.placements.push_back({id, row(id), frames_.width(id) * frames_.rows_per_frame(), {}});
    touch(id);
  }

  /// The latest step uses the value.
  void touch(ValueId id) {
    const auto step = static_cast<std::uint32_t>(now() - 1);
    result_.placements[values_[id].placement].steps.push_back(step);
  }

  void release(ValueId id) {
    pool_.release(values_[id].frame, frames_.width(id), now());
    values_[id].frame = kNone;
  }

  const LimbProgram& program_;
  const std::vector<Task>& tasks_;
  Residency residency_;
  Frames frames_;
  FramePool pool_;
  std::vector<Value> values_;
  std::size_t task_ = 0;
  bool loading_residents_ = false;
  std::vector<Item> items_;                               // of the task
  std::vector<std::pair<ValueId, ValueId>> handed_over_;  // operand's frame to result
  Allocation result_;
};

}  // namespace

base::Result<Allocation> allocate(const MachineDescription& description, const LimbProgram& program,
                                  const std::vector<Task>& tasks, const Residency& residency) {
  return Allocator(description, program, tasks, residency).run();
}

}  // namespace heliodor::machine
