// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/agree/trial.h"

#include <algorithm>

#include "tests/agree/draw.h"

namespace heliodor::agree {
namespace {

// FNV-1a over the name, started from the numbers.
std::uint64_t stream_of(std::uint64_t seed, std::string_view name, std::uint64_t run) {
  std::uint64_t hash = 14695981039346656037ULL ^ (seed * 0x9e3779b97f4a7c15ULL) ^ (run << 32);
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

}  // namespace

std::string_view to_string(Fill fill) noexcept {
  switch (fill) {
    case Fill::random:
      return "random";
    case Fill::maximal:
      return "maximal";
    case Fill::zero:
      return "zero";
    case Fill::one_hot:
      return "one_hot";
    case Fill::edges:
      return "edges";
  }
  return "unknown";
}

std::string to_string(const Trial& trial) {
  return std::string(to_string(trial.fill)) + " data, batch " + std::to_string(trial.batch) +
         ", seed " + std::to_string(trial.seed);
}

void TrialSource::fill(const program::Input& input, const ring::Modulus& q, std::size_t run,
                       std::span<std::uint64_t> words) {
  Draw draw(stream_of(trial_.seed, input.name, run));
  const std::uint64_t top = q.value() - 1;
  switch (trial_.fill) {
    case Fill::random:
      for (std::uint64_t& word : words) word = draw.below(q.value());
      break;
    case Fill::maximal:
      std::ranges::fill(words, top);
      break;
    case Fill::zero:
      std::ranges::fill(words, 0);
      break;
    case Fill::one_hot:
      std::ranges::fill(words, 0);
      words[draw.below(words.size())] = draw.one_in(2) ? 1 : top;
      break;
    case Fill::edges: {
      const std::uint64_t choices[] = {0, 1, top / 2, top / 2 + 1, top};
      for (std::uint64_t& word : words) word = draw.of(std::span<const std::uint64_t>(choices));
      break;
    }
  }
}

base::PublicSeed TrialSource::seed(const program::Input& input) {
  Draw draw(stream_of(trial_.seed, input.name, 0));
  base::PublicSeed seed;
  for (std::uint8_t& byte : seed.bytes) byte = static_cast<std::uint8_t>(draw.below(256));
  return seed;
}

}  // namespace heliodor::agree
