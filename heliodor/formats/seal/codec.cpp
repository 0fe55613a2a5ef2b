// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every object, nested ones too, has a header of 16 bytes: u16 magic, u8 header size, u8 major and
// minor version, u8 compression, u16 0, u64 size with the header. Only the outermost may be
// compressed.

#include "heliodor/formats/seal/codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "heliodor/formats/seal/internal/inflate.h"
#include "heliodor/ring/modulus.h"

namespace heliodor::formats::seal {
namespace {

constexpr const char* kFormatName = "SEAL file";
constexpr std::uint16_t kMagic = 0xA15E;
constexpr std::size_t kHeaderBytes = 16;
constexpr std::uint8_t kBlake2xb = 1;
// The shortest forms: a modulus; a ciphertext of one prime and two coefficients with its seed.
constexpr std::size_t kModulusBytes = kHeaderBytes + 8;
constexpr std::size_t kCiphertextBytes = kHeaderBytes + 73 + kHeaderBytes + 8 + 16;

struct Header {
  unsigned version_major;
  unsigned version_minor;
  Compression compression;
  ByteReader body;
};

Header take_header(ByteReader& in) {
  const std::size_t start = in.offset();
  const auto magic = in.take<std::uint16_t>("header");
  const auto header_bytes = in.take<std::uint8_t>("header");
  const unsigned version_major = in.take<std::uint8_t>("header");
  const unsigned version_minor = in.take<std::uint8_t>("header");
  const auto compression = in.take<std::uint8_t>("header");
  const auto reserved = in.take<std::uint16_t>("header");
  const auto size = in.take<std::uint64_t>("header");
  if (magic != kMagic || header_bytes != kHeaderBytes || reserved != 0) {
    in.fail_at(start, fmt::format("{:#x}, {}, {} is no header", magic, header_bytes, reserved));
  }
  if (version_major != 4 && !(version_major == 3 && version_minor >= 4)) {
    in.fail_at(start, fmt::format("version {}.{} is not 3.4 to 4", version_major, version_minor));
  }
  if (compression > static_cast<std::uint8_t>(Compression::zstd)) {
    in.fail_at(start, fmt::format("compression {} exceeds 2", compression));
  }
  if (size < kHeaderBytes) in.fail_at(start, fmt::format("size {} is below 16", size));
  return {version_major, version_minor, static_cast<Compression>(compression),
          in.take_part(size - kHeaderBytes, "object")};
}

ByteReader take_nested(ByteReader& in) {
  const std::size_t start = in.offset();
  const Header header = take_header(in);
  if (header.compression != Compression::none) {
    in.fail_at(start, "an object inside another is compressed");
  }
  return header.body;
}

std::uint64_t take_modulus(ByteReader& in) {
  ByteReader body = take_nested(in);
  const auto value = body.take<std::uint64_t>("modulus");
  body.expect_end();
  return value;
}

WordView take_array(ByteReader& in) {
  ByteReader body = take_nested(in);
  const std::size_t count = body.take_count(sizeof(std::uint64_t), "word count");
  const WordView words(body.take_bytes(count * sizeof(std::uint64_t), "words"));
  body.expect_end();
  return words;
}

ParametersId take_id(ByteReader& in) {
  ParametersId id;
  for (std::uint64_t& word : id) word = in.take<std::uint64_t>("parameters id");
  return id;
}

Parameters take_parameters(ByteReader& in) {
  Parameters parameters{};
  const auto scheme = in.take<std::uint8_t>("scheme");
  if (scheme < 1 || scheme > 3) in.fail(fmt::format("scheme {} is not in [1, 3]", scheme));
  parameters.scheme = static_cast<Scheme>(scheme);
  parameters.degree = in.take<std::uint64_t>("degree");
  parameters.moduli.resize(in.take_count(kModulusBytes, "modulus count"));
  for (std::uint64_t& modulus : parameters.moduli) modulus = take_modulus(in);
  parameters.plain_modulus = take_modulus(in);
  return parameters;
}

Plaintext take_plaintext(ByteReader& in) {
  Plaintext plaintext{};
  plaintext.parameters_id = take_id(in);
  const auto count = in.take<std::uint64_t>("coefficient count");
  plaintext.scale = in.take<double>("scale");
  plaintext.values = take_array(in);
  if (plaintext.values.size() != count) {
    in.fail(fmt::format("{} coefficients, {} words", count, plaintext.values.size()));
  }
  return plaintext;
}

Seed take_seed(ByteReader& in) {
  ByteReader body = take_nested(in);
  const auto generator = body.take<std::uint8_t>("generator");
  if (generator != kBlake2xb) {
    body.fail(fmt::format("generator {} is not {} (BLAKE2xb)", generator, kBlake2xb));
  }
  Seed seed;
  std::ranges::copy(body.take_bytes(kSeedBytes, "seed"), seed.begin());
  body.expect_end();
  return seed;
}

/// A size that stands in 64 bits but must be in [1, limit].
std::size_t take_size(ByteReader& in, std::size_t limit, const char* what) {
  const auto size = in.take<std::uint64_t>(what);
  if (size < 1 || size > limit) in.fail(fmt::format("{} {} is not in [1, {}]", what, size, limit));
  return static_cast<std::size_t>(size);
}

Ciphertext take_ciphertext(ByteReader& in) {
  constexpr std::size_t kMaxParts = 16;  // SEAL_CIPHERTEXT_SIZE_MAX
  constexpr std::size_t kMaxPrimes = 64;
  Ciphertext ciphertext{};
  ciphertext.parameters_id = take_id(in);
  ciphertext.is_ntt = in.take<std::uint8_t>("NTT form") != 0;
  ciphertext.parts = take_size(in, kMaxParts, "part count");
  ciphertext.degree = take_size(in, ring::Modulus::kMaxDegree, "degree");
  ciphertext.limb_count = take_size(in, kMaxPrimes, "prime count");
  ciphertext.scale = in.take<double>("scale");
  ciphertext.correction_factor = in.take<std::uint64_t>("correction factor");
  ciphertext.values = take_array(in);
  const std::size_t part_words = ciphertext.degree * ciphertext.limb_count;
  if (ciphertext.parts == 2 && ciphertext.values.size() == part_words) {
    ciphertext.seed = take_seed(in);
  } else if (ciphertext.values.size() != ciphertext.parts * part_words) {
    in.fail(fmt::format("{} parts of {} x {} words are not {}", ciphertext.parts,
                        ciphertext.limb_count, ciphertext.degree, ciphertext.values.size()));
  }
  return ciphertext;
}

KSwitchKeys take_keys(ByteReader& in) {
  KSwitchKeys keys{};
  keys.parameters_id = take_id(in);
  keys.keys.resize(in.take_count(sizeof(std::uint64_t), "key count"));
  for (std::vector<Ciphertext>& key : keys.keys) {
    key.resize(in.take_count(kCiphertextBytes, "digit count"));
    for (Ciphertext& digit : key) {
      ByteReader body = take_nested(in);
      digit = take_ciphertext(body);
      body.expect_end();
    }
  }
  return keys;
}

/// By where the first nested header is: nothing else tells SEAL's objects apart.
Object take_object(ByteReader& in) {
  constexpr std::size_t kAfterScheme = 17;
  constexpr std::size_t kAfterScale = 48;
  constexpr std::size_t kAfterCorrection = 73;
  ByteReader ahead = in;
  const Bytes body = ahead.take_bytes(in.left(), "object");
  const auto header_at = [&](std::size_t at) {
    return body.size() >= at + kHeaderBytes &&
           std::memcmp(body.data() + at, &kMagic, sizeof kMagic) == 0 &&
           body[at + 2] == kHeaderBytes;
  };
  // A plaintext has its scale here, at least 2^-100 as a double; keys have a small count. Galois
  // keys begin with empty keys, of count 0.
  constexpr std::uint64_t kMostDigits = 64;
  const std::size_t count_at = kAfterScale - sizeof(std::uint64_t);
  const bool small_count =
      body.size() >= kAfterScale &&
      WordView(body.subspan(count_at, sizeof(std::uint64_t)))[0] <= kMostDigits;
  if (header_at(kAfterScheme)) return take_parameters(in);
  if (header_at(kAfterCorrection)) return take_ciphertext(in);
  if (small_count) return take_keys(in);
  if (header_at(kAfterScale)) return take_plaintext(in);
  in.fail("this is none of parameters, plaintext, ciphertext and keys");
}

}  // namespace

std::string_view to_string(Scheme scheme) noexcept {
  constexpr std::array<std::string_view, 3> kNames{"BFV", "CKKS", "BGV"};
  return kNames[static_cast<std::size_t>(scheme) - 1];
}

bool is_seal(Bytes bytes) noexcept {
  return bytes.size() >= kHeaderBytes && std::memcmp(bytes.data(), &kMagic, sizeof kMagic) == 0 &&
         bytes[2] == kHeaderBytes;
}

File parse(Bytes bytes) {
  ByteReader in(bytes, kFormatName);
  Header header = take_header(in);
  in.expect_end();
  File file{header.version_major, header.version_minor, {}, {}};
  if (header.compression != Compression::none) {
    const Bytes packed = header.body.take_bytes(header.body.left(), "body");
    file.inflated = inflate(header.compression, packed, kMaxInflation * bytes.size());
    header.body = ByteReader(file.inflated, "SEAL file, inflated");
  }
  file.object = take_object(header.body);
  header.body.expect_end();
  return file;
}

}  // namespace heliodor::formats::seal
