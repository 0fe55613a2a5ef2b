// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/byte_reader.h"

#include <fmt/format.h>

#include "heliodor/base/error.h"

namespace heliodor::formats {

Bytes ByteReader::take_bytes(std::uint64_t size, const char* what) {
  if (size > left()) fail(fmt::format("{} needs {} bytes, {} are left", what, size, left()));
  const Bytes taken = bytes_.subspan(at_, static_cast<std::size_t>(size));
  at_ += taken.size();
  return taken;
}

std::size_t ByteReader::take_count(std::size_t least_bytes, const char* what) {
  const std::size_t start = offset();
  const auto count = take<std::uint64_t>(what);
  if (count > left() / least_bytes) {
    fail_at(start, fmt::format("{} {} needs at least {} bytes each, {} are left", what, count,
                               least_bytes, left()));
  }
  return static_cast<std::size_t>(count);
}

ByteReader ByteReader::take_part(std::uint64_t size, const char* what) {
  const std::size_t start = offset();
  return {take_bytes(size, what), format_, start};
}

void ByteReader::expect_end() const {
  if (left() != 0) fail(fmt::format("{} bytes follow the end", left()));
}

void ByteReader::fail(const std::string& message) const { fail_at(offset(), message); }

void ByteReader::fail_at(std::size_t offset, const std::string& message) const {
  throw Error(ErrorCode::malformed_file, fmt::format("{}, byte {}: {}", format_, offset, message));
}

}  // namespace heliodor::formats
