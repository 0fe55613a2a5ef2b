// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Drives a session core in tests, with or without stalls, and watches the rules of the stream.
#pragma once

#include <cstdint>
#include <memory>
#include <random>

#include "heliodor/targets/stream/internal/session_data.h"
#include "heliodor/targets/stream/session_core.h"

namespace heliodor::stream::internal {

/// The core that a test binary tests; each binary that lists session_scenarios.cpp defines it.
std::unique_ptr<SessionCore> make_core_under_test();

/// In how many of eight clocks a word is offered and the output is ready, on average.
struct Rate {
  unsigned offer = 8;
  unsigned take = 8;
};

class SessionBench {
 public:
  explicit SessionBench(std::unique_ptr<SessionCore> core = make_core_under_test());

  void set_degree(std::uint32_t degree) { degree_ = degree; }

  /// Sends all words. Fails the test if the core takes none for a long time.
  void send(const StreamWords& words, Rate rate = {});
  /// Clocks until nothing more comes.
  void drain(Rate rate = {});
  void idle(unsigned clocks);
  /// Clocks with the output never ready.
  void block(unsigned clocks);

  /// What came out since the last call.
  StreamWords received();
  /// Clocks from the first word offered since the last call of received() to the last word
  /// received.
  std::uint64_t cycles() const noexcept { return last_received_ - first_offered_; }
  /// Clocks, in the same span, in which an offered word was not taken.
  std::uint64_t refused() const noexcept { return refused_; }
  /// Clocks, in the same span, in which words went in and out.
  std::uint64_t overlapped() const noexcept { return overlapped_; }

 private:
  bool clock(bool valid, StreamWord word, bool ready);

  std::unique_ptr<SessionCore> core_;
  std::mt19937_64 random_{0x73657373};
  std::uint32_t degree_ = 1;
  StreamWords received_;
  bool stalled_ = false;
  StreamWord stalled_word_;
  bool offered_any_ = false;
  std::uint64_t clocks_ = 0, first_offered_ = 0, last_received_ = 0, refused_ = 0, overlapped_ = 0;
};

}  // namespace heliodor::stream::internal
