// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Positioned messages about texts, programs and descriptions, and Result<T>: a value or the
// diagnostics that explain its absence.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heliodor::base {

/// Where a diagnostic points. Lines and columns count from 1; indices and byte offsets from 0.
struct Position {
  enum class Kind { whole, text, byte, modulus, input, instruction, output };
  Kind kind = Kind::whole;
  std::size_t index = 0;   ///< line, byte offset or index, by kind
  std::size_t column = 0;  ///< only for text

  static Position line(std::size_t line, std::size_t column) { return {Kind::text, line, column}; }

  bool operator==(const Position&) const = default;
};

struct Diagnostic {
  Position position;
  std::string message;  ///< names the quantity, the value and the bound

  bool operator==(const Diagnostic&) const = default;
};

using Diagnostics = std::vector<Diagnostic>;

/// "12:5", "instruction 3", "byte 17"; empty for the whole.
std::string to_string(const Position& position);

/// One line per diagnostic: "<name>:12:5: message", "<name>: instruction 3: message", or
/// "<name>: message" for the whole; `name` is a file name or "program".
std::string to_string(const Diagnostics& diagnostics, const std::string& name);

/// A value, or the diagnostics that say why there is none (never empty in that case).
template <typename T>
class Result {
 public:
  // Implicit, so that a function returns either with a plain return statement.
  Result(T value) : content_(std::move(value)) {}
  Result(Diagnostics diagnostics) : content_(std::move(diagnostics)) {}

  bool has_value() const noexcept { return content_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  /// Requires has_value(); throws std::bad_variant_access otherwise.
  const T& value() const& { return std::get<0>(content_); }
  T&& value() && { return std::get<0>(std::move(content_)); }
  const T& operator*() const& { return value(); }
  const T* operator->() const { return &value(); }

  /// Requires !has_value(); throws std::bad_variant_access otherwise.
  const Diagnostics& diagnostics() const { return std::get<1>(content_); }

 private:
  std::variant<T, Diagnostics> content_;
};

}  // namespace heliodor::base
