// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/openfhe/internal/archive.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace heliodor::formats::openfhe {
namespace {

constexpr std::uint8_t kLittleEndian = 1;
constexpr std::uint32_t kHighestVersion = 1;

}  // namespace

ReadArchive::ReadArchive(Bytes bytes) : in_(bytes, kFormatName) {
  const auto order = in_.take<std::uint8_t>("byte order");
  if (order != kLittleEndian) {
    in_.fail_at(0, fmt::format("byte order {} is not {} (little endian)", order, kLittleEndian));
  }
}

void ReadArchive::version(ClassId id) {
  const auto index = static_cast<std::size_t>(id);
  if (std::exchange(version_seen_[index], true)) return;
  const std::size_t start = in_.offset();
  versions_[index] = in_.take<std::uint32_t>("class version");
  if (versions_[index] > kHighestVersion) {
    in_.fail_at(start,
                fmt::format("class version {} exceeds {}", versions_[index], kHighestVersion));
  }
}

void ReadArchive::text(std::string& value, const char* what) {
  const Bytes bytes = in_.take_bytes(in_.take_count(1, what), what);
  value.assign(bytes.begin(), bytes.end());
}

void ReadArchive::words(WordView& words, const char* what) {
  const std::size_t count = in_.take_count(sizeof(std::uint64_t), what);
  words = WordView(in_.take_bytes(count * sizeof(std::uint64_t), what));
}

void ReadArchive::constant(std::uint32_t expected, const char* what) {
  const std::size_t start = in_.offset();
  const auto found = in_.take<std::uint32_t>(what);
  if (found != expected) {
    in_.fail_at(start, fmt::format("{} {:#x} is not {:#x}", what, found, expected));
  }
}

void ReadArchive::named_type(std::size_t& which, std::span<const std::string_view> names,
                             const char* what) {
  const std::size_t start = in_.offset();
  const auto prefix = in_.take<std::uint32_t>(what);
  if (prefix == (kNew | (names_.size() + 1))) {
    std::string name;
    text(name, what);
    if (std::ranges::find(names_, name) != names_.end()) {
      in_.fail_at(start, fmt::format("{} names its type twice", what));
    }
    names_.push_back(std::move(name));
  } else if (prefix == 0 || prefix > names_.size()) {
    in_.fail_at(start, fmt::format("{} {:#x} is no type name", what, prefix));
  }
  const std::string& name = names_[(prefix & ~kNew) - 1];
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    in_.fail_at(start, fmt::format("{} has type '{}'; known are {}", what, name.substr(0, 80),
                                   fmt::join(names, ", ")));
  }
  which = static_cast<std::size_t>(found - names.begin());
}

std::size_t ReadArchive::open_object(std::uint32_t id, std::size_t start, std::type_index type,
                                     const char* what) {
  const auto next = static_cast<std::uint32_t>(objects_.size() + 1);
  if (id != (kNew | next)) {
    in_.fail_at(start, fmt::format("{} has id {:#x}, not {:#x}", what, id, kNew | next));
  }
  objects_.push_back({type, nullptr});
  return objects_.size() - 1;
}

std::shared_ptr<void> ReadArchive::seen_object(std::uint32_t id, std::size_t start,
                                               std::type_index type, const char* what) {
  if (id == 0) in_.fail_at(start, fmt::format("{} is a null pointer", what));
  if (id > objects_.size() || objects_[id - 1].type != type || !objects_[id - 1].object) {
    in_.fail_at(start, fmt::format("{} points to object {}, which is no such thing", what, id));
  }
  return objects_[id - 1].object;
}

WriteArchive::WriteArchive(const Versions& versions) : versions_(versions) {
  out_.put(kLittleEndian);
}

void WriteArchive::version(ClassId id) {
  const auto index = static_cast<std::size_t>(id);
  if (!std::exchange(version_written_[index], true)) out_.put(versions_[index]);
}

void WriteArchive::text(const std::string& value, const char* /*what*/) {
  out_.put(std::uint64_t{value.size()});
  out_.put_bytes({reinterpret_cast<const std::uint8_t*>(value.data()), value.size()});
}

void WriteArchive::words(const WordView& words, const char* /*what*/) {
  out_.put(std::uint64_t{words.size()});
  out_.put_bytes(words.bytes());
}

void WriteArchive::named_type(const std::size_t& which, std::span<const std::string_view> names,
                              const char* what) {
  const auto found = std::ranges::find(names_, names[which]);
  const auto place = static_cast<std::uint32_t>(found - names_.begin() + 1);
  if (found != names_.end()) return out_.put(place);
  names_.push_back(names[which]);
  out_.put(place | kNew);
  text(std::string(names[which]), what);
}

}  // namespace heliodor::formats::openfhe
