// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/seal/internal/blake2xb.h"

#include <blake2.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace heliodor::formats::seal {
namespace {

using Digest = std::array<std::uint8_t, BLAKE2B_OUTBYTES>;

/// One BLAKE2b of a keyed or unkeyed node. The parameter block is libb2's, whose 64-bit node_offset
/// holds BLAKE2X's 32-bit node offset and, above it, the length of the whole output.
Digest node(blake2b_param parameters, Bytes key, Bytes input) {
  blake2b_state state;
  blake2b_init_param(&state, &parameters);
  if (!key.empty()) {
    std::array<std::uint8_t, BLAKE2B_BLOCKBYTES> block{};
    std::ranges::copy(key, block.begin());
    blake2b_update(&state, block.data(), block.size());
  }
  blake2b_update(&state, input.data(), input.size());
  Digest digest;
  blake2b_final(&state, digest.data(), parameters.digest_length);
  return digest;
}

/// SEAL's random bytes as words.
class Generator {
 public:
  explicit Generator(const Seed& seed) : seed_(seed) {}

  std::uint64_t next() {
    if (position_ == block_.size()) refill();
    return block_[position_++];
  }

 private:
  void refill() {
    std::array<std::uint8_t, sizeof block_> bytes;
    std::array<std::uint8_t, sizeof counter_> message;
    std::memcpy(message.data(), &counter_, sizeof counter_);
    blake2xb(message, seed_, bytes);
    std::memcpy(block_.data(), bytes.data(), bytes.size());
    ++counter_;
    position_ = 0;
  }

  const Seed& seed_;
  std::uint64_t counter_ = 0;
  std::array<std::uint64_t, 512> block_;
  std::size_t position_ = block_.size();
};

}  // namespace

void blake2xb(Bytes message, Bytes key, std::span<std::uint8_t> out) {
  const std::uint64_t length = std::uint64_t{out.size()} << 32;
  blake2b_param root{};
  root.digest_length = BLAKE2B_OUTBYTES;
  root.key_length = static_cast<std::uint8_t>(key.size());
  root.fanout = 1;
  root.depth = 1;
  root.node_offset = length;
  const Digest head = node(root, key, message);
  blake2b_param leaf{};
  leaf.leaf_length = BLAKE2B_OUTBYTES;
  leaf.inner_length = BLAKE2B_OUTBYTES;
  for (std::size_t at = 0, i = 0; at < out.size(); at += BLAKE2B_OUTBYTES, ++i) {
    const std::size_t size = std::min<std::size_t>(BLAKE2B_OUTBYTES, out.size() - at);
    leaf.digest_length = static_cast<std::uint8_t>(size);
    leaf.node_offset = length | i;
    std::memcpy(out.data() + at, node(leaf, {}, head).data(), size);
  }
}

void expand_seed(const Seed& seed, std::span<const std::uint64_t> moduli, std::size_t degree,
                 std::span<std::uint64_t> out) {
  Generator generator(seed);
  for (std::uint64_t& word : out) word = generator.next();
  for (std::size_t i = 0; i < moduli.size(); ++i) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t bound = kMax - kMax % moduli[i] - 1;
    for (std::uint64_t& word : out.subspan(i * degree, degree)) {
      while (word >= bound) word = generator.next();
      word %= moduli[i];
    }
  }
}

}  // namespace heliodor::formats::seal
