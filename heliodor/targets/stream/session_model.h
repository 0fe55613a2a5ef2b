// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// SessionModel: the session core rtl/top/heliodor_bv_session.sv clock by clock. Same outputs in
// every clock, same words, same cycles; about a hundred times faster than the Verilated RTL.
//
// A word is taken into a buffer of two, leaves it for the parser a clock later at the earliest, and
// starts up to two products in each lane. Nine clocks after it left the buffer its products are in
// the accumulators of a bank. There are two banks: one collects a coefficient while the other's
// results leave, two words for each slot. So input never waits while a coefficient takes at least
// as many clocks as its predecessor's results need to leave (session_cycles.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "heliodor/targets/stream/internal/frame_parser.h"
#include "heliodor/targets/stream/session_core.h"

namespace heliodor::stream {

class SessionModel final : public SessionCore {
 public:
  /// Clocks from a multiplier's operands to its product.
  static constexpr unsigned kMultiplierLatency = 7;
  /// Clocks from a word at the head of the input buffer to the sum in its bank: operand registers,
  /// multiplier, accumulator's read.
  static constexpr unsigned kAccumulateLatency = 1 + kMultiplierLatency + 1;

  CoreOutputs outputs() const override;
  void clock(const CoreInputs& inputs) override;

 private:
  struct Word {
    std::uint64_t data = 0;
    bool last = false;
  };
  using Lanes = std::array<std::uint32_t, kLanes>;

  struct Bank {
    std::array<std::array<Lanes, 2>, kMaxBatch> sums{};  // by slot and component
    bool occupied = false;                               // complete, or about to be
    bool ready = false;                                  // all sums are in
    bool final = false;                                  // the session's last coefficient
  };

  void clock_input_buffer(const CoreInputs& inputs, bool take);
  void clock_output(bool out_ready);
  void send_result();
  void accumulate(const internal::Issue& issue);

  std::optional<Word> head_, spare_;
  internal::FrameParser parser_;
  std::array<internal::Issue, kAccumulateLatency> in_flight_{};
  std::size_t oldest_ = 0;
  unsigned in_flight_count_ = 0;
  std::array<Bank, 2> banks_{};
  std::size_t drained_bank_ = 0;
  std::uint32_t drained_slot_ = 0;
  std::size_t drained_component_ = 0;
  std::optional<Status> status_;
  bool out_valid_ = false;
  Word out_;
};

}  // namespace heliodor::stream
