// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/session_model.h"

namespace heliodor::stream {
namespace {

using internal::FrameParser;
using internal::Issue;

std::uint32_t lane_of(std::uint64_t word, std::size_t lane) {
  return static_cast<std::uint32_t>(word >> (32 * lane));
}

std::uint32_t multiply_add(std::uint32_t sum, std::uint32_t left, std::uint32_t factor,
                           std::uint32_t q) {
  return static_cast<std::uint32_t>((sum + std::uint64_t{left} * factor) % q);
}

}  // namespace

CoreOutputs SessionModel::outputs() const {
  return {
      .in_ready = !spare_, .out_valid = out_valid_, .out_data = out_.data, .out_last = out_.last};
}

void SessionModel::clock(const CoreInputs& inputs) {
  if (!inputs.rst_n) {
    *this = SessionModel();
    return;
  }
  FrameParser::View view;
  view.valid = head_.has_value();
  if (head_) {
    view.data = head_->data;
    view.last = head_->last;
  }
  view.degree = inputs.degree;
  view.occupied = {banks_[0].occupied, banks_[1].occupied};
  view.quiet = in_flight_count_ == 0 && !banks_[0].occupied && !banks_[1].occupied && !status_;
  const FrameParser::Action action = parser_.clock(view);

  clock_output(inputs.out_ready);
  accumulate(in_flight_[oldest_]);
  in_flight_[oldest_] = action.issue;
  in_flight_count_ += action.issue.valid ? 1 : 0;
  oldest_ = (oldest_ + 1) % kAccumulateLatency;
  if (action.commit) {
    banks_[action.issue.bank].occupied = true;
    banks_[action.issue.bank].final = action.final;
  }
  if (action.error) status_ = action.error;
  clock_input_buffer(inputs, action.take);
}

void SessionModel::clock_input_buffer(const CoreInputs& inputs, bool take) {
  const bool accepted = inputs.in_valid && !spare_;
  const Word word{inputs.in_data, inputs.in_last};
  if (take || !head_) {
    head_ = spare_;
    spare_.reset();
    if (accepted) head_ = word;
  } else if (accepted) {
    spare_ = word;
  }
}

void SessionModel::accumulate(const Issue& issue) {
  if (!issue.valid) return;
  --in_flight_count_;
  Bank& bank = banks_[issue.bank];
  auto& sums = bank.sums[issue.slot];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t q = issue.profile.q[lane];
    const std::uint32_t factor = lane_of(issue.factor, lane);
    const Lanes before = issue.first ? Lanes{} : Lanes{sums[0][lane], sums[1][lane]};
    if (issue.into0) {
      sums[0][lane] = multiply_add(before[0], lane_of(issue.left0, lane), factor, q);
    }
    sums[1][lane] = multiply_add(before[1], lane_of(issue.left1, lane), factor, q);
  }
  bank.ready |= issue.complete;
}

void SessionModel::clock_output(bool out_ready) {
  if (out_valid_ && !out_ready) return;
  out_valid_ = true;
  if (banks_[drained_bank_].ready) {
    send_result();
  } else if (status_ && !banks_[0].occupied && !banks_[1].occupied) {
    out_ = {encode_status(*status_), true};
    status_.reset();
  } else {
    out_valid_ = false;
  }
}

void SessionModel::send_result() {
  Bank& bank = banks_[drained_bank_];
  const Lanes& sum = bank.sums[drained_slot_][drained_component_];
  const bool ends = drained_component_ == 1 && drained_slot_ + 1 == parser_.batch();
  out_ = {pack_word(sum[1], sum[0]), ends && bank.final};
  drained_component_ ^= 1;
  if (drained_component_ == 0) ++drained_slot_;
  if (!ends) return;
  drained_slot_ = 0;
  bank.occupied = bank.ready = false;
  drained_bank_ ^= 1;
}

}  // namespace heliodor::stream
