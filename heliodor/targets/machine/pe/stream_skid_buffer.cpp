// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/stream_skid_buffer.h"

namespace heliodor::machine::pe {

StreamOutputs StreamSkidBuffer::outputs() const noexcept { return {!spare_valid_, valid_, word_}; }

StreamOutputs StreamSkidBuffer::step(const StreamInputs& inputs) noexcept {
  if (!inputs.rst_n) {
    valid_ = false;
    spare_valid_ = false;
    return outputs();
  }
  const StreamOutputs shown = outputs();
  const bool taken = inputs.in_valid && shown.in_ready;
  if (!valid_ || inputs.out_ready) {
    word_ = spare_valid_ ? spare_ : inputs.in;
    valid_ = spare_valid_ || taken;
    spare_valid_ = false;
  } else if (taken) {
    spare_ = inputs.in;
    spare_valid_ = true;
  }
  return shown;
}

}  // namespace heliodor::machine::pe
