// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Seeded randomness on libsodium: ChaCha20 key streams (D. J. Bernstein, "ChaCha, a variant of
// Salsa20", 2008; 64-bit nonce, 64-bit block counter) under keys derived by BLAKE2b (RFC 7693).
//
//   key of a stream = BLAKE2b-256(key = seed, input = "heliodor" kind label), kind "S" or "T"
//   its words       = ChaCha20(key, nonce 0) from block 0 on, 8 little-endian bytes each
//
// Seed is secret, comes from the operating system and is zeroed when it dies. TestSeed is
// reproducible and a different type: functions that make keys for release take a Seed and so cannot
// be handed a TestSeed; its kind "T" keeps equal bytes from giving equal streams. PublicSeed is not
// secret; it ships with keys and ciphertexts and expands to their uniform half.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace heliodor::base {

inline constexpr std::size_t kSeedBytes = 32;

class Seed {
 public:
  /// Fresh from the operating system. Throws Error{unavailable} if libsodium cannot start.
  static Seed random();
  ~Seed();
  Seed(const Seed&) = default;
  Seed& operator=(const Seed&) = default;

  std::span<const std::uint8_t, kSeedBytes> bytes() const noexcept { return bytes_; }

 private:
  Seed() = default;
  std::array<std::uint8_t, kSeedBytes> bytes_{};
};

/// For tests and demonstrations only: the same number gives the same stream on every machine. Its
/// bytes are the number, little-endian, and 24 zeros.
class TestSeed {
 public:
  explicit TestSeed(std::uint64_t number);

  std::span<const std::uint8_t, kSeedBytes> bytes() const noexcept { return bytes_; }

 private:
  std::array<std::uint8_t, kSeedBytes> bytes_{};
};

struct PublicSeed {
  std::array<std::uint8_t, kSeedBytes> bytes{};

  bool operator==(const PublicSeed&) const = default;
};

/// An endless stream of random words. Streams with different labels are independent. Constant time
/// but for below(). Its key and buffer are zeroed when it dies.
class RandomStream {
 public:
  /// `label` names the use ("secret key", "error"): at most 64 characters, else
  /// Error{out_of_range}.
  RandomStream(const Seed& seed, std::string_view label);
  RandomStream(const TestSeed& seed, std::string_view label);
  ~RandomStream();
  RandomStream(const RandomStream&) = delete;
  RandomStream& operator=(const RandomStream&) = delete;

  std::uint64_t next() noexcept;
  /// The words that as many calls of next() would give, at the speed of the cipher.
  void fill(std::span<std::uint64_t> words) noexcept;

  /// Uniform in [0, bound): words masked to the bits of bound - 1, the first below `bound` is
  /// taken. The number of words drawn depends on the values rejected, never on the one returned.
  /// Throws Error{out_of_range} for bound 0.
  std::uint64_t below(std::uint64_t bound);

  /// The next four words as little-endian bytes.
  PublicSeed public_seed() noexcept;

 private:
  RandomStream(char kind, std::span<const std::uint8_t, kSeedBytes> seed, std::string_view label);
  void refill() noexcept;

  static constexpr std::size_t kBufferWords = 64;
  std::array<std::uint8_t, kSeedBytes> key_{};
  std::array<std::uint64_t, kBufferWords> buffer_{};
  std::size_t position_ = kBufferWords;
  std::uint64_t block_ = 0;
};

/// The ChaCha20 key stream (Bernstein's original: 64-bit nonce, 64-bit block counter) with `seed`
/// as the key itself and `stream` as the nonce in 8 little-endian bytes, from 64-byte block
/// `first_block` on, as little-endian words. Part of the definition of the `uniform` instruction.
void chacha20_words(const PublicSeed& seed, std::uint64_t stream, std::uint64_t first_block,
                    std::span<std::uint64_t> words) noexcept;

}  // namespace heliodor::base
