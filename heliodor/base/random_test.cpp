// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The oracles: published ChaCha20 vectors, a ChaCha20 written here from RFC 8439 section 2.3, and
// BLAKE2b called directly for the derivation of keys.

#include "heliodor/base/random.h"

#include <gtest/gtest.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "heliodor/base/error.h"

namespace heliodor::base {
namespace {

// Keys for release cannot come from a reproducible seed.
static_assert(!std::is_convertible_v<TestSeed, Seed> && !std::is_constructible_v<Seed, TestSeed>);
static_assert(!std::is_default_constructible_v<Seed>);
static_assert(!std::is_convertible_v<PublicSeed, Seed>);

using Block = std::array<std::uint32_t, 16>;

void quarter_round(Block& x, std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
  x[a] += x[b], x[d] = std::rotl(x[d] ^ x[a], 16);
  x[c] += x[d], x[b] = std::rotl(x[b] ^ x[c], 12);
  x[a] += x[b], x[d] = std::rotl(x[d] ^ x[a], 8);
  x[c] += x[d], x[b] = std::rotl(x[b] ^ x[c], 7);
}

/// The eight words of one block: RFC 8439 section 2.3 with words 12, 13 as counter and 14, 15 as
/// nonce, which is Bernstein's original layout.
std::array<std::uint64_t, 8> oracle_block(std::span<const std::uint8_t, 32> key,
                                          std::uint64_t nonce, std::uint64_t counter) {
  Block in = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (std::size_t i = 0; i < 32; ++i) {
    in[4 + i / 4] |= std::uint32_t{key[i]} << (8 * (i % 4));
  }
  in[12] = static_cast<std::uint32_t>(counter);
  in[13] = static_cast<std::uint32_t>(counter >> 32);
  in[14] = static_cast<std::uint32_t>(nonce);
  in[15] = static_cast<std::uint32_t>(nonce >> 32);
  Block x = in;
  for (int round = 0; round < 10; ++round) {
    for (std::size_t i = 0; i < 4; ++i) {
      quarter_round(x, i, 4 + i, 8 + i, 12 + i);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      quarter_round(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
    }
  }
  std::array<std::uint64_t, 8> words{};
  for (std::size_t i = 0; i < 16; ++i) {
    words[i / 2] |= std::uint64_t{x[i] + in[i]} << (32 * (i % 2));
  }
  return words;
}

std::vector<std::uint64_t> oracle_words(std::span<const std::uint8_t, 32> key, std::uint64_t nonce,
                                        std::uint64_t first_block, std::size_t count) {
  std::vector<std::uint64_t> words;
  for (std::uint64_t block = first_block; words.size() < count; ++block) {
    for (const std::uint64_t word : oracle_block(key, nonce, block)) {
      words.push_back(word);
    }
  }
  words.resize(count);
  return words;
}

/// The words as bytes in hexadecimal, lowest byte first, as the vectors are printed.
std::string hex(std::span<const std::uint64_t> words) {
  std::string text;
  for (const std::uint64_t word : words) {
    for (int i = 0; i < 8; ++i) {
      const auto byte = static_cast<std::size_t>(word >> (8 * i) & 0xff);
      text += "0123456789abcdef"[byte / 16];
      text += "0123456789abcdef"[byte % 16];
    }
  }
  return text;
}

std::vector<std::uint64_t> chacha20(const PublicSeed& seed, std::uint64_t stream,
                                    std::uint64_t first_block, std::size_t count) {
  std::vector<std::uint64_t> words(count, 0x5555555555555555);
  chacha20_words(seed, stream, first_block, words);
  return words;
}

PublicSeed counting_seed() {
  PublicSeed seed;
  for (std::size_t i = 0; i < seed.bytes.size(); ++i) {
    seed.bytes[i] = static_cast<std::uint8_t>(i);
  }
  return seed;
}

std::vector<std::uint64_t> draw(RandomStream& stream, std::size_t count) {
  std::vector<std::uint64_t> words;
  for (std::size_t i = 0; i < count; ++i) {
    words.push_back(stream.next());
  }
  return words;
}

TEST(ChaCha20Test, zero_key_and_nonce_give_the_published_blocks) {
  // RFC 8439 appendix A.1, test vectors 1 and 2.
  EXPECT_EQ(hex(chacha20(PublicSeed{}, 0, 0, 8)),
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586");
  EXPECT_EQ(hex(chacha20(PublicSeed{}, 0, 1, 8)),
            "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
            "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f");
}

TEST(ChaCha20Test, a_nonce_gives_the_published_block) {
  // RFC 8439 appendix A.1, test vector 5: the nonce's last byte is 2.
  EXPECT_EQ(hex(chacha20(PublicSeed{}, std::uint64_t{2} << 56, 0, 8)),
            "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
            "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d");
}

TEST(ChaCha20Test, key_nonce_and_both_halves_of_the_counter_give_the_published_block) {
  // RFC 8439 section 2.3.2, whose first nonce word 09000000 is the counter's upper half here.
  EXPECT_EQ(hex(chacha20(counting_seed(), 0x4a000000, 0x0900000000000001, 8)),
            "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
            "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e");
}

TEST(ChaCha20Test, every_length_and_start_agrees_with_the_oracle) {
  const PublicSeed seed = counting_seed();
  const std::uint64_t nonce = 0x0123456789abcdef;
  // The last two cross a carry into the counter's upper half and its wrap to zero.
  for (const std::uint64_t first_block : {0ULL, 1ULL, 1000ULL, 0xfffffffeULL, ~0ULL - 2}) {
    for (std::size_t count = 0; count < 150; ++count) {
      ASSERT_EQ(chacha20(seed, nonce, first_block, count),
                oracle_words(seed.bytes, nonce, first_block, count))
          << count << " words from block " << first_block;
    }
  }
}

TEST(ChaCha20Test, nothing_is_written_past_the_span) {
  std::vector<std::uint64_t> words(20, 7);
  chacha20_words(PublicSeed{}, 0, 0, std::span(words).first(13));
  EXPECT_TRUE(std::all_of(words.begin() + 13, words.end(), [](auto word) { return word == 7; }));
}

TEST(TestSeedTest, bytes_are_the_number_in_little_endian) {
  const TestSeed seed(0x0102030405060708);
  for (std::size_t i = 0; i < kSeedBytes; ++i) {
    EXPECT_EQ(seed.bytes()[i], i < 8 ? 8 - i : 0);
  }
}

std::array<std::uint8_t, 32> blake2b(std::span<const std::uint8_t> key, const std::string& input) {
  std::array<std::uint8_t, 32> digest{};
  crypto_generichash(digest.data(), digest.size(),
                     reinterpret_cast<const unsigned char*>(input.data()), input.size(), key.data(),
                     key.size());
  return digest;
}

TEST(RandomStreamTest, words_are_chacha20_under_the_derived_key) {
  const TestSeed test_seed(42);
  RandomStream test_stream(test_seed, "error");
  EXPECT_EQ(draw(test_stream, 200),
            oracle_words(blake2b(test_seed.bytes(), "heliodorTerror"), 0, 0, 200));

  const Seed seed = Seed::random();
  RandomStream stream(seed, "secret key");
  EXPECT_EQ(draw(stream, 200),
            oracle_words(blake2b(seed.bytes(), "heliodorSsecret key"), 0, 0, 200));
}

TEST(RandomStreamTest, a_test_seed_gives_the_same_words_on_every_machine) {
  RandomStream stream(TestSeed(1), "golden");
  // From Python: hashlib.blake2b and a ChaCha20 written out.
  const std::vector<std::uint64_t> words = draw(stream, 2);
  EXPECT_EQ(hex(words), "114024599826a7021f144438cc0f1249");
}

TEST(RandomStreamTest, streams_differ_by_seed_and_by_label) {
  std::set<std::uint64_t> firsts;
  std::size_t streams = 0;
  for (const std::uint64_t number : {0ULL, 1ULL, 1ULL << 63}) {
    for (const char* label : {"", "a", "b", "ab", "a b"}) {
      firsts.insert(RandomStream(TestSeed(number), label).next());
      ++streams;
    }
  }
  firsts.insert(RandomStream(Seed::random(), "a").next());
  firsts.insert(RandomStream(Seed::random(), "a").next());
  EXPECT_EQ(firsts.size(), streams + 2);
}

TEST(RandomStreamTest, fill_gives_the_words_of_next_at_every_split) {
  const std::size_t total = 700;
  RandomStream one_by_one(TestSeed(3), "split");
  const std::vector<std::uint64_t> expected = draw(one_by_one, total);
  for (std::size_t first = 0; first <= 140; ++first) {
    for (const std::size_t second : {0u, 1u, 7u, 8u, 63u, 64u, 65u, 200u}) {
      RandomStream stream(TestSeed(3), "split");
      std::vector<std::uint64_t> words(total);
      const std::span<std::uint64_t> all(words);
      stream.fill(all.first(first));
      words[first] = stream.next();
      stream.fill(all.subspan(first + 1, second));
      stream.fill(all.subspan(first + 1 + second));
      ASSERT_EQ(words, expected) << "split at " << first << " and after " << second << " more";
    }
  }
}

TEST(RandomStreamTest, a_label_of_64_characters_is_the_longest) {
  EXPECT_NO_THROW(RandomStream(TestSeed(1), std::string(64, 'x')));
  try {
    RandomStream stream(TestSeed(1), std::string(65, 'x'));
    FAIL() << "65 characters were accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_range);
    EXPECT_STREQ(error.what(), "label length 65 exceeds 64");
  }
}

TEST(RandomStreamTest, public_seed_is_the_next_four_words) {
  RandomStream stream(TestSeed(9), "public");
  RandomStream twin(TestSeed(9), "public");
  const PublicSeed seed = stream.public_seed();
  const std::vector<std::uint64_t> words = draw(twin, 4);
  for (std::size_t i = 0; i < kSeedBytes; ++i) {
    EXPECT_EQ(seed.bytes[i], words[i / 8] >> (8 * (i % 8)) & 0xff);
  }
  EXPECT_EQ(stream.next(), twin.next());
  EXPECT_NE(seed, stream.public_seed());
}

constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

struct Case {
  std::uint64_t bound;
  std::uint64_t mask;
};

TEST(BelowTest, it_takes_the_first_masked_word_below_the_bound) {
  for (const auto& [bound, mask] :
       {Case{1, 0}, Case{2, 1}, Case{3, 3}, Case{4, 3}, Case{5, 7}, Case{1000, 1023},
        Case{kTop, kTop - 1}, Case{kTop + 1, kMax}, Case{kMax, kMax}}) {
    RandomStream stream(TestSeed(bound), "below");
    RandomStream twin(TestSeed(bound), "below");
    for (int i = 0; i < 1000; ++i) {
      std::uint64_t expected = twin.next() & mask;
      while (expected >= bound) {
        expected = twin.next() & mask;
      }
      ASSERT_EQ(stream.below(bound), expected) << "bound " << bound;
    }
    ASSERT_EQ(stream.next(), twin.next()) << "bound " << bound;
  }
}

TEST(BelowTest, small_ranges_are_uniform) {
  RandomStream stream(TestSeed(5), "uniform");
  const int draws = 60000;
  std::array<int, 6> counts{};
  for (int i = 0; i < draws; ++i) {
    ++counts[static_cast<std::size_t>(stream.below(6))];
  }
  // Five standard deviations of a binomial count: 5 * sqrt(60000 * 1/6 * 5/6) = 456.4.
  for (const int count : counts) {
    EXPECT_NEAR(count, draws / 6.0, 457);
  }
}

TEST(BelowTest, bound_zero_is_refused) {
  RandomStream stream(TestSeed(1), "zero");
  try {
    stream.below(0);
    FAIL() << "bound 0 was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_range);
    EXPECT_STREQ(error.what(), "bound 0 is below 1");
  }
}

TEST(SeedTest, random_seeds_differ_and_copies_agree) {
  const Seed one = Seed::random();
  const Seed two = Seed::random();
  Seed copy = two;
  copy = one;
  EXPECT_FALSE(std::equal(one.bytes().begin(), one.bytes().end(), two.bytes().begin()));
  EXPECT_TRUE(std::equal(one.bytes().begin(), one.bytes().end(), copy.bytes().begin()));
}

/// Whether `needle` stands in the raw storage; read through volatile, since the object in it is
/// dead by then.
bool contains(const volatile unsigned char* storage, std::size_t size,
              std::span<const std::uint8_t> needle) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < size; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(storage[i]));
  }
  return std::search(bytes.begin(), bytes.end(), needle.begin(), needle.end()) != bytes.end();
}

TEST(WipeTest, a_dead_seed_leaves_no_bytes) {
  alignas(Seed) unsigned char storage[sizeof(Seed)];
  const Seed original = Seed::random();
  auto* seed = new (storage) Seed(original);
  const auto secret = original.bytes().first(8);
  ASSERT_TRUE(contains(storage, sizeof(storage), secret));
  std::destroy_at(seed);
  EXPECT_FALSE(contains(storage, sizeof(storage), secret));
  EXPECT_FALSE(contains(storage, sizeof(storage), original.bytes().last(8)));
}

TEST(WipeTest, a_dead_stream_leaves_neither_key_nor_words) {
  alignas(RandomStream) unsigned char storage[sizeof(RandomStream)];
  const TestSeed seed(8);
  const auto key = blake2b(seed.bytes(), "heliodorTwipe");
  auto* stream = new (storage) RandomStream(seed, "wipe");
  std::vector<std::uint64_t> words = draw(*stream, 64);
  const auto bytes_of = [&words](std::size_t i) {
    return std::span(reinterpret_cast<const std::uint8_t*>(&words[i]), 8);
  };
  ASSERT_TRUE(contains(storage, sizeof(storage), key));
  ASSERT_TRUE(contains(storage, sizeof(storage), bytes_of(63)));
  std::destroy_at(stream);
  EXPECT_FALSE(contains(storage, sizeof(storage), std::span(key).first(8)));
  EXPECT_FALSE(contains(storage, sizeof(storage), std::span(key).last(8)));
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_FALSE(contains(storage, sizeof(storage), bytes_of(i))) << "word " << i;
  }
}

}  // namespace
}  // namespace heliodor::base
