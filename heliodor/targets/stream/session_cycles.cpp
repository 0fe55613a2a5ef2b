// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A coefficient starts when its predecessor's words are in and its bank is empty; its results leave
// when its sums are complete and its predecessor's results have left.
#include "heliodor/targets/stream/session_cycles.h"

#include <algorithm>
#include <array>

#include "heliodor/targets/stream/session_model.h"

namespace heliodor::stream {

SessionCycles session_cycles(const SessionShape& shape) {
  constexpr std::uint64_t kPairHeader = 3;
  const std::uint64_t words = shape.words_per_coefficient();
  const std::uint64_t results = 2 * std::uint64_t{shape.batch};

  // Clocks are counted where words leave the input buffer: the first does in clock 1.
  std::uint64_t now = 1 + shape.profile_frame_words() + shape.pairs * kReciprocalCheckClocks;
  std::uint64_t output_free = 0;
  std::array<std::uint64_t, 2> bank_free{};
  SessionCycles cycles;
  std::uint64_t count = 0;
  for (std::uint32_t pair = 0; pair < shape.pairs; ++pair) {
    now += kPairHeader;
    for (std::uint32_t i = 0; i < shape.degree; ++i, ++count) {
      const std::uint64_t start = std::max(now, bank_free[count % 2]);
      cycles.waits += start - now;
      now = start + words;
      const std::uint64_t complete = now + SessionModel::kAccumulateLatency;
      output_free = std::max(complete, output_free) + results;
      bank_free[count % 2] = output_free;
    }
  }
  // The last result is in the output register from clock output_free on, and is taken in it.
  cycles.total = output_free + 1;
  return cycles;
}

}  // namespace heliodor::stream
