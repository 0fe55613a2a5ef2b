// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Section: one table of a machine description, checked against the generated table of keys. A value
// at fault is reported once and reads as 0.
#pragma once

#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heliodor/base/diagnostic.h"
#include "heliodor/targets/machine/generated/description_keys.h"

namespace heliodor::machine::internal {

inline constexpr std::size_t kMaxNameLength = 64;

/// 1 to kMaxNameLength characters from a-z 0-9 _ -.
bool is_name(std::string_view text) noexcept;

/// The whole text for a value that an override brought: it stands nowhere.
base::Position position_of(const toml::source_region& region) noexcept;

class Section {
 public:
  /// Reports every key that is unknown, missing, of the wrong type or out of bounds. `schema` is
  /// the path in the table of keys, `path` the one in the text.
  Section(const toml::table& table, std::string schema, std::string path,
          base::Diagnostics& diagnostics);

  bool has(std::string_view name) const { return table_.contains(name); }
  const std::string& path() const { return path_; }
  std::string full(std::string_view name) const;

  /// The number, 0 where it is at fault, or `absent`.
  template <typename Number>
  Number number(std::string_view name, Number absent = {}) const {
    const toml::node* node = table_.get(name);
    if (node == nullptr) return absent;
    return fault(name, *node) ? Number{} : *node->value<Number>();
  }

  /// The string; empty where it is missing or at fault.
  std::string text(std::string_view name) const;

  /// The table under `name`; nothing if there is none.
  std::optional<Section> section(std::string_view name) const;

  /// The names of the tables in it in the order of the text; those of overrides come last.
  std::vector<std::string> names() const;

  /// About a key that is there, or else about the table.
  void complain_about(std::string_view name, std::string message) const;
  void complain(std::string message) const;

 private:
  const DescriptionKey* find_key(std::string_view name) const noexcept;
  std::optional<std::string> fault(std::string_view name, const toml::node& node) const;

  const toml::table& table_;
  std::string schema_;
  std::string path_;
  base::Diagnostics& diagnostics_;
};

}  // namespace heliodor::machine::internal
