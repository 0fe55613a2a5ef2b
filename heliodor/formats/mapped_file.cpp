// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "heliodor/base/error.h"

namespace heliodor::formats {
namespace {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& path)
      : value_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (value_ >= 0) return;
    const int reason = errno;
    throw Error(ErrorCode::io, fmt::format("{}: {}", path.string(),
                                           reason == ENOENT ? "no such file" : strerror(reason)));
  }
  ~Descriptor() { close(value_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int value() const noexcept { return value_; }

 private:
  int value_;
};

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const Descriptor file(path);
  struct stat status {};
  if (fstat(file.value(), &status) != 0 || !S_ISREG(status.st_mode)) {
    throw Error(ErrorCode::io,
                fmt::format("{}: {}", path.string(),
                            S_ISDIR(status.st_mode) ? "is a directory" : "is not a regular file"));
  }
  if (status.st_size == 0) {
    throw Error(ErrorCode::malformed_file, fmt::format("{}: is empty", path.string()));
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  void* base = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value(), 0);
  if (base == MAP_FAILED) {
    throw Error(ErrorCode::io, fmt::format("{}: {}", path.string(), strerror(errno)));
  }
  bytes_ = {static_cast<const std::uint8_t*>(base), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

void write_file(const std::filesystem::path& path, Bytes bytes) {
  // Under another name first: an error leaves the old file, and who has it mapped keeps its bytes.
  std::filesystem::path partial = path;
  partial += ".partial";
  std::ofstream file(partial, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code renamed;
  if (file) std::filesystem::rename(partial, path, renamed);
  if (!file || renamed) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    throw Error(ErrorCode::io, fmt::format("{}: cannot be written", path.string()));
  }
}

}  // namespace heliodor::formats
