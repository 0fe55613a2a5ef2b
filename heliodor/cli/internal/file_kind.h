// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The kinds of files that `heliodor inspect` describes: one table, a row for each kind.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "heliodor/formats/mapped_file.h"

namespace heliodor::cli {

/// Mapped, so that what is not looked at is not read; what cannot be mapped, such as a pipe, is
/// read whole.
class OpenedFile {
 public:
  /// Throws Error{io} if it is missing, unreadable or a directory, Error{malformed_file} if empty.
  explicit OpenedFile(std::string path);

  const std::string& path() const noexcept { return path_; }
  formats::Bytes bytes() const noexcept;
  std::string_view text() const noexcept;

 private:
  std::string path_;
  std::optional<formats::MappedFile> mapped_;
  std::string read_;
};

struct FileKind {
  bool (*matches)(const OpenedFile& file);
  /// An object with "kind" and what there is to say. Throws Error{malformed_file} or
  /// Error{invalid_description}; messages name the file.
  nlohmann::ordered_json (*describe)(const OpenedFile& file);
  void (*print)(const nlohmann::ordered_json& description, std::ostream& out);
  std::string (*text)(const OpenedFile& file);  ///< a program's text form; null for other kinds
};

/// The first kind of the table that matches.
const FileKind& kind_of(const OpenedFile& file);

}  // namespace heliodor::cli
