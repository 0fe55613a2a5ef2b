// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/internal/session_data.h"

#include <fmt/format.h>

#include <algorithm>

namespace heliodor::stream::internal {
namespace {

constexpr std::uint32_t kLowestModulus = (1U << (kModulusBits - 1)) + 1;
constexpr std::uint32_t kHighestModulus = (1U << kModulusBits) - 1;

std::uint32_t lane_of(std::uint64_t word, std::size_t lane) {
  return static_cast<std::uint32_t>(word >> (32 * lane));
}

/// Any modulus, prime or not, the ends of the range among them.
std::uint32_t draw_modulus(std::mt19937_64& random) {
  switch (random() % 6) {
    case 0:
      return kLowestModulus + static_cast<std::uint32_t>(random() % 4);
    case 1:
      return kHighestModulus - static_cast<std::uint32_t>(random() % 4);
    default:
      return kLowestModulus +
             static_cast<std::uint32_t>(random() % (kHighestModulus - kLowestModulus + 1));
  }
}

std::vector<std::uint64_t> draw_limb(std::uint32_t degree, std::uint32_t q,
                                     std::mt19937_64& random) {
  std::vector<std::uint64_t> limb(degree);
  for (std::uint64_t& word : limb) {
    const std::uint64_t kind = random() % 16;
    word = kind == 0 ? q - 1 : kind == 1 ? random() % 2 : random() % q;
  }
  return limb;
}

PairInputs views(const std::array<UnpackedLane, kLanes>& lanes) {
  PairInputs inputs;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (const auto& parts : lanes[lane].parts) {
      inputs[lane].parts.push_back({parts[0], parts[1], parts[2], parts[3]});
    }
    for (const auto& slots : lanes[lane].digits) {
      inputs[lane].digits.emplace_back(slots.begin(), slots.end());
    }
    inputs[lane].key_b.assign(lanes[lane].key_b.begin(), lanes[lane].key_b.end());
    inputs[lane].key_a.assign(lanes[lane].key_a.begin(), lanes[lane].key_a.end());
  }
  return inputs;
}

}  // namespace

SessionData::SessionData(const SessionShape& shape, std::uint64_t seed) : shape_(shape) {
  std::mt19937_64 random(seed);
  for (std::uint32_t pair = 0; pair < shape.pairs; ++pair) {
    const Profile& profile =
        profiles_.emplace_back(make_profile(draw_modulus(random), draw_modulus(random)));
    auto& lanes = pairs_.emplace_back();
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const auto limb = [&] { return draw_limb(shape.degree, profile.q[lane], random); };
      for (std::uint32_t slot = 0; slot < shape.batch; ++slot) {
        lanes[lane].parts.push_back({limb(), limb(), limb(), limb()});
      }
      for (std::uint32_t digit = 0; digit < shape.digits; ++digit) {
        auto& slots = lanes[lane].digits.emplace_back();
        for (std::uint32_t slot = 0; slot < shape.batch; ++slot) slots.push_back(limb());
        lanes[lane].key_b.push_back(limb());
        lanes[lane].key_a.push_back(limb());
      }
    }
  }
}

std::vector<std::uint64_t> SessionData::pair_frame(std::uint32_t pair) const {
  return pack_pair_frame(shape_, pair, views(pairs_[pair]));
}

std::vector<std::vector<std::uint64_t>> SessionData::frames() const {
  std::vector<std::vector<std::uint64_t>> result = {profile_frame()};
  for (std::uint32_t pair = 0; pair < shape_.pairs; ++pair) result.push_back(pair_frame(pair));
  return result;
}

std::uint32_t SessionData::expected_lane(std::uint32_t pair, std::uint32_t coefficient,
                                         std::uint32_t slot, std::size_t component,
                                         std::size_t lane) const {
  const UnpackedLane& data = pairs_[pair][lane];
  const std::uint64_t q = profiles_[pair].q[lane];
  const std::uint32_t i = coefficient;
  const auto part = [&](std::size_t index) { return data.parts[slot][index][i]; };
  const auto& keys = component == 0 ? data.key_b : data.key_a;
  std::uint64_t sum =
      component == 0 ? part(0) * part(2) % q : (part(0) * part(3) % q + part(1) * part(2) % q) % q;
  for (std::uint32_t j = 0; j < shape_.digits; ++j) {
    sum = (sum + data.digits[j][slot][i] * keys[j][i] % q) % q;
  }
  return static_cast<std::uint32_t>(sum);
}

std::vector<std::uint64_t> SessionData::expected() const {
  std::vector<std::uint64_t> words;
  words.reserve(shape_.result_words());
  for (std::uint32_t pair = 0; pair < shape_.pairs; ++pair) {
    for (std::uint32_t i = 0; i < shape_.degree; ++i) {
      for (std::uint32_t slot = 0; slot < shape_.batch; ++slot) {
        for (std::size_t component = 0; component < 2; ++component) {
          words.push_back(pack_word(expected_lane(pair, i, slot, component, 1),
                                    expected_lane(pair, i, slot, component, 0)));
        }
      }
    }
  }
  return words;
}

StreamWords to_stream(const std::vector<std::vector<std::uint64_t>>& frames) {
  StreamWords words;
  for (const auto& frame : frames) {
    for (const std::uint64_t word : frame) words.push_back({word, false});
    words.back().last = true;
  }
  return words;
}

StreamWords to_results(const std::vector<std::uint64_t>& words) { return to_stream({words}); }

std::string first_difference(const SessionShape& shape, const StreamWords& expected,
                             const StreamWords& actual) {
  const std::size_t both = std::min(expected.size(), actual.size());
  for (std::size_t k = 0; k < both; ++k) {
    if (expected[k] == actual[k]) continue;
    const std::size_t slot = k / 2 % shape.batch;
    const std::size_t coefficient = k / 2 / shape.batch % shape.degree;
    const std::size_t pair = k / shape.result_words_per_pair();
    const std::string where =
        fmt::format("pair {}, coefficient {}, slot {}, c{}", pair, coefficient, slot, k % 2);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t want = lane_of(expected[k].data, lane);
      const std::uint32_t have = lane_of(actual[k].data, lane);
      if (want != have)
        return fmt::format("{}, lane {}: {} instead of {}", where, lane, have, want);
    }
    return fmt::format("{}: end mark {} instead of {}", where, actual[k].last, expected[k].last);
  }
  if (expected.size() == actual.size()) return "";
  return fmt::format("{} words instead of {}", actual.size(), expected.size());
}

}  // namespace heliodor::stream::internal
