// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// RelinearizeModel: the complete core rtl/top/heliodor_bv_relinearize.sv clock by clock. Same
// outputs in every clock, same words, same cycles.
//
// A word is taken into a buffer of two, leaves it for the parser a clock later at the earliest, and
// then moves through a pipeline of 19 stages; results go through a queue of 16 words and a buffer
// of two. Beside the pipeline run the twiddle generator, the transforms, and the ways into the
// digits and out of them (internal/relinearize_sequencer.h).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "heliodor/targets/stream/internal/relinearize_parser.h"
#include "heliodor/targets/stream/internal/relinearize_sequencer.h"
#include "heliodor/targets/stream/session_core.h"

namespace heliodor::stream {

namespace internal {
class RelinearizeMemories;
}

class RelinearizeModel final : public SessionCore {
 public:
  static constexpr unsigned kMultiplierLatency = 7;
  /// Stages of the pipeline, and the one in which a fill has reached its page.
  static constexpr unsigned kStages = 4 + 2 * kMultiplierLatency + 1;
  static constexpr unsigned kFillStage = 4 + kMultiplierLatency + 1;
  /// Words of the queue at the output.
  static constexpr std::size_t kQueueWords = 16;

  /// What a model computes: clocks alone are faster.
  enum class Computes : std::uint8_t { words, clocks };

  explicit RelinearizeModel(Computes computes = Computes::words);
  ~RelinearizeModel() override;
  RelinearizeModel& operator=(RelinearizeModel&&) noexcept;

  CoreOutputs outputs() const override;
  void clock(const CoreInputs& inputs) override;

 private:
  struct Word {
    std::uint64_t data = 0;
    bool last = false;
  };
  struct Buffer {  // a skid buffer
    std::optional<Word> head, spare;
    void clock(std::optional<Word> offered, bool take);
  };
  struct Stage {
    bool valid = false;
    bool fill_ends = false;
    std::optional<Word> result;
  };

  /// Stages are numbered from 1.
  const Stage& stage(unsigned number) const { return pipeline_[(newest_ + number - 1) % kStages]; }
  bool pipeline_idle() const;
  bool quiet() const;
  Stage enter(const std::optional<internal::PayloadWord>& word);
  void clock_sequencer(const internal::RelinearizeParser::Action& action, bool run, bool forward);
  void clock_output(bool out_ready, bool reserves);

  Computes computes_;
  Buffer input_, output_;
  internal::RelinearizeParser parser_;
  internal::RelinearizeSequencer sequencer_;
  std::array<Stage, kStages> pipeline_{};
  unsigned newest_ = 0;  // where stage 1 is
  unsigned in_pipeline_ = 0;
  std::deque<Word> queue_;
  unsigned reserved_ = 0;  // words in the queue or on their way into it
  std::optional<Status> status_;
  std::unique_ptr<internal::RelinearizeMemories> memories_;
};

}  // namespace heliodor::stream
