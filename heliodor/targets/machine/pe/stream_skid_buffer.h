// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Twin model of rtl/stream/heliodor_stream_skid_buffer.sv: two words of storage whose outputs are
// all registers.

#pragma once

#include "heliodor/targets/machine/pe/generated/rtl_package.h"
#include "heliodor/targets/machine/pe/stream.h"

namespace heliodor::machine::pe {

class StreamSkidBuffer {
 public:
  // What the ports show in this clock while rst_n is high.
  StreamOutputs outputs() const noexcept;

  // One clock: the outputs during this clock, then the edge that takes the inputs.
  StreamOutputs step(const StreamInputs& inputs) noexcept;

 private:
  bool valid_ = false;
  bool spare_valid_ = false;
  StreamWord word_;
  StreamWord spare_;
};

}  // namespace heliodor::machine::pe
