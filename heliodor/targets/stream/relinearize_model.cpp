// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/relinearize_model.h"

#include <utility>

#include "heliodor/targets/stream/internal/relinearize_memories.h"

namespace heliodor::stream {

using internal::PayloadWord;
using internal::RelinearizeParser;
using internal::RelinearizeSequencer;
using internal::WordKind;

RelinearizeModel::RelinearizeModel(Computes computes)
    : computes_(computes), memories_(std::make_unique<internal::RelinearizeMemories>()) {}

RelinearizeModel::~RelinearizeModel() = default;
RelinearizeModel& RelinearizeModel::operator=(RelinearizeModel&&) noexcept = default;

CoreOutputs RelinearizeModel::outputs() const {
  CoreOutputs shown;
  shown.in_ready = !input_.spare;
  shown.out_valid = output_.head.has_value();
  if (output_.head) {
    shown.out_data = output_.head->data;
    shown.out_last = output_.head->last;
  }
  return shown;
}

void RelinearizeModel::Buffer::clock(std::optional<Word> offered, bool take) {
  if (spare) offered.reset();
  if (!take && head) {
    if (offered) spare = offered;
    return;
  }
  head = spare ? std::exchange(spare, std::nullopt) : offered;
}

bool RelinearizeModel::pipeline_idle() const { return in_pipeline_ == 0; }

bool RelinearizeModel::quiet() const {
  return sequencer_.idle() && pipeline_idle() && reserved_ == 0 && !status_;
}

void RelinearizeModel::clock(const CoreInputs& inputs) {
  if (!inputs.rst_n) {
    *this = RelinearizeModel(computes_);
    return;
  }
  RelinearizeParser::View view;
  view.valid = input_.head.has_value();
  if (input_.head) {
    view.data = input_.head->data;
    view.last = input_.head->last;
  }
  view.quiet = quiet();
  view.pipeline_idle = pipeline_idle();
  view.page_free = sequencer_.page_free();
  view.result_ready = sequencer_.result_ready();
  view.room = reserved_ < kQueueWords;
  const bool run = parser_.running();
  const bool forward = parser_.forward();
  const RelinearizeParser::Action action = parser_.clock(view);

  const Stage entering = enter(action.word);
  clock_sequencer(action, run, forward);
  clock_output(inputs.out_ready, entering.result.has_value());
  if (action.error) status_ = action.error;
  in_pipeline_ += (entering.valid ? 1U : 0U) - (stage(kStages).valid ? 1U : 0U);
  // What was the last stage becomes the first.
  newest_ = (newest_ + kStages - 1) % kStages;
  pipeline_[newest_] = entering;
  std::optional<Word> offered;
  if (inputs.in_valid) offered = Word{inputs.in_data, inputs.in_last};
  input_.clock(offered, action.take);
}

RelinearizeModel::Stage RelinearizeModel::enter(const std::optional<PayloadWord>& word) {
  Stage stage;
  if (!word) return stage;
  stage.valid = true;
  stage.fill_ends = word->kind == WordKind::fill && word->ends;
  std::uint64_t result = 0;
  if (computes_ == Computes::words) {
    const bool fill = word->kind == WordKind::fill;
    const std::uint32_t page = fill ? sequencer_.fill_page() : sequencer_.drain_page();
    result = memories_->word(*word, page, parser_);
  }
  if (word->kind == WordKind::odd) stage.result = Word{result, word->final};
  return stage;
}

void RelinearizeModel::clock_sequencer(const RelinearizeParser::Action& action, bool run,
                                       bool forward) {
  RelinearizeSequencer::View view;
  view.clear = action.clear;
  view.run = run;
  view.forward = forward;
  view.fill_written = stage(kFillStage).fill_ends;
  if (action.word) {
    view.fill_start = action.word->begins;
    view.fill_last = action.word->kind == WordKind::fill && action.word->ends;
    view.key_last = action.word->kind == WordKind::key && action.word->ends;
  }
  const RelinearizeSequencer::Action done = sequencer_.clock(view, parser_.shape());
  if (computes_ == Computes::clocks) return;
  if (done.transform) memories_->transform(*done.transform, parser_);
  if (done.unload) memories_->store(*done.unload, parser_);
  if (done.load) memories_->load(*done.load, parser_);
}

void RelinearizeModel::clock_output(bool out_ready, bool reserves) {
  const bool leaves = !queue_.empty() && !output_.spare;
  const bool send_status = status_ && reserved_ == 0;
  const std::optional<Word> offered = queue_.empty() ? std::nullopt : std::optional(queue_.front());
  output_.clock(offered, out_ready);
  if (leaves) queue_.pop_front();
  if (stage(kStages).result) queue_.push_back(*stage(kStages).result);
  if (send_status) {
    queue_.push_back({encode_status(*status_), true});
    status_.reset();
  }
  reserved_ += (reserves || send_status ? 1U : 0U) - (leaves ? 1U : 0U);
}

}  // namespace heliodor::stream
