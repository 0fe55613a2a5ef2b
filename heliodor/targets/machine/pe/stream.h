// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// The ports that the twins of rtl/stream/ share: one valid/ready stream in, one out.

#pragma once

#include <cstdint>

namespace heliodor::machine::pe {

// One word of a stream and whether it is the last of its frame.
struct StreamWord {
  std::uint64_t data = 0;
  bool last = false;

  bool operator==(const StreamWord&) const = default;
};

struct StreamInputs {
  bool rst_n = true;  // low: emptied at once
  bool in_valid = false;
  StreamWord in;
  bool out_ready = false;
};

// None of them depends on the inputs of the same clock, rst_n apart.
struct StreamOutputs {
  bool in_ready = false;
  bool out_valid = false;
  StreamWord out;  // has meaning where out_valid is set
};

}  // namespace heliodor::machine::pe
