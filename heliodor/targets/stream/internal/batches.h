// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the targets of both cores do alike: batches cut into sessions, replies judged.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "heliodor/program/target.h"
#include "heliodor/targets/stream/frames.h"
#include "heliodor/targets/stream/session_cycles.h"
#include "heliodor/targets/stream/transport.h"

namespace heliodor::stream::internal {

inline program::Cost to_cost(std::uint64_t cycles) {
  return {static_cast<double>(cycles) / kSessionClockHz, cycles};
}

/// Of sessions of kMaxBatch bindings and one of the rest; cycles_of(size) are those of one session.
template <typename CyclesOf>
std::uint64_t batch_cycles(std::size_t batch, const CyclesOf& cycles_of) {
  std::uint64_t cycles = 0;
  if (batch >= kMaxBatch) cycles = batch / kMaxBatch * cycles_of(kMaxBatch);
  const auto rest = static_cast<std::uint32_t>(batch % kMaxBatch);
  return rest == 0 ? cycles : cycles + cycles_of(rest);
}

/// Nothing if the reply has all results. `frame` names what a frame of data holds.
inline std::optional<program::Fault> fault_of(const Reply& reply, std::uint64_t result_words,
                                              std::uint64_t cycles, const char* frame) {
  if (reply.status) return program::Fault{cycles, 0, to_string(*reply.status, frame)};
  if (reply.ended && reply.results.size() == result_words) return std::nullopt;
  return program::Fault{
      cycles, 0,
      fmt::format("the core returned {} words instead of {}", reply.results.size(), result_words)};
}

}  // namespace heliodor::stream::internal
