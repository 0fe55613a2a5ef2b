// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// The clock-by-clock form of a processing element that is a function and a latency: initiation
// interval 1, no back-pressure.

#pragma once

#include <array>
#include <cstddef>

namespace heliodor::machine::pe {

template <class OperandSet, class ResultSet, ResultSet (*kFunction)(const OperandSet&) noexcept,
          unsigned kStages>
class PipelinedElement {
 public:
  using Operands = OperandSet;
  using Result = ResultSet;
  static constexpr unsigned kLatency = kStages;

  struct Inputs {
    bool rst_n = true;  // low: every valid bit in flight is cleared at once
    bool valid = false;
    Operands operands;
  };

  struct Outputs {
    bool valid = false;
    Result result{};  // has meaning where valid is set
  };

  // One clock: the outputs during this clock, then the edge that takes the inputs. What enters at
  // step n leaves from step n + kLatency.
  Outputs step(const Inputs& inputs) noexcept {
    if (!inputs.rst_n) {
      for (Outputs& outputs : in_flight_) {
        outputs.valid = false;
      }
    }
    const Outputs leaving = in_flight_[oldest_];
    in_flight_[oldest_] = {inputs.rst_n && inputs.valid, kFunction(inputs.operands)};
    oldest_ = (oldest_ + 1) % kLatency;
    return leaving;
  }

 private:
  std::array<Outputs, kLatency> in_flight_{};
  std::size_t oldest_ = 0;
};

}  // namespace heliodor::machine::pe
