// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/random.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <bit>
#include <string>

#include "heliodor/base/error.h"

namespace heliodor::base {
namespace {

constexpr std::size_t kMaxLabel = 64;
constexpr std::size_t kBlockWords = 8;  // a ChaCha20 block has 64 bytes
constexpr std::string_view kDomain = "heliodor";
constexpr char kSecretKind = 'S';
constexpr char kTestKind = 'T';

static_assert(kSeedBytes == crypto_stream_chacha20_KEYBYTES);
static_assert(kSeedBytes <= crypto_generichash_KEYBYTES_MAX);

/// Lets libsodium open its source of randomness and choose its fastest code, once per process.
bool sodium_ready() noexcept {
  static const bool ready = sodium_init() >= 0;
  return ready;
}

void store_little_endian(std::uint64_t word, std::span<std::uint8_t, 8> bytes) noexcept {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(word >> (8 * i));
  }
}

[[maybe_unused]] std::uint64_t swap_bytes(std::uint64_t word) noexcept {
  std::uint64_t swapped = 0;
  for (int i = 0; i < 8; ++i) {
    swapped = swapped << 8 | (word >> (8 * i) & 0xff);
  }
  return swapped;
}

void key_stream(std::span<const std::uint8_t, kSeedBytes> key, std::uint64_t nonce,
                std::uint64_t first_block, std::span<std::uint64_t> words) noexcept {
  if (words.empty()) {
    return;
  }
  sodium_ready();  // libsodium's portable code serves even where this fails
  std::array<std::uint8_t, crypto_stream_chacha20_NONCEBYTES> nonce_bytes{};
  store_little_endian(nonce, nonce_bytes);
  std::fill(words.begin(), words.end(), std::uint64_t{0});
  auto* const bytes = reinterpret_cast<unsigned char*>(words.data());
  crypto_stream_chacha20_xor_ic(bytes, bytes, words.size_bytes(), nonce_bytes.data(), first_block,
                                key.data());
  if constexpr (std::endian::native == std::endian::big) {
    std::transform(words.begin(), words.end(), words.begin(), swap_bytes);
  }
}

}  // namespace

Seed Seed::random() {
  if (!sodium_ready()) {
    throw Error(ErrorCode::unavailable, "the operating system offers no source of randomness");
  }
  Seed seed;
  randombytes_buf(seed.bytes_.data(), seed.bytes_.size());
  return seed;
}

Seed::~Seed() { sodium_memzero(bytes_.data(), bytes_.size()); }

TestSeed::TestSeed(std::uint64_t number) {
  store_little_endian(number, std::span(bytes_).first<8>());
}

RandomStream::RandomStream(const Seed& seed, std::string_view label)
    : RandomStream(kSecretKind, seed.bytes(), label) {}

RandomStream::RandomStream(const TestSeed& seed, std::string_view label)
    : RandomStream(kTestKind, seed.bytes(), label) {}

RandomStream::RandomStream(char kind, std::span<const std::uint8_t, kSeedBytes> seed,
                           std::string_view label) {
  if (label.size() > kMaxLabel) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("label length {} exceeds {}", label.size(), kMaxLabel));
  }
  const std::string input = std::string(kDomain) + kind + std::string(label);
  crypto_generichash(key_.data(), key_.size(), reinterpret_cast<const unsigned char*>(input.data()),
                     input.size(), seed.data(), seed.size());
}

RandomStream::~RandomStream() {
  sodium_memzero(key_.data(), key_.size());
  sodium_memzero(buffer_.data(), sizeof(buffer_));
}

void RandomStream::refill() noexcept {
  key_stream(key_, 0, block_, buffer_);
  block_ += kBufferWords / kBlockWords;
  position_ = 0;
}

std::uint64_t RandomStream::next() noexcept {
  if (position_ == kBufferWords) {
    refill();
  }
  return buffer_[position_++];
}

void RandomStream::fill(std::span<std::uint64_t> words) noexcept {
  const std::size_t buffered = std::min(words.size(), kBufferWords - position_);
  std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(position_), buffered, words.begin());
  position_ += buffered;
  words = words.subspan(buffered);

  // The buffer is empty here or no word is wanted: whole blocks need not pass through it.
  const std::size_t whole_blocks = words.size() / kBlockWords;
  key_stream(key_, 0, block_, words.first(whole_blocks * kBlockWords));
  block_ += whole_blocks;
  for (std::uint64_t& word : words.subspan(whole_blocks * kBlockWords)) {
    word = next();
  }
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  if (bound == 0) {
    throw Error(ErrorCode::out_of_range, "bound 0 is below 1");
  }
  const std::uint64_t mask = bound == 1 ? 0 : ~std::uint64_t{0} >> std::countl_zero(bound - 1);
  std::uint64_t candidate = next() & mask;
  while (candidate >= bound) {
    candidate = next() & mask;
  }
  return candidate;
}

PublicSeed RandomStream::public_seed() noexcept {
  PublicSeed seed;
  for (std::size_t i = 0; i < kSeedBytes; i += 8) {
    store_little_endian(next(), std::span<std::uint8_t, 8>(seed.bytes.data() + i, 8));
  }
  return seed;
}

void chacha20_words(const PublicSeed& seed, std::uint64_t stream, std::uint64_t first_block,
                    std::span<std::uint64_t> words) noexcept {
  key_stream(seed.bytes, stream, first_block, words);
}

}  // namespace heliodor::base
