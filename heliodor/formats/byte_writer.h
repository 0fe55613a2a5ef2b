// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// ByteWriter: appends little-endian numbers to bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "heliodor/formats/byte_reader.h"

namespace heliodor::formats {

class ByteWriter {
 public:
  std::size_t size() const noexcept { return bytes_.size(); }
  Bytes bytes() const noexcept { return bytes_; }
  std::vector<std::uint8_t> release() { return std::move(bytes_); }

  template <Number T>
  void put(T value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
  }
  void put_bytes(Bytes bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  /// Zeros up to the next multiple of `alignment`.
  void align(std::size_t alignment) {
    bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment);
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace heliodor::formats
