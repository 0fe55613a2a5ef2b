// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The native container: a table of sections, each aligned to 64 bytes and checksummed, so that a
// mapped file is read one section at a time. docs/reference/formats.md says it byte by byte.
//
// The checksum (XXH64) finds damage, not forgery.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "heliodor/base/wipe.h"
#include "heliodor/formats/byte_reader.h"
#include "heliodor/formats/mapped_file.h"

namespace heliodor::formats {

inline constexpr std::uint16_t kContainerMajor = 1;
inline constexpr std::uint16_t kContainerMinor = 0;
inline constexpr std::size_t kSectionAlignment = 64;

enum class SectionKind : std::uint32_t {
  parameters = 1,     ///< JSON; exactly one, the first section
  object = 2,         ///< JSON; its data are the limbs, seed and secret sections that follow
  limbs = 3,          ///< residues packed to the bits of their moduli
  seed = 4,           ///< of the uniform half of a key
  secret = 5,         ///< ternary coefficients, two bits each
  test_seed = 6,      ///< the keys come from a reproducible seed: no secrets at all
  note = 7,           ///< text
  openfhe_owner = 8,  ///< key tag and context file of OpenFHE, for the way back
};

/// What to do with a file made from a base::TestSeed.
enum class TestSeeds : std::uint8_t { refuse, accept };

class ContainerWriter {
 public:
  /// A reader that does not know the kind of an optional section skips it.
  void add(SectionKind kind, base::SecretVector<std::uint8_t> bytes, bool optional = false);

  /// The file. Zeroed when it goes, as it may hold a secret key.
  base::SecretVector<std::uint8_t> finish() const;

 private:
  struct Section {
    SectionKind kind;
    bool optional;
    base::SecretVector<std::uint8_t> bytes;
  };
  std::vector<Section> sections_;
};

class Container {
 public:
  struct Section {
    SectionKind kind;  ///< may be one this version does not know, if optional
    bool optional;
    std::uint64_t offset;
    std::uint64_t length;
    std::uint64_t checksum;
  };

  static bool is_container(Bytes bytes) noexcept;

  /// Maps a file. Throws as MappedFile, Error{malformed_file} for a header or table that is not
  /// right to the last bit, and Error{insecure} for a file made from a test seed unless accepted.
  static Container open(const std::filesystem::path& path,
                        TestSeeds test_seeds = TestSeeds::refuse);
  /// The same for bytes that someone else keeps.
  static Container view(Bytes bytes, TestSeeds test_seeds = TestSeeds::refuse);

  std::span<const Section> sections() const noexcept { return sections_; }
  std::size_t file_bytes() const noexcept { return bytes_.size(); }

  /// A section's bytes. Throws Error{malformed_file} if its checksum is wrong or the bytes up to
  /// the next section are not zero. Requires index < sections().size().
  Bytes section(std::size_t index) const;

 private:
  Container() = default;
  void read_table(TestSeeds test_seeds);

  std::optional<MappedFile> file_;
  Bytes bytes_;
  std::vector<Section> sections_;
};

}  // namespace heliodor::formats
