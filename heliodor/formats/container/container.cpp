// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/container/container.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "heliodor/base/error.h"

namespace heliodor::formats {
namespace {

constexpr const char* kFormatName = "Heliodor file";
// A byte above 127 and both line ends: transfers as text show at once.
constexpr std::array<std::uint8_t, 8> kMagic{0x89, 'H', 'L', 'D', '\r', '\n', 0x1a, '\n'};
constexpr std::uint32_t kEndianMark = 0x01020304;
constexpr std::size_t kHeaderBytes = 64;
constexpr std::size_t kChecksumAt = 56;
constexpr std::size_t kEntryBytes = 32;
constexpr std::uint32_t kOptionalFlag = 1;

std::uint64_t xxh64(Bytes bytes) { return XXH64(bytes.data(), bytes.size(), 0); }

std::uint64_t header_checksum(Bytes head, Bytes table) {
  XXH64_state_t* const state = XXH64_createState();
  if (state == nullptr) throw Error(ErrorCode::out_of_memory, "a checksum cannot start");
  XXH64_reset(state, 0);
  XXH64_update(state, head.data(), head.size());
  XXH64_update(state, table.data(), table.size());
  const std::uint64_t checksum = XXH64_digest(state);
  XXH64_freeState(state);
  return checksum;
}

constexpr std::uint64_t aligned(std::uint64_t size) {
  return (size + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
}

template <typename T>
void put(std::span<std::uint8_t> out, std::size_t at, T value) {
  std::memcpy(out.data() + at, &value, sizeof value);
}

bool all_zero(Bytes bytes) {
  return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

bool is_known(SectionKind kind) {
  return kind >= SectionKind::parameters && kind <= SectionKind::openfhe_owner;
}

}  // namespace

void ContainerWriter::add(SectionKind kind, base::SecretVector<std::uint8_t> bytes, bool optional) {
  sections_.push_back({kind, optional, std::move(bytes)});
}

base::SecretVector<std::uint8_t> ContainerWriter::finish() const {
  const std::size_t table_bytes = sections_.size() * kEntryBytes;
  std::uint64_t size = aligned(kHeaderBytes + table_bytes);
  for (const Section& section : sections_) size += aligned(section.bytes.size());
  base::SecretVector<std::uint8_t> file(static_cast<std::size_t>(size));
  std::ranges::copy(kMagic, file.begin());
  put(file, 8, kContainerMajor);
  put(file, 10, kContainerMinor);
  put(file, 12, kEndianMark);
  put(file, 16, static_cast<std::uint32_t>(sections_.size()));
  put(file, 24, size);
  std::uint64_t offset = aligned(kHeaderBytes + table_bytes);
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const Section& section = sections_[i];
    const std::size_t entry = kHeaderBytes + i * kEntryBytes;
    put(file, entry, static_cast<std::uint32_t>(section.kind));
    put(file, entry + 4, section.optional ? kOptionalFlag : 0);
    put(file, entry + 8, offset);
    put(file, entry + 16, std::uint64_t{section.bytes.size()});
    put(file, entry + 24, xxh64(section.bytes));
    std::ranges::copy(section.bytes, file.begin() + static_cast<std::ptrdiff_t>(offset));
    offset += aligned(section.bytes.size());
  }
  put(file, kChecksumAt,
      header_checksum(Bytes(file).first(kChecksumAt),
                      Bytes(file).subspan(kHeaderBytes, table_bytes)));
  return file;
}

bool Container::is_container(Bytes bytes) noexcept {
  return bytes.size() >= kMagic.size() && std::ranges::equal(bytes.first(kMagic.size()), kMagic);
}

Container Container::open(const std::filesystem::path& path, TestSeeds test_seeds) {
  Container container;
  container.file_.emplace(path);
  container.bytes_ = container.file_->bytes();
  container.read_table(test_seeds);
  return container;
}

Container Container::view(Bytes bytes, TestSeeds test_seeds) {
  Container container;
  container.bytes_ = bytes;
  container.read_table(test_seeds);
  return container;
}

void Container::read_table(TestSeeds test_seeds) {
  ByteReader in(bytes_, kFormatName);
  if (!is_container(in.take_bytes(kMagic.size(), "magic"))) in.fail_at(0, "this is no container");
  const auto major = in.take<std::uint16_t>("version");
  const auto minor = in.take<std::uint16_t>("version");
  if (major != kContainerMajor) {
    in.fail_at(8, fmt::format("version {}.{} is not {}.x", major, minor, kContainerMajor));
  }
  const auto mark = in.take<std::uint32_t>("endian mark");
  const auto count = in.take<std::uint32_t>("section count");
  const auto flags = in.take<std::uint32_t>("flags");
  const auto size = in.take<std::uint64_t>("file size");
  const Bytes reserved = in.take_bytes(kChecksumAt - 32, "reserved bytes");
  const auto checksum = in.take<std::uint64_t>("checksum");
  if (mark != kEndianMark || flags != 0 || !all_zero(reserved)) {
    in.fail_at(12, "endian mark, flags or reserved bytes are not those of this version");
  }
  if (size != bytes_.size()) {
    in.fail_at(24, fmt::format("the file has {} bytes, its header says {}", bytes_.size(), size));
  }
  const Bytes table = in.take_bytes(std::uint64_t{count} * kEntryBytes, "section table");
  if (checksum != header_checksum(bytes_.first(kChecksumAt), table)) {
    in.fail_at(kChecksumAt, "the checksum of header and table is wrong");
  }
  std::uint64_t offset = aligned(kHeaderBytes + table.size());
  ByteReader entries(table, kFormatName, kHeaderBytes);
  sections_.reserve(count);
  while (entries.left() != 0) {
    const std::size_t start = entries.offset();
    Section section{};
    section.kind = static_cast<SectionKind>(entries.take<std::uint32_t>("section kind"));
    const auto section_flags = entries.take<std::uint32_t>("section flags");
    section.optional = section_flags == kOptionalFlag;
    section.offset = entries.take<std::uint64_t>("section offset");
    section.length = entries.take<std::uint64_t>("section length");
    section.checksum = entries.take<std::uint64_t>("section checksum");
    if (section_flags > kOptionalFlag) entries.fail_at(start, "unknown section flags");
    if (!is_known(section.kind) && !section.optional) {
      entries.fail_at(start, fmt::format("section kind {} is unknown and not optional",
                                         static_cast<std::uint32_t>(section.kind)));
    }
    if (section.offset != offset || section.length > size - std::min(size, offset)) {
      entries.fail_at(start, fmt::format("a section of {} bytes at {}, expected at {} of {}",
                                         section.length, section.offset, offset, size));
    }
    if (section.kind == SectionKind::test_seed && test_seeds == TestSeeds::refuse) {
      throw Error(ErrorCode::insecure,
                  fmt::format("{}: its keys come from a test seed", kFormatName));
    }
    offset += aligned(section.length);
    sections_.push_back(section);
  }
  if (offset != size) {
    in.fail_at(24, fmt::format("the sections end at {}, the file at {}", offset, size));
  }
  const std::size_t table_end = kHeaderBytes + table.size();
  if (!all_zero(bytes_.subspan(table_end, aligned(table_end) - table_end))) {
    in.fail_at(table_end, "the bytes behind the section table are not zero");
  }
}

Bytes Container::section(std::size_t index) const {
  const Section& section = sections_[index];
  const auto offset = static_cast<std::size_t>(section.offset);
  const auto length = static_cast<std::size_t>(section.length);
  const Bytes bytes = bytes_.subspan(offset, length);
  const Bytes padding = bytes_.subspan(offset + length, aligned(length) - length);
  if (xxh64(bytes) != section.checksum || !all_zero(padding)) {
    throw Error(ErrorCode::malformed_file,
                fmt::format("{}, byte {}: the checksum of section {} is wrong", kFormatName, offset,
                            index));
  }
  return bytes;
}

}  // namespace heliodor::formats
