// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// libFuzzer's entry: any bytes are read as a FHETCH trace and as a P-ISA kernel. A crash, a
// sanitizer report or an exception is a finding. docs/reference/formats.md says how to build it.
#include <cstddef>
#include <cstdint>

#include "tests/formats/read_traces.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  heliodor::vectors::read_fhetch(text);
  heliodor::vectors::read_p_isa(text);
  return 0;
}
