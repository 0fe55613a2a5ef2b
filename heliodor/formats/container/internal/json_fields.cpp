// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/container/internal/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "heliodor/base/error.h"

namespace heliodor::formats {
namespace {

[[noreturn]] void malformed(std::string_view where, const std::string& message) {
  throw Error(ErrorCode::malformed_file, fmt::format("{}: {}", where, message));
}

}  // namespace

Json parse_json(std::string_view text, std::string_view where) {
  constexpr int kMaxDepth = 16;
  if (text.size() > kMaxJsonBytes) {
    malformed(where, fmt::format("{} bytes of JSON exceed {}", text.size(), kMaxJsonBytes));
  }
  const auto check_depth = [&](int depth, Json::parse_event_t /*event*/, Json& /*parsed*/) {
    if (depth > kMaxDepth) malformed(where, fmt::format("JSON is nested over {} deep", kMaxDepth));
    return true;
  };
  Json json;
  try {
    json = Json::parse(text, check_depth);
  } catch (const Json::exception& error) {
    malformed(where, error.what());
  }
  if (!json.is_object()) malformed(where, "the JSON is no object");
  return json;
}

JsonFields::JsonFields(const Json& object, std::string where,
                       std::initializer_list<std::string_view> known)
    : object_(object), where_(std::move(where)) {
  if (!object.is_object()) fail("this is no JSON object");
  for (const auto& item : object.items()) {
    if (std::ranges::find(known, item.key()) == known.end()) {
      fail(fmt::format("'{}' is an unknown key", item.key().substr(0, 80)));
    }
  }
}

std::uint64_t JsonFields::whole(const char* key, std::uint64_t least, std::uint64_t most) const {
  const Json& value = field(key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least ||
      value.get<std::uint64_t>() > most) {
    fail(fmt::format("'{}' is not a whole number in [{}, {}]", key, least, most));
  }
  return value.get<std::uint64_t>();
}

double JsonFields::real(const char* key) const {
  const Json& value = field(key);
  if (!value.is_number()) fail(fmt::format("'{}' is not a number", key));
  return value.get<double>();
}

std::string JsonFields::text(const char* key) const {
  const Json& value = field(key);
  if (!value.is_string()) fail(fmt::format("'{}' is not a string", key));
  return value.get<std::string>();
}

const Json& JsonFields::object(const char* key) const {
  const Json& value = field(key);
  if (!value.is_object()) fail(fmt::format("'{}' is not an object", key));
  return value;
}

const Json& JsonFields::array(const char* key) const {
  const Json& value = field(key);
  if (!value.is_array()) fail(fmt::format("'{}' is not an array", key));
  return value;
}

void JsonFields::fail(const std::string& message) const { malformed(where_, message); }

const Json& JsonFields::field(const char* key) const {
  const auto found = object_.find(key);
  if (found == object_.end()) fail(fmt::format("'{}' is missing", key));
  return *found;
}

}  // namespace heliodor::formats
