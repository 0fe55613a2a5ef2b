// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// MappedFile: a file's bytes, read-only, brought into memory page by page as they are looked at.
#pragma once

#include <cstdint>
#include <filesystem>

#include "heliodor/formats/byte_reader.h"

namespace heliodor::formats {

class MappedFile {
 public:
  /// Throws Error{io} if the file is missing, a directory or unreadable; Error{malformed_file} if
  /// it is empty. The file must not shrink while it is mapped: a file cut by someone else ends the
  /// process that reads it.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Valid as long as the object, also after a move.
  Bytes bytes() const noexcept { return bytes_; }

 private:
  Bytes bytes_;
};

/// Who may read a file that is written.
enum class Access : std::uint8_t {
  by_umask,
  owner,  ///< nobody else: for secret keys
};

/// Replaces the file at `path`. Throws Error{io} if it cannot be written.
void write_file(const std::filesystem::path& path, Bytes bytes, Access access = Access::by_umask);

}  // namespace heliodor::formats
