// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Within a state the checks come in a fixed order, so that a word with several faults has one
// reason: the tag of a restart, then the word itself, then the end mark.
#include "heliodor/targets/stream/internal/frame_parser.h"

namespace heliodor::stream::internal {
namespace {

using Action = FrameParser::Action;
using View = FrameParser::View;

// One addition for each bit of a reciprocal, most significant first, and one clock to compare.
constexpr unsigned kCheckClocks = kModulusBits + 2;

constexpr std::uint64_t kProfileCommand = command_word(kProfileTag);
constexpr std::uint64_t kPairCommand = command_word(kPairTag);

std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }
bool in_range(std::uint32_t value, std::uint32_t most) { return value >= 1 && value <= most; }

bool modulus_in_range(std::uint32_t q) {
  return q >> (kModulusBits - 1) == 1 && q != 1U << (kModulusBits - 1);
}

bool reciprocal_belongs(std::uint32_t q, std::uint32_t mu) {
  const std::uint64_t limit = std::uint64_t{1} << (2 * kModulusBits);
  const std::uint64_t product = std::uint64_t{q} * mu;
  return product <= limit && limit - product < q;
}

}  // namespace

Action FrameParser::fail(Reason reason, bool take) {
  const bool before_table = state_ == State::idle || state_ == State::failed ||
                            state_ == State::count || state_ == State::modulus ||
                            state_ == State::reciprocal || state_ == State::check;
  const bool counted = before_table && (state_ == State::idle || state_ == State::failed);
  Action action;
  action.take = take;
  action.error = Status{.reason = reason,
                        .before_table = before_table,
                        .index = static_cast<std::uint8_t>(counted ? 0 : index_),
                        .position = position_};
  state_ = State::failed;
  position_ = 0;
  return action;
}

Action FrameParser::advance(State next) {
  state_ = next;
  position_ = next == State::failed ? 0 : position_ + 1;
  Action action;
  action.take = true;
  return action;
}

Action FrameParser::clock(const View& view) {
  if (state_ == State::check) return check_reciprocal();
  if (!view.valid) return {};
  switch (state_) {
    case State::idle:
    case State::failed:
      return start_of_frame(view);
    case State::reciprocal:
      return profile_word(view);
    default:
      break;
  }
  if (state_ == State::payload && role_ == Role::a0 && slot_ == 0 && view.occupied[bank_]) {
    return {};
  }
  // Nowhere here can this word be legal: it exceeds every count, modulus and residue.
  if (view.data == kProfileCommand) return fail(Reason::restarted, false);
  if (state_ == State::payload) return payload_word(view);
  if (state_ == State::count || state_ == State::modulus) return profile_word(view);
  return header_word(view);
}

Action FrameParser::start_of_frame(const View& view) {
  if (view.data == kProfileCommand) return begin(view);
  if (state_ == State::failed) return advance(State::failed);
  return fail(view.data == kPairCommand ? Reason::no_session : Reason::unknown_command);
}

Action FrameParser::begin(const View& view) {
  if (!view.quiet) return {};
  if (!in_range(view.degree, kMaxDegree)) return fail(Reason::degree);
  if (view.last) return fail(Reason::short_frame);
  degree_ = view.degree;
  index_ = 0;
  return advance(State::count);
}

std::optional<Reason> FrameParser::pair_count_fault(std::uint64_t word) const {
  if (high(word) == low(word) && in_range(low(word), kMaxPairs)) return std::nullopt;
  return Reason::pair_count;
}

Action FrameParser::profile_word(const View& view) {
  const std::uint64_t word = view.data;
  Profile& profile = table_[index_];
  if (state_ == State::count) {
    if (const auto fault = pair_count_fault(word)) return fail(*fault);
    if (view.last) return fail(Reason::short_frame);
    pairs_ = low(word);
    return advance(State::modulus);
  }
  if (state_ == State::modulus) {
    if (!modulus_in_range(low(word)) || !modulus_in_range(high(word))) return fail(Reason::modulus);
    if (view.last) return fail(Reason::short_frame);
    profile.q = {low(word), high(word)};
    return advance(State::reciprocal);
  }
  if ((low(word) | high(word)) >> (kModulusBits + 1) != 0) return fail(Reason::reciprocal);
  const bool due = index_ + 1 == pairs_;
  if (view.last && !due) return fail(Reason::short_frame);
  if (!view.last && due) return fail(Reason::long_frame);
  profile.mu = {low(word), high(word)};
  check_clocks_ = kCheckClocks;
  Action action = advance(State::check);
  --position_;  // a fault found by the check is one of this word
  return action;
}

Action FrameParser::check_reciprocal() {
  if (--check_clocks_ != 0) return {};
  const Profile& profile = table_[index_];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (!reciprocal_belongs(profile.q[lane], profile.mu[lane])) {
      return fail(Reason::reciprocal, false);
    }
  }
  ++position_;
  ++index_;
  state_ = State::modulus;
  if (index_ == pairs_) {
    state_ = State::command;
    position_ = 0;
    index_ = 0;
    shape_known_ = false;
  }
  return {};
}

std::optional<Reason> FrameParser::shape_fault(std::uint64_t word) const {
  if (!in_range(high(word), kMaxDigits)) return Reason::digit_count;
  if (!in_range(low(word), kMaxBatch)) return Reason::batch;
  if (shape_known_ && (high(word) != digits_ || low(word) != batch_)) return Reason::shape_changed;
  return std::nullopt;
}

Action FrameParser::header_word(const View& view) {
  const std::uint64_t word = view.data;
  if (state_ == State::command) {
    if (word != kPairCommand) return fail(Reason::unknown_command);
    if (view.last) return fail(Reason::short_frame);
    return advance(State::shape);
  }
  if (state_ == State::shape) {
    if (const auto fault = shape_fault(word)) return fail(*fault);
    if (view.last) return fail(Reason::short_frame);
    digits_ = high(word);
    batch_ = low(word);
    shape_known_ = true;
    return advance(State::pair);
  }
  if (high(word) != pairs_) return fail(Reason::pair_count);
  if (low(word) != index_) return fail(Reason::pair_order);
  if (view.last) return fail(Reason::short_frame);
  role_ = Role::a0;
  slot_ = digit_ = coefficient_ = 0;
  return advance(State::payload);
}

Issue FrameParser::issue(std::uint64_t word) const {
  Issue issue;
  issue.valid = role_ == Role::b0 || role_ == Role::b1 || role_ == Role::digit;
  issue.into0 = role_ != Role::b1;
  issue.first = role_ == Role::b0;
  issue.bank = bank_;
  issue.complete = coefficient_ends();
  issue.slot = slot_;
  issue.left0 = held_[0];
  issue.left1 = role_ == Role::b1 ? held_[0] : held_[1];
  issue.factor = word;
  issue.profile = table_[index_];
  return issue;
}

Action FrameParser::payload_word(const View& view) {
  const std::uint64_t word = view.data;
  const Profile& profile = table_[index_];
  if (low(word) >= profile.q[0] || high(word) >= profile.q[1]) return fail(Reason::operand);
  const bool complete = coefficient_ends();
  const bool due = complete && coefficient_ + 1 == degree_;
  if (view.last && !due) return fail(Reason::short_frame);
  if (!view.last && due) return fail(Reason::long_frame);
  Action action = advance(State::payload);
  action.issue = issue(word);
  action.commit = complete;
  action.final = due && index_ + 1 == pairs_;
  if (role_ == Role::a0 || role_ == Role::key_b) held_[0] = word;
  if (role_ == Role::a1 || role_ == Role::key_a) held_[1] = word;
  step_payload();
  if (due) {
    state_ = action.final ? State::idle : State::command;
    position_ = 0;
    ++index_;
  }
  return action;
}

void FrameParser::step_payload() {
  switch (role_) {
    case Role::a0:
    case Role::a1:
    case Role::b0:
    case Role::key_b:
    case Role::key_a:
      role_ = static_cast<Role>(static_cast<unsigned>(role_) + 1);
      return;
    case Role::b1:
      role_ = last_slot() ? Role::key_b : Role::a0;
      slot_ = last_slot() ? 0 : slot_ + 1;
      return;
    case Role::digit:
      break;
  }
  if (!last_slot()) {
    ++slot_;
    return;
  }
  slot_ = 0;
  if (digit_ + 1 < digits_) {
    ++digit_;
    role_ = Role::key_b;
    return;
  }
  digit_ = 0;
  role_ = Role::a0;
  ++coefficient_;
  bank_ = !bank_;
}

}  // namespace heliodor::stream::internal
