// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A group as its jobs: each is filled, transformed and drained in order, and each hand waits for
// the one before it and for a page or a table that is free. What a register shows, it shows a clock
// after the event.
#include "heliodor/targets/stream/relinearize_cycles.h"

#include <algorithm>
#include <vector>

#include "heliodor/targets/stream/internal/relinearize_parser.h"
#include "heliodor/targets/stream/internal/relinearize_sequencer.h"
#include "heliodor/targets/stream/relinearize_model.h"

namespace heliodor::stream {
namespace {

using internal::kPages;

using Clock = std::uint64_t;

// From a page's last row unloaded until the digit can be loaded; from its last row loaded until it
// can be transformed.
constexpr Clock kStored = 4;
constexpr Clock kLoaded = 5;

class GroupClocks {
 public:
  /// `visit`: the clock of the group's first visit.
  GroupClocks(const RelinearizeShape& shape, std::uint32_t size, Clock visit, Clock last_word)
      : shape_(shape),
        size_(size),
        rows_(shape.degree() / kRowWords),
        transform_(internal::transform_clocks(shape.log_degree)),
        table_(internal::table_clocks(shape.log_degree)),
        now_(visit),
        last_word_(last_word),
        table_start_(visit) {}

  /// The clock in which the group's last word is taken.
  Clock run() {
    for (std::uint32_t limb = 0; limb < shape_.limbs; ++limb) fill(limb);
    for (std::uint32_t limb = 0; limb < shape_.limbs; ++limb) {
      multiply(limb);
    }
    return last_word_;
  }

  std::uint64_t jobs() const noexcept { return finish_.size(); }

 private:
  /// Waits until the pipeline is empty; the next word can be taken a clock later.
  void visit() {
    now_ = std::max(now_, last_word_ + RelinearizeModel::kStages + 1) + 1;
    table_ready_ = make_table();
  }

  /// The clock from which the table of a new visit can be used.
  Clock make_table() {
    const std::size_t visit = tables_++;
    Clock start = table_start_;
    if (visit >= 2) start = std::max(start, retired_[visit - 2] + 1);
    const Clock finish = start + table_ + 1;
    table_start_ = finish + 1;
    return finish + 1;
  }

  /// From when on there is a page for the next job.
  Clock page_free() const {
    const std::size_t job = finish_.size();
    return job < kPages ? 0 : freed_[job - kPages] + 1;
  }

  void transform(Clock filled) {
    const Clock before = finish_.empty() ? 0 : finish_.back() + 1;
    finish_.push_back(std::max({filled, table_ready_, before}) + transform_);
  }

  void fill(std::uint32_t) {
    visit();
    now_ = std::max(now_, page_free());
    last_word_ = now_ + size_ * shape_.degree() - 1;
    now_ = last_word_ + 1;
    transform(last_word_ + RelinearizeModel::kFillStage + 1);
    retired_.push_back(finish_.back());
    const Clock start = std::max(finish_.back() + 1, freed_.empty() ? 0 : freed_.back() + 1);
    freed_.push_back(start + rows_);
    stored_.push_back(start + rows_ + kStored);
  }

  void load(std::uint32_t digit) {
    const Clock start = std::max({load_free_, page_free(), stored_[digit]});
    load_free_ = start + rows_ + 1;
    transform(start + rows_ + kLoaded);
  }

  void multiply(std::uint32_t limb) {
    visit();
    if (limb == 0) load_free_ = now_;
    Clock pass = now_;
    for (std::uint32_t digit = 0; digit < shape_.limbs; ++digit) {
      if (digit == limb) continue;
      load(digit);
      pass = std::max({pass, finish_.back() + 1, freed_[shape_.limbs - 1] + 1});
      pass += shape_.degree();
      freed_.push_back(pass - 1);
    }
    retired_.push_back(finish_.back());
    now_ = pass + shape_.degree() * (1 + 2 * std::uint64_t{size_});
    last_word_ = now_ - 1;
  }

  const RelinearizeShape& shape_;
  std::uint64_t size_, rows_;
  Clock transform_, table_;
  Clock now_;        // the first clock in which the next word can be taken
  Clock last_word_;  // the clock in which the last one was
  Clock table_start_, table_ready_ = 0;
  Clock load_free_ = 0;
  std::size_t tables_ = 0;
  std::vector<Clock> finish_, freed_;  // by job
  std::vector<Clock> stored_;          // by digit
  std::vector<Clock> retired_;         // by visit
};

}  // namespace

RelinearizeCycles relinearize_cycles(const RelinearizeShape& shape) {
  // The first word is at the head of the input buffer in clock 1. A profile has two words, each
  // with its check.
  const Clock check = 36 + internal::root_check_clocks(shape.log_degree);
  RelinearizeCycles cycles;
  cycles.words = shape.profile_frame_words();
  Clock next = 1 + 3 + shape.limbs * check;
  Clock last_word = 0;
  for (std::uint32_t group = 0; group < shape.groups(); ++group) {
    GroupClocks clocks(shape, shape.group_size(group), next + 2, last_word);
    last_word = clocks.run();
    next = last_word + 1;
    cycles.words += shape.group_frame_words(group);
    cycles.transforms += clocks.jobs() * internal::transform_clocks(shape.log_degree);
  }
  // A stage after the last one in the queue, one in the output buffer, taken in the clock after.
  cycles.total = last_word + RelinearizeModel::kStages + 3;
  return cycles;
}

}  // namespace heliodor::stream
