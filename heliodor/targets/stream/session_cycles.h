// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// How many clocks a session takes when neither side stalls. Exact, not an estimate: the model and
// the RTL take as many (session_model_test.cpp, rtl/top/heliodor_bv_session_tb.cpp).
#pragma once

#include <cstdint>

#include "heliodor/targets/stream/frames.h"

namespace heliodor::stream {

struct SessionCycles {
  std::uint64_t total = 0;  ///< from the first word offered to the last result taken, inclusive
  std::uint64_t waits = 0;  ///< clocks of them in which input waited for a bank
};

/// The clock the design aims at.
inline constexpr double kSessionClockHz = 100e6;

/// Clocks that the check of one profile takes.
inline constexpr std::uint64_t kReciprocalCheckClocks = 32;

SessionCycles session_cycles(const SessionShape& shape);

}  // namespace heliodor::stream
