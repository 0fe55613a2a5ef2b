// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Within a state the checks come in a fixed order, so that a word with several faults has one
// reason: the tag of a restart, then the word itself, then the end mark.
#include "heliodor/targets/stream/internal/relinearize_parser.h"

namespace heliodor::stream::internal {
namespace {

using Action = RelinearizeParser::Action;

// One addition for each bit of a reciprocal, and one clock to compare.
constexpr std::uint32_t kReciprocalClocks = kModulusBits + 2;

constexpr std::uint64_t kProfileCommand = command_word(kRelinearizeProfileTag);
constexpr std::uint64_t kGroupCommand = command_word(kRelinearizeGroupTag);

std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

bool in_range(std::uint32_t value, std::uint32_t least, std::uint32_t most) {
  return value >= least && value <= most;
}

bool reciprocal_belongs(const RelinearizeProfile& profile) {
  const std::uint64_t limit = std::uint64_t{1} << (2 * kModulusBits);
  const std::uint64_t product = std::uint64_t{profile.q} * profile.mu;
  return product <= limit && limit - product < profile.q;
}

bool is_root(const RelinearizeProfile& profile, std::uint32_t log_degree) {
  std::uint64_t power = profile.psi;
  for (std::uint32_t i = 0; i < log_degree; ++i) power = power * power % profile.q;
  return power == profile.q - 1;
}

}  // namespace

Action RelinearizeParser::fail(Reason reason, bool take) {
  const bool outside = state_ == State::idle || state_ == State::failed;
  const bool before_table = state_ >= State::idle && state_ <= State::check_root;
  Action action;
  action.take = take;
  action.error = Status{.reason = reason,
                        .before_table = before_table,
                        .index = static_cast<std::uint8_t>(outside        ? 0
                                                           : before_table ? limb_
                                                                          : group_),
                        .position = position_};
  state_ = State::failed;
  position_ = 0;
  return action;
}

Action RelinearizeParser::advance(State next) {
  const bool frame_starts = next == State::idle || next == State::failed || next == State::command;
  position_ = frame_starts ? 0 : position_ + 1;
  state_ = next;
  Action action;
  action.take = true;
  return action;
}

bool RelinearizeParser::blocked(const View& view) const noexcept {
  switch (state_) {
    case State::fill:
      return index_ == 0 && slot_ == 0 && !view.page_free;
    case State::key:
      return index_ == 0 && !view.result_ready;
    case State::odd:
      return !view.room;
    default:
      return false;
  }
}

Action RelinearizeParser::clock(const View& view) {
  switch (state_) {
    case State::check_modulus:
    case State::check_root:
      return check();
    case State::visit:
      return visit(view);
    default:
      break;
  }
  if (!view.valid || blocked(view)) return {};
  if (state_ == State::idle || state_ == State::failed) return start_of_frame(view);
  // Nowhere here can this word be legal: it exceeds every count, modulus, root and residue.
  if (view.data == kProfileCommand) return fail(Reason::restarted, false);
  if (const auto fault = fault_of(view.data)) return fail(*fault);
  const bool may_end = state_ == State::odd || state_ == State::root;
  const bool ends = state_ == State::root ? last_limb() : due();
  if (view.last && !(may_end && ends)) return fail(Reason::short_frame);
  if (!view.last && may_end && ends) return fail(Reason::long_frame);
  return in_payload() ? payload_word(view) : header_word(view);
}

Action RelinearizeParser::start_of_frame(const View& view) {
  if (view.data != kProfileCommand) {
    if (state_ == State::failed) return advance(State::failed);
    return fail(view.data == kGroupCommand ? Reason::no_session : Reason::unknown_command);
  }
  if (!view.quiet) return {};
  if (view.last) return fail(Reason::short_frame);
  limb_ = 0;
  return advance(State::degree);
}

Action RelinearizeParser::check() {
  if (--check_clocks_ != 0) return {};
  const RelinearizeProfile& profile = table_[limb_];
  if (state_ == State::check_modulus) {
    if (!reciprocal_belongs(profile)) return fail(Reason::reciprocal, false);
    advance(State::root);
    return {};
  }
  if (!is_root(profile, shape_.log_degree)) return fail(Reason::root, false);
  const bool complete = last_limb();
  limb_ = complete ? 0 : limb_ + 1;
  advance(complete ? State::command : State::modulus);
  return {};
}

Action RelinearizeParser::visit(const View& view) {
  if (!view.pipeline_idle) return {};
  forward_seen_ = forward_;
  pass_ = index_ = slot_ = 0;
  state_ = forward_ ? State::key : State::fill;
  return {};
}

std::optional<Reason> RelinearizeParser::fault_of(std::uint64_t word) const {
  const bool halves_differ = high(word) != low(word);
  switch (state_) {
    case State::degree:
      if (halves_differ ||
          !in_range(low(word), kRelinearizeMinLogDegree, kRelinearizeMaxLogDegree)) {
        return Reason::degree;
      }
      return std::nullopt;
    case State::shape:
      if (!in_range(high(word), kRelinearizeMinLimbs, kRelinearizeMaxLimbs) ||
          std::uint64_t{high(word)} * shape_.degree() > kDigitRows * kRowWords) {
        return Reason::limb_count;
      }
      if (!in_range(low(word), 1, kMaxBatch)) return Reason::batch;
      return std::nullopt;
    case State::modulus:
      if (low(word) >> (kModulusBits - 1) != 1 || low(word) % 2 == 0) return Reason::modulus;
      if (high(word) >> (kModulusBits + 1) != 0) return Reason::reciprocal;
      return std::nullopt;
    case State::root:
      if (halves_differ || low(word) >= table_[limb_].q) return Reason::root;
      return std::nullopt;
    case State::command:
      if (word != kGroupCommand) return Reason::unknown_command;
      return std::nullopt;
    case State::group:
      if (high(word) != shape_.groups() || low(word) != group_) return Reason::group;
      return std::nullopt;
    default:
      if (low(word) >= table_[limb_].q || high(word) >= table_[limb_].q) return Reason::operand;
      return std::nullopt;
  }
}

RelinearizeParser::State RelinearizeParser::next_of_header(std::uint64_t word) {
  switch (state_) {
    case State::degree:
      shape_.log_degree = low(word);
      return State::shape;
    case State::shape:
      shape_.limbs = high(word);
      shape_.batch = low(word);
      group_ = 0;
      return State::modulus;
    case State::modulus:
      table_[limb_].q = low(word);
      table_[limb_].mu = high(word);
      check_clocks_ = kReciprocalClocks;
      return State::check_modulus;
    case State::root:
      table_[limb_].psi = low(word);
      // One clock to store the root, one to start, one to compare.
      check_clocks_ = root_check_clocks(shape_.log_degree) + 2;
      return State::check_root;
    case State::command:
      return State::group;
    default:
      limb_ = 0;
      forward_ = forward_seen_ = false;
      return State::visit;
  }
}

Action RelinearizeParser::header_word(const View& view) {
  const bool clear = state_ == State::group;
  const State next = next_of_header(view.data);
  Action action = advance(next);
  // A fault that a check finds is one of this word.
  if (next == State::check_modulus || next == State::check_root) --position_;
  action.clear = clear;
  return action;
}

PayloadWord RelinearizeParser::describe(std::uint64_t word) const {
  const bool fill = state_ == State::fill;
  PayloadWord payload;
  payload.kind = static_cast<WordKind>(state_);
  payload.limb = limb_;
  payload.pass = pass_;
  payload.slot = slot_;
  payload.index = index_;
  payload.single = single();
  payload.begins = fill && index_ == 0 && slot_ == 0;
  payload.ends = last_index() && (state_ == State::key || (fill && last_slot()));
  payload.final = due() && group_ + 1 == shape_.groups();
  payload.data = word;
  return payload;
}

Action RelinearizeParser::payload_word(const View& view) {
  const PayloadWord word = describe(view.data);
  Action action = advance(step_payload());
  action.word = word;
  return action;
}

RelinearizeParser::State RelinearizeParser::step_payload() {
  if (state_ == State::own) return State::even;
  if (state_ == State::even) return State::odd;
  const bool index_ends = last_index();
  if (state_ == State::key) {
    index_ = index_ends ? 0 : index_ + 1;
    if (!index_ends) return State::key;
    ++pass_;
    return pass_ + 1 == shape_.limbs ? State::own : State::key;
  }
  const bool slot_ends = last_slot();
  slot_ = slot_ends ? 0 : 1;
  if (!slot_ends) return state_ == State::fill ? State::fill : State::even;
  index_ = index_ends ? 0 : index_ + 1;
  if (!index_ends) return state_ == State::fill ? State::fill : State::own;
  const bool half_ends = last_limb();
  limb_ = half_ends ? 0 : limb_ + 1;
  if (state_ == State::fill) {
    forward_ = half_ends;
    return State::visit;
  }
  if (!half_ends) return State::visit;
  ++group_;
  return group_ == shape_.groups() ? State::idle : State::command;
}

}  // namespace heliodor::stream::internal
