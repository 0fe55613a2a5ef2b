// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Twin model of rtl/stream/heliodor_stream_fifo.sv: a queue whose first word shows on the output.

#pragma once

#include <cstddef>
#include <deque>

#include "heliodor/targets/machine/pe/generated/rtl_package.h"
#include "heliodor/targets/machine/pe/stream.h"

namespace heliodor::machine::pe {

struct StreamFifoOutputs : StreamOutputs {
  std::size_t level = 0;  // words inside, 0 .. depth
};

class StreamFifo {
 public:
  // depth: a power of two, at least 2, as the hardware requires.
  explicit StreamFifo(std::size_t depth = kStreamFifoDepth) : depth_(depth) {}

  // What the ports show in this clock while rst_n is high.
  StreamFifoOutputs outputs() const;

  // One clock: the outputs during this clock, then the edge that takes the inputs.
  StreamFifoOutputs step(const StreamInputs& inputs);

 private:
  std::size_t depth_;
  std::deque<StreamWord> words_;
};

}  // namespace heliodor::machine::pe
