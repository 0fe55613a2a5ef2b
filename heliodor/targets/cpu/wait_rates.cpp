// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/wait_rates.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <vector>

#include "heliodor/ring/primes.h"
#include "heliodor/targets/cpu/schedule.h"
#include "heliodor/targets/cpu/stopwatch.h"

namespace heliodor::cpu {
namespace {

using ring::Modulus;

constexpr std::size_t kTile = Schedule::kTileWords;
constexpr unsigned kWaitBits = 46;
constexpr std::size_t kMinWaitSamples = 24, kMaxWaitSamples = 256;

class WaitMeasurement {
 public:
  WaitMeasurement(const KernelTable& kernels, decltype(KernelRates::waits)& waits)
      : kernels_(kernels), waits_(waits) {}

  void measure() {
    constexpr std::size_t kLargest = std::size_t{1} << KernelRates::kLogDistances.back();
    base::LimbArena words(1, kLargest / sizeof(Word));
    fill_for_timing(words);
    const KernelModulus q(Modulus(ring::generate_primes(kWaitBits, kTile, 1)[0], kTile));
    for (std::size_t d = 0; d < KernelRates::kLogDistances.size(); ++d) {
      const std::span<Word> part =
          words.limb(0).first((std::size_t{1} << KernelRates::kLogDistances[d]) / sizeof(Word));
      wait(AccessPattern::transform, d) = wait_of_transforms(part);
      wait(AccessPattern::pointwise, d) =
          wait_of_tiles<3>(part, [&](auto x) { kernels_.mul(q, x[0], x[1], x[2], kTile); });
      wait(AccessPattern::dot_few, d) = wait_of_dots<KernelRates::kFewTerms>(part, q);
      wait(AccessPattern::dot_many, d) = wait_of_dots<KernelRates::kManyTerms>(part, q);
      wait(AccessPattern::conversion_few, d) = wait_of_conversions<KernelRates::kFewTerms>(part, q);
      wait(AccessPattern::conversion_many, d) =
          wait_of_conversions<KernelRates::kManyTerms>(part, q);
    }
    // Further away is never nearer.
    for (auto& of_pattern : waits_)
      std::partial_sum(of_pattern.begin(), of_pattern.end(), of_pattern.begin(),
                       [](double a, double b) { return std::max(a, b); });
  }

 private:
  double& wait(AccessPattern pattern, std::size_t distance) {
    return waits_[static_cast<std::size_t>(pattern)][distance];
  }

  // ns per byte of call(x) on tiles of kWidth limbs that fill `words`, in turn, beyond those of the
  // same call on the same tiles again.
  template <std::size_t kWidth, typename Call>
  double wait_of_tiles(std::span<Word> words, Call call) const {
    constexpr std::size_t kPad = base::LimbArena::kStaggerBytes / sizeof(Word);
    const std::size_t tiles = (words.size() / kWidth - kPad) / kTile;
    const double ns = wait_ns(words, tiles, [&](std::size_t i) {
      std::array<Word*, kWidth> x;
      for (std::size_t k = 0; k < kWidth; ++k)
        x[k] = &words[k * (tiles * kTile + kPad) + i * kTile];
      call(x);
    });
    return ns / (kWidth * kTile * sizeof(Word));
  }

  template <std::size_t kTerms>
  double wait_of_dots(std::span<Word> words, const KernelModulus& q) const {
    return wait_of_tiles<2 * kTerms + 1>(words, [&](auto x) {
      const DotTarget<Word> target{x.data() + kTerms, nullptr, x.back()};
      kernels_.dot(q, Range::canonical, x.data(), kTerms, &target, 1, kTile);
    });
  }

  template <std::size_t kTerms>
  double wait_of_conversions(std::span<Word> words, const KernelModulus& q) const {
    constexpr std::size_t kTargets = KernelTable::kMaxTargets;
    const KernelFactors factors(q, std::vector<Word>(kTerms, q.value() / 5));
    return wait_of_tiles<kTerms + kTargets>(words, [&](auto x) {
      DotScalarTarget targets[kTargets];
      for (std::size_t t = 0; t < kTargets; ++t) targets[t] = {&q, &factors, x[kTerms + t]};
      kernels_.dot_scalar(q.value(), x.data(), kTerms, targets, kTargets, kTile);
    });
  }

  // The same of transforms in place, small enough for tables and words to be in the L2 cache
  // together.
  double wait_of_transforms(std::span<Word> words) const {
    constexpr std::size_t kPiece = std::size_t{1} << 14;
    const auto ntt =
        kernels_.make_ntt(Modulus(ring::generate_primes(kWaitBits, kPiece, 1)[0], kPiece));
    const double ns = wait_ns(words, words.size() / kPiece, [&](std::size_t i) {
      ntt->forward(&words[i * kPiece], &words[i * kPiece]);
    });
    return ns / (kPiece * sizeof(Word));
  }

  // ns of a work(i), whose words lie as far back as `words` is long, less those of work(0)
  // repeated. Lower quartiles, as a short piece is either disturbed or not.
  template <typename Work>
  double wait_ns(std::span<Word> words, std::size_t count, Work work) const {
    std::vector<double> far, near;
    const KernelModulus q(Modulus(ring::generate_primes(kWaitBits, kTile, 1)[0], kTile));
    kernels_.neg(q, words.data(), words.data(), words.size());
    const std::size_t timed = std::min(count, kMaxWaitSamples);
    do {
      for (std::size_t i = 0; i < timed; ++i) far.push_back(fastest_ns(1, [&] { work(i); }));
    } while (far.size() < kMinWaitSamples);
    for (std::size_t i = 0; i < far.size(); ++i) near.push_back(fastest_ns(1, [&] { work(0); }));
    return std::max(lower_quartile(far) - lower_quartile(near), 0.0);
  }

  static double lower_quartile(std::vector<double>& numbers) {
    const auto quarter = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 4);
    std::ranges::nth_element(numbers, quarter);
    return *quarter;
  }

  const KernelTable& kernels_;
  decltype(KernelRates::waits)& waits_;
};

}  // namespace

void measure_waits(const KernelTable& kernels, decltype(KernelRates::waits)& waits) {
  WaitMeasurement(kernels, waits).measure();
}

void fill_for_timing(base::LimbArena& arena) {
  Word state = 1;
  for (std::size_t i = 0; i < arena.limb_count(); ++i) {
    for (Word& word : arena.limb(i)) {
      state = state * 6364136223846793005U + 1442695040888963407U;  // Knuth's MMIX
      word = state >> 36;
    }
  }
}

}  // namespace heliodor::cpu
