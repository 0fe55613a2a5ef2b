// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of JSON that may be hostile. Every fault, a key nobody knows included, is
// Error{malformed_file}.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "heliodor/formats/byte_reader.h"

namespace heliodor::formats {

using Json = nlohmann::json;

inline constexpr std::size_t kMaxJsonBytes = std::size_t{1} << 20;

/// A JSON object of at most kMaxJsonBytes, nested at most 16 deep.
Json parse_json(std::string_view text, std::string_view where);

/// The fields of an object that has none but the `known` ones.
class JsonFields {
 public:
  JsonFields(const Json& object, std::string where, std::initializer_list<std::string_view> known);

  bool has(const char* key) const { return object_.contains(key); }
  /// In [least, most].
  std::uint64_t whole(const char* key, std::uint64_t least, std::uint64_t most) const;
  double real(const char* key) const;
  std::string text(const char* key) const;
  const Json& object(const char* key) const;
  const Json& array(const char* key) const;

  [[noreturn]] void fail(const std::string& message) const;

 private:
  const Json& field(const char* key) const;

  const Json& object_;
  std::string where_;
};

}  // namespace heliodor::formats
