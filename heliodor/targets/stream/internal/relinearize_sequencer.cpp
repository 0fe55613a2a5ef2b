// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/internal/relinearize_sequencer.h"

#include <algorithm>

namespace heliodor::stream::internal {
namespace {

// Clocks from reading a group of words until it can be read again, transformed.
constexpr std::uint64_t kTurnaround = 13;
constexpr std::uint32_t kTables = 2;

// Stages with the same lowest free bit share their groups of eight words.
std::uint32_t lowest_free_bit(std::uint32_t stage, std::uint32_t log_degree) {
  return std::min(stage - stage % 3, log_degree - 3);
}

std::uint32_t last_row(const RelinearizeShape& shape) { return shape.degree() / kRowWords - 1; }

// A shift register: `enters` at the front.
template <std::size_t kLength>
void shift(std::array<bool, kLength>& stages, bool enters) {
  std::ranges::move_backward(stages.begin(), stages.end() - 1, stages.end());
  stages.front() = enters;
}

template <std::size_t kLength>
bool any(const std::array<bool, kLength>& stages) {
  return std::ranges::find(stages, true) != stages.end();
}

}  // namespace

std::uint64_t transform_clocks(std::uint32_t log_degree) noexcept {
  const std::uint64_t groups = std::uint64_t{1} << (log_degree - 3);
  std::uint64_t clocks = 1;
  for (std::uint32_t stage = log_degree - 1; stage > 0; --stage) {
    const bool same_groups =
        lowest_free_bit(stage, log_degree) == lowest_free_bit(stage - 1, log_degree);
    clocks += same_groups ? std::max(groups, kTurnaround) : groups - 1 + kTurnaround;
  }
  return clocks + groups - 1 + kTurnaround;
}

void RelinearizeSequencer::Visits::step(std::uint32_t limbs) noexcept {
  limb = limb + 1 == limbs ? 0 : limb + 1;
  if (limb != 0) return;
  more = !forward;
  forward = true;
}

bool RelinearizeSequencer::idle() const noexcept {
  return !generating_ && !unit_running_ && !unloading_ && !any(storing_) && !loading_ &&
         !any(lifting_);
}

RelinearizeSequencer::Signals RelinearizeSequencer::signals(
    const View& view, const RelinearizeShape& shape) const noexcept {
  const bool run = view.run;
  Signals now{};
  now.generator_start = run && generator_.more && !generating_ && tables_ < kTables;
  now.generator_finish = generating_ && generator_clocks_ == 0;
  now.unit_start = run && unit_.more && !unit_running_ && filled_ != 0 && tables_ != 0;
  now.unit_finish = unit_running_ && unit_clocks_ == 0;
  now.retire = now.unit_finish && (!unit_.forward || unit_count_ + 2 == shape.limbs);
  now.unload_start = !unloading_ && run && unload_more_ && done_ != 0;
  now.unload_last = unloading_ && unload_row_ == last_row(shape);
  now.load_start =
      !loading_ && run && view.forward && load_more_ && used_ < kPages && stored_ > load_digit_;
  now.load_last = loading_ && load_row_ == last_row(shape);
  return now;
}

RelinearizeSequencer::Action RelinearizeSequencer::clock(const View& view,
                                                         const RelinearizeShape& shape) {
  const Signals now = signals(view, shape);
  Action action;
  if (now.unit_start) action.transform = PageJob{unit_page_, unit_.limb, 0, !unit_.forward};
  if (now.unload_last) action.unload = PageJob{drain_page_, unload_digit_, unload_digit_, true};
  if (now.load_last) action.load = PageJob{fill_page_, load_limb_, load_digit_, false};
  step_pages(view, now);
  step_generator(now, shape);
  step_transforms(now, shape);
  step_unloader(now, shape);
  step_loader(now, shape);
  if (view.clear) begin_group();
  return action;
}

void RelinearizeSequencer::begin_group() noexcept {
  used_ = filled_ = done_ = 0;
  fill_page_ = unit_page_ = drain_page_ = 0;
  tables_ = 0;
  generator_ = unit_ = {0, false, true};
  unit_count_ = 0;
  unload_more_ = load_more_ = true;
  unload_digit_ = stored_ = 0;
  load_limb_ = 0;
  load_digit_ = 1;
}

void RelinearizeSequencer::step_pages(const View& view, const Signals& now) noexcept {
  const bool drained = now.unload_last || view.key_last;
  const auto count = [](bool up, bool down) { return (up ? 1U : 0U) - (down ? 1U : 0U); };
  used_ += count(view.fill_start || now.load_start, drained);
  filled_ += count(view.fill_written || lift_last_.back(), now.unit_start);
  done_ += count(now.unit_finish, drained);
  fill_page_ = (fill_page_ + count(view.fill_last || now.load_last, false)) % kPages;
  unit_page_ = (unit_page_ + count(now.unit_finish, false)) % kPages;
  drain_page_ = (drain_page_ + count(drained, false)) % kPages;
}

void RelinearizeSequencer::step_generator(const Signals& now,
                                          const RelinearizeShape& shape) noexcept {
  if (generator_clocks_ != 0) --generator_clocks_;
  if (now.generator_start) {
    generating_ = true;
    generator_clocks_ = table_clocks(shape.log_degree);
  }
  if (now.generator_finish) {
    generating_ = false;
    generator_.step(shape.limbs);
  }
  tables_ += (now.generator_finish ? 1U : 0U) - (now.retire ? 1U : 0U);
}

void RelinearizeSequencer::step_transforms(const Signals& now,
                                           const RelinearizeShape& shape) noexcept {
  if (unit_clocks_ != 0) --unit_clocks_;
  if (now.unit_start) {
    unit_running_ = true;
    unit_clocks_ = transform_clocks(shape.log_degree) - 1;
  }
  if (!now.unit_finish) return;
  unit_running_ = false;
  unit_count_ = now.retire ? 0 : unit_count_ + 1;
  if (now.retire) unit_.step(shape.limbs);
}

void RelinearizeSequencer::step_unloader(const Signals& now,
                                         const RelinearizeShape& shape) noexcept {
  stored_ += store_last_.back() ? 1 : 0;
  shift(storing_, unloading_);
  shift(store_last_, now.unload_last);
  unload_row_ = unloading_ ? unload_row_ + 1 : 0;
  if (now.unload_start) unloading_ = true;
  if (!now.unload_last) return;
  unloading_ = false;
  ++unload_digit_;
  unload_more_ = unload_digit_ != shape.limbs;
}

void RelinearizeSequencer::step_loader(const Signals& now, const RelinearizeShape& shape) noexcept {
  shift(lifting_, loading_);
  shift(lift_last_, now.load_last);
  load_row_ = loading_ ? load_row_ + 1 : 0;
  if (now.load_start) loading_ = true;
  if (!now.load_last) return;
  loading_ = false;
  ++load_digit_;
  if (load_digit_ == load_limb_) ++load_digit_;
  if (load_digit_ < shape.limbs) return;
  ++load_limb_;
  load_digit_ = 0;
  load_more_ = load_limb_ != shape.limbs;
}

}  // namespace heliodor::stream::internal
