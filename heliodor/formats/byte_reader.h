// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// ByteReader: little-endian numbers from bytes that may be hostile. Nothing is read past the end,
// and a count is checked against the bytes that are left before anyone takes memory for it. All
// faults are Error{malformed_file}: "SEAL file, byte 24: prime count needs 8 bytes, 3 are left".
//
//   ByteReader in(bytes, "SEAL file");
//   const auto degree = in.take<std::uint64_t>("degree");
//   std::vector<Item> items(in.take_count(8, "item count"));  // at least 8 bytes an item
//   in.expect_end();
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace heliodor::formats {

static_assert(std::endian::native == std::endian::little, "codecs copy numbers as they lie");

using Bytes = std::span<const std::uint8_t>;

template <typename T>
concept Number = std::is_arithmetic_v<T>;

class ByteReader {
 public:
  /// Keeps `bytes` and `format` (a literal, the start of every message). `origin` is the place of
  /// bytes[0] in the file.
  ByteReader(Bytes bytes, const char* format, std::size_t origin = 0) noexcept
      : bytes_(bytes), format_(format), origin_(origin) {}

  std::size_t offset() const noexcept { return origin_ + at_; }  ///< in the file
  std::size_t left() const noexcept { return bytes_.size() - at_; }

  template <Number T>
  T take(const char* what) {
    T value;
    std::memcpy(&value, take_bytes(sizeof(T), what).data(), sizeof(T));
    return value;
  }
  /// The number that take would return.
  template <Number T>
  T peek(const char* what) const {
    ByteReader copy = *this;
    return copy.take<T>(what);
  }

  /// The next `size` bytes, which stay where they are.
  Bytes take_bytes(std::uint64_t size, const char* what);

  /// A 64-bit count of things that take at least `least_bytes` each: no more than can be there.
  std::size_t take_count(std::size_t least_bytes, const char* what);

  /// A reader of the next `size` bytes alone.
  ByteReader take_part(std::uint64_t size, const char* what);

  /// Faults unless all bytes were taken.
  void expect_end() const;

  /// Throws Error{malformed_file}; the place is where the next number would be read.
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail_at(std::size_t offset, const std::string& message) const;

 private:
  Bytes bytes_;
  const char* format_;
  std::size_t origin_;
  std::size_t at_ = 0;
};

/// Little-endian 64-bit words that lie at any address in bytes someone else keeps.
class WordView {
 public:
  WordView() = default;
  /// Requires a multiple of 8 bytes.
  explicit WordView(Bytes bytes) noexcept : bytes_(bytes) {}
  explicit WordView(std::span<const std::uint64_t> words) noexcept
      : bytes_(reinterpret_cast<const std::uint8_t*>(words.data()), words.size_bytes()) {}

  std::size_t size() const noexcept { return bytes_.size() / sizeof(std::uint64_t); }
  Bytes bytes() const noexcept { return bytes_; }
  /// Requires index < size().
  std::uint64_t operator[](std::size_t index) const noexcept {
    std::uint64_t word;
    std::memcpy(&word, bytes_.data() + sizeof word * index, sizeof word);
    return word;
  }
  /// Requires out.size() == size().
  void copy_to(std::span<std::uint64_t> out) const noexcept {
    if (!out.empty()) std::memcpy(out.data(), bytes_.data(), bytes_.size());
  }

 private:
  Bytes bytes_;
};

}  // namespace heliodor::formats
