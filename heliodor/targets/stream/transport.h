// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Transport: how frames reach a streaming core and its answer comes back.
//
//   transport->begin(degree);
//   transport->send(profile_frame, true);
//   for each pair: transport->send(part of its frame, false) .. transport->send(its end, true);
//   const Reply reply = transport->finish();
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "heliodor/targets/stream/frames.h"
#include "heliodor/targets/stream/session_core.h"
#include "heliodor/targets/stream/status_word.h"

namespace heliodor::stream {

struct Reply {
  std::vector<std::uint64_t> results;  ///< in stream order, without a status
  std::optional<Status> status;        ///< why the session failed
  bool ended = false;                  ///< false: the core stopped without an end mark
  /// Clocks from the first word offered to the last one received.
  std::uint64_t cycles = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;

  /// Begins a session on limbs of `degree` words. What came of an earlier one is dropped.
  virtual void begin(std::uint32_t degree) = 0;

  /// The next words of a frame, in order; the last one carries the end mark if ends_frame is set.
  /// Throws Error{io} if the core stops taking words.
  virtual void send(Words words, bool ends_frame) = 0;

  /// Waits for the end mark, or until the core falls silent.
  virtual Reply finish() = 0;
};

/// Drives a core at full rate, a word a clock each way.
class ClockedTransport final : public Transport {
 public:
  /// After this many clocks without a word a session core counts as stopped. It never needs as
  /// many: the longest silence is that of a profile check, or of a coefficient of 1,312 words.
  static constexpr std::uint64_t kPatience = 4096;

  explicit ClockedTransport(std::unique_ptr<SessionCore> core, std::uint64_t patience = kPatience);

  void begin(std::uint32_t degree) override;
  void send(Words words, bool ends_frame) override;
  Reply finish() override;

 private:
  /// One clock; returns whether the offered word was taken.
  bool clock(bool valid, std::uint64_t data, bool last);

  std::unique_ptr<SessionCore> core_;
  std::uint64_t patience_;
  std::uint32_t degree_ = 0;
  std::uint64_t clocks_ = 0;
  Reply reply_;
};

}  // namespace heliodor::stream
