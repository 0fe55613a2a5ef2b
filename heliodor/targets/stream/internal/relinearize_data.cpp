// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
#include "heliodor/targets/stream/internal/relinearize_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "heliodor/ring/primes.h"
#include "heliodor/ring/reference.h"

namespace heliodor::stream::internal {
namespace {

namespace reference = ring::reference;

using Limb = RelinearizeData::Limb;

/// Primes with q = 1 mod 2N, in turn from the lowest upwards and from the highest downwards.
std::vector<ring::Modulus> both_ends(std::uint64_t degree, std::size_t count) {
  std::vector<ring::Modulus> moduli;
  const auto high = ring::generate_primes(kModulusBits, degree, count);
  std::uint64_t low = (std::uint64_t{1} << (kModulusBits - 1)) + 1;
  for (std::size_t i = 0; i < count; ++i, low += 2 * degree) {
    while (!ring::is_prime(low)) low += 2 * degree;
    moduli.emplace_back(i % 2 == 0 ? low : high[i], degree);
  }
  return moduli;
}

}  // namespace

RelinearizeData::RelinearizeData(const RelinearizeShape& shape, std::uint64_t seed)
    : shape_(shape), random_(seed), moduli_(both_ends(shape.degree(), shape.limbs)) {
  std::ranges::shuffle(moduli_, random_);
  for (std::size_t i = 0; i < shape.limbs; ++i) {
    key_b_.emplace_back();
    key_a_.emplace_back();
    for (std::size_t j = 0; j < shape.limbs; ++j) {
      key_b_.back().push_back(draw(i));
      key_a_.back().push_back(draw(i));
    }
  }
  for (std::size_t ciphertext = 0; ciphertext < shape.batch; ++ciphertext) {
    auto& limbs = parts_.emplace_back();
    for (std::size_t i = 0; i < shape.limbs; ++i) {
      limbs.push_back({draw(i), draw(i), draw(i), draw(i)});
    }
  }
  // c2 is a1 where b1 is 1.
  for (std::size_t i = 0; i < shape.limbs; ++i) {
    const std::uint64_t q = moduli_[i].value();
    const std::uint64_t edges[] = {q / 2, q / 2 + 1, 0, 1, q - 1};
    Limb c2(shape.degree());
    for (std::size_t k = 0; k < c2.size(); ++k) c2[k] = edges[(k + i) % std::size(edges)];
    reference::ntt(moduli_[i], c2, parts_[0][i][1]);
    std::ranges::fill(parts_[0][i][3], 1);
  }
}

Limb RelinearizeData::draw(std::size_t limb) {
  const std::uint64_t q = moduli_[limb].value();
  Limb words(shape_.degree());
  for (std::uint64_t& word : words) {
    const std::uint64_t kind = random_() % 16;
    word = kind == 0 ? q - 1 : kind == 1 ? random_() % 2 : random_() % q;
  }
  return words;
}

std::vector<RelinearizeProfile> RelinearizeData::profiles() const {
  std::vector<RelinearizeProfile> profiles;
  for (const ring::Modulus& q : moduli_) {
    profiles.push_back(make_relinearize_profile(q.value(), q.psi()));
  }
  return profiles;
}

RelinearizeInputs RelinearizeData::inputs() const {
  RelinearizeInputs inputs;
  for (const auto& limbs : parts_) {
    auto& views = inputs.parts.emplace_back();
    for (const auto& parts : limbs) views.push_back({parts[0], parts[1], parts[2], parts[3]});
  }
  for (std::size_t i = 0; i < shape_.limbs; ++i) {
    inputs.key_b.emplace_back(key_b_[i].begin(), key_b_[i].end());
    inputs.key_a.emplace_back(key_a_[i].begin(), key_a_[i].end());
  }
  return inputs;
}

std::vector<std::vector<std::uint64_t>> RelinearizeData::frames() const {
  std::vector<std::vector<std::uint64_t>> frames = {pack_relinearize_profiles(shape_, profiles())};
  for (std::uint32_t group = 0; group < shape_.groups(); ++group) {
    frames.push_back(pack_group_frame(shape_, inputs(), group));
  }
  return frames;
}

RelinearizeData::Components RelinearizeData::expected_limb(std::size_t ciphertext,
                                                           std::size_t limb) const {
  const ring::Modulus& q = moduli_[limb];
  const auto& own = parts_[ciphertext][limb];
  std::vector<Limb> digits;
  for (std::size_t j = 0; j < shape_.limbs; ++j) {
    const auto& parts = parts_[ciphertext][j];
    Limb c2(shape_.degree()), coefficients(shape_.degree()), lifted(shape_.degree());
    reference::mul(moduli_[j], parts[1], parts[3], c2);
    if (j != limb) {
      reference::intt(moduli_[j], c2, coefficients);
      reference::reduce(moduli_[j], q, ring::Lift::centred, coefficients, lifted);
      reference::ntt(q, lifted, c2);
    }
    digits.push_back(std::move(c2));
  }
  Components result;
  for (std::size_t component = 0; component < 2; ++component) {
    std::vector<reference::In> left(digits.begin(), digits.end());
    const auto& keys = component == 0 ? key_b_[limb] : key_a_[limb];
    std::vector<reference::In> right(keys.begin(), keys.end());
    left.emplace_back(own[0]);
    right.emplace_back(own[component == 0 ? 2 : 3]);
    if (component == 1) {
      left.emplace_back(own[1]);
      right.emplace_back(own[2]);
    }
    result[component].resize(shape_.degree());
    reference::dot(q, left, right, result[component]);
  }
  return result;
}

std::vector<std::uint64_t> RelinearizeData::expected() const {
  std::vector<std::uint64_t> words;
  for (std::uint32_t group = 0; group < shape_.groups(); ++group) {
    for (std::size_t limb = 0; limb < shape_.limbs; ++limb) {
      std::vector<Components> results;
      for (std::size_t slot = 0; slot < shape_.group_size(group); ++slot) {
        results.push_back(expected_limb(kGroupSize * group + slot, limb));
      }
      for (std::size_t k = 0; k < shape_.degree(); ++k) {
        for (const Components& result : results) words.push_back(result[1][k] << 32 | result[0][k]);
      }
    }
  }
  return words;
}

std::string first_difference(const RelinearizeShape& shape, const StreamWords& expected,
                             const StreamWords& actual) {
  const std::size_t both = std::min(expected.size(), actual.size());
  const std::size_t of_group = std::size_t{kGroupSize} * shape.limbs * shape.degree();
  for (std::size_t at = 0; at < both; ++at) {
    if (expected[at] == actual[at]) continue;
    const std::size_t group = at / of_group;
    const std::size_t size = shape.group_size(static_cast<std::uint32_t>(group));
    const std::size_t rest = at % of_group;
    return fmt::format(
        "ciphertext {}, limb {}, coefficient {}: {:x} instead of {:x}, end mark {} instead of {}",
        kGroupSize * group + rest % size, rest / size / shape.degree(),
        rest / size % shape.degree(), actual[at].data, expected[at].data, actual[at].last,
        expected[at].last);
  }
  if (expected.size() == actual.size()) return "";
  return fmt::format("{} words instead of {}", actual.size(), expected.size());
}

}  // namespace heliodor::stream::internal
