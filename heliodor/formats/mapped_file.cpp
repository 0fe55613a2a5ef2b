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

bool write_all(int file, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

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

void write_file(const std::filesystem::path& path, Bytes bytes, Access access) {
  // Under another name first: an error leaves the old file, and who has it mapped keeps its bytes.
  std::filesystem::path partial = path;
  partial += ".partial";
  std::error_code failed;
  std::filesystem::remove(partial, failed);  // with whatever permissions it has
  const int file = open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                        access == Access::owner ? 0600 : 0666);
  bool right = file >= 0 && write_all(file, bytes);
  if (file >= 0) right = close(file) == 0 && right;
  if (right) std::filesystem::rename(partial, path, failed);
  if (!right || failed) {
    std::error_code ignored;
    if (file >= 0) std::filesystem::remove(partial, ignored);
    throw Error(ErrorCode::io, fmt::format("{}: cannot be written", path.string()));
  }
}

}  // namespace heliodor::formats
