// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// libFuzzer's entry: any bytes are read as the file they begin like. Bytes that begin with 'S' are
// sections of a container, each a kind, a length of 16 bits and its content, so that checksums do
// not stop the fuzzer. A crash, a sanitizer report or an error other than malformed_file is a
// finding. docs/reference/formats.md says how to build it.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "heliodor/base/error.h"
#include "heliodor/formats/container/container.h"
#include "tests/formats/read_everything.h"

namespace heliodor::vectors {
namespace {

void read_sections(formats::Bytes bytes) {
  formats::ContainerWriter out;
  while (bytes.size() >= 3) {
    const auto kind = static_cast<formats::SectionKind>(bytes[0]);
    const std::size_t length = std::min<std::size_t>(bytes[1] + 256U * bytes[2], bytes.size() - 3);
    const formats::Bytes content = bytes.subspan(3, length);
    out.add(kind, {content.begin(), content.end()});
    bytes = bytes.subspan(3 + length);
  }
  read_native(out.finish());
}

void read(formats::Bytes bytes) {
  try {
    if (!bytes.empty() && bytes[0] == 'S') {
      read_sections(bytes.subspan(1));
    } else {
      read_any(bytes);
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::malformed_file) throw;
  }
}

}  // namespace
}  // namespace heliodor::vectors

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heliodor::vectors::read({data, size});
  return 0;
}
