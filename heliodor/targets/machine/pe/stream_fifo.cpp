// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/stream_fifo.h"

namespace heliodor::machine::pe {

StreamFifoOutputs StreamFifo::outputs() const {
  StreamFifoOutputs shown;
  shown.in_ready = words_.size() < depth_;
  shown.out_valid = !words_.empty();
  if (shown.out_valid) {
    shown.out = words_.front();
  }
  shown.level = words_.size();
  return shown;
}

StreamFifoOutputs StreamFifo::step(const StreamInputs& inputs) {
  if (!inputs.rst_n) {
    words_.clear();
    return outputs();
  }
  const StreamFifoOutputs shown = outputs();
  if (shown.out_valid && inputs.out_ready) {
    words_.pop_front();
  }
  if (shown.in_ready && inputs.in_valid) {
    words_.push_back(inputs.in);
  }
  return shown;
}

}  // namespace heliodor::machine::pe
