// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/internal/description_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>
#include <utility>

namespace heliodor::machine::internal {
namespace {

constexpr std::array<std::string_view, 4> kTypeNames = {"a string", "an integer", "a number",
                                                        "a table"};

std::string join(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

bool has_type(const toml::node& node, KeyType type) noexcept {
  switch (type) {
    case KeyType::text:
      return node.is_string();
    case KeyType::integer:
      return node.is_integer();
    case KeyType::number:
      return node.is_number();
    case KeyType::table:
      return node.is_table();
  }
  return false;
}

}  // namespace

bool is_name(std::string_view text) noexcept {
  return !text.empty() && text.size() <= kMaxNameLength &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
         });
}

base::Position position_of(const toml::source_region& region) noexcept {
  if (region.begin.line == 0) return {};
  return base::Position::line(region.begin.line, region.begin.column);
}

Section::Section(const toml::table& table, std::string schema, std::string path,
                 base::Diagnostics& diagnostics)
    : table_(table), schema_(std::move(schema)), path_(std::move(path)), diagnostics_(diagnostics) {
  for (const auto& [name, node] : table_) {
    if (find_key(name.str()) == nullptr) {
      diagnostics_.push_back({position_of(name.source()), "unknown key " + full(name.str())});
    } else if (auto message = fault(name.str(), node)) {
      complain_about(name.str(), std::move(*message));
    }
  }
  for (const DescriptionKey& key : kDescriptionKeys) {
    if (key.table == schema_ && key.required && !has(key.name)) {
      complain("missing key " + full(key.name));
    }
  }
}

std::string Section::full(std::string_view name) const { return join(path_, name); }

std::string Section::text(std::string_view name) const {
  const toml::node* node = table_.get(name);
  if (node == nullptr || fault(name, *node)) return {};
  return *node->value_exact<std::string>();
}

std::optional<Section> Section::section(std::string_view name) const {
  const toml::node* node = table_.get(name);
  if (node == nullptr || !node->is_table()) return {};
  return Section(*node->as_table(), join(schema_, find_key(name)->name), full(name), diagnostics_);
}

std::vector<std::string> Section::names() const {
  struct Found {
    base::Position position;
    std::string name;
  };
  std::vector<Found> found;
  for (const auto& [key, node] : table_) {
    if (node.is_table()) found.push_back({position_of(key.source()), std::string(key.str())});
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    const auto rank = [](const Found& f) {
      const bool nowhere = f.position.kind == base::Position::Kind::whole;
      return std::tuple(nowhere, f.position.index, f.position.column, std::string_view(f.name));
    };
    return rank(a) < rank(b);
  });
  std::vector<std::string> names;
  for (Found& table : found) names.push_back(std::move(table.name));
  return names;
}

void Section::complain_about(std::string_view name, std::string message) const {
  const toml::node* node = table_.get(name);
  const toml::node& place = node != nullptr ? *node : table_;
  diagnostics_.push_back({position_of(place.source()), std::move(message)});
}

void Section::complain(std::string message) const {
  diagnostics_.push_back({position_of(table_.source()), std::move(message)});
}

const DescriptionKey* Section::find_key(std::string_view name) const noexcept {
  const auto* key =
      std::find_if(kDescriptionKeys.begin(), kDescriptionKeys.end(), [&](const auto& candidate) {
        return candidate.table == schema_ && (candidate.name == name || candidate.name == "*");
      });
  return key != kDescriptionKeys.end() ? key : nullptr;
}

std::optional<std::string> Section::fault(std::string_view name, const toml::node& node) const {
  const DescriptionKey& key = *find_key(name);
  if (!has_type(node, key.type)) {
    return fmt::format("{} must be {}", full(name), kTypeNames[static_cast<std::size_t>(key.type)]);
  }
  if (key.type == KeyType::table) return {};
  if (key.type == KeyType::text) {
    if (is_name(*node.value_exact<std::string>())) return {};
    return fmt::format("{} must be 1 to {} characters from a-z 0-9 _ -", full(name),
                       kMaxNameLength);
  }
  const double value = node.is_integer() ? static_cast<double>(*node.value_exact<std::int64_t>())
                                         : *node.value_exact<double>();
  if (!(value >= key.least && value <= key.most)) {
    return fmt::format("{} {} is outside [{}, {}]", full(name), value, key.least, key.most);
  }
  if (key.power_of_two && !std::has_single_bit(static_cast<std::uint64_t>(value))) {
    return fmt::format("{} {} is not a power of two", full(name), value);
  }
  return {};
}

}  // namespace heliodor::machine::internal
