// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that work word by word are timed on tiles, as plans call them, walking through enough of
// them to leave the L1 cache but not the L2 cache. Costs per term and per output come from a short
// and a long sum.
#include "heliodor/targets/cpu/calibration.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "heliodor/base/limb_arena.h"
#include "heliodor/program/builder.h"
#include "heliodor/ring/primes.h"
#include "heliodor/targets/cpu/cpu_plan.h"
#include "heliodor/targets/cpu/stopwatch.h"
#include "heliodor/targets/cpu/wait_rates.h"

namespace heliodor::cpu {
namespace {

using ring::Modulus;

constexpr std::size_t kTile = Schedule::kTileWords;
constexpr std::size_t kTiles = 48;  // 384 KiB
constexpr std::size_t kShortSum = KernelRates::kFewTerms, kLongSum = KernelRates::kManyTerms;
constexpr unsigned kMaxLogDegree = KernelRates::kLogDegrees.back();
constexpr std::size_t kMaxDegree = std::size_t{1} << kMaxLogDegree;
constexpr int kFewRepetitions = 3, kRepetitions = 9;
constexpr double kEnoughNs = 2e6;     // of one measurement
constexpr double kPlannedNs = 1.5e9;  // of all; then everything is measured just once

class Calibration {
 public:
  explicit Calibration(const KernelTable& kernels)
      : kernels_(kernels), start_(std::chrono::steady_clock::now()), tiles_(kTiles, kTile) {
    fill_for_timing(tiles_);
  }

  KernelRates measure() {
    // Results of a smaller class are canonical for the next.
    for (std::size_t c = 0; c < rates_.classes.size(); ++c) {
      const unsigned bits = KernelRates::kClassBits[c];
      measure_class(Modulus(ring::generate_primes(bits, kTile, 1)[0], kTile), rates_.classes[c]);
      measure_transforms(bits, rates_.classes[c]);
    }
    measure_others();
    measure_plan();
    measure_waits(kernels_, rates_.waits);
    return rates_;
  }

 private:
  // The fastest of up to kRepetitions, but beyond a few of no more than take kEnoughNs.
  template <typename Work>
  double time(Work work) const {
    const double limit = elapsed_ns(start_) > kPlannedNs ? 0 : kEnoughNs;
    const auto begin = std::chrono::steady_clock::now();
    double fastest = fastest_ns(1, work);
    for (int i = 1; i < kRepetitions && (i < kFewRepetitions || elapsed_ns(begin) < limit); ++i)
      fastest = std::min(fastest, fastest_ns(1, work));
    return fastest;
  }

  // ns per word of call(k), which works on one tile, walking through k = 0, `step`, ..
  template <typename Call>
  double per_word(std::size_t step, Call call) const {
    const std::size_t calls = kTiles / step;
    return time([&] {
             for (std::size_t k = 0; k < calls; ++k) call(k * step);
           }) /
           static_cast<double>(calls * kTile);
  }

  Word* tile(std::size_t k) { return tiles_.limb(k % kTiles).data(); }

  std::vector<const Word*> tiles_from(std::size_t first, std::size_t count) {
    std::vector<const Word*> pointers;
    for (std::size_t i = 0; i < count; ++i) pointers.push_back(tile(first + i));
    return pointers;
  }

  void measure_class(const Modulus& modulus, KernelRates::SizeClass& rates) {
    const KernelModulus q(modulus);
    const KernelScalar c(q, q.value() / 3);
    rates.add = per_word(
        3, [&](std::size_t k) { kernels_.add(q, tile(k), tile(k + 1), tile(k + 2), kTile); });
    rates.mul = per_word(
        3, [&](std::size_t k) { kernels_.mul(q, tile(k), tile(k + 1), tile(k + 2), kTile); });
    rates.mul_scalar =
        per_word(2, [&](std::size_t k) { kernels_.mul_scalar(q, tile(k), c, tile(k + 1), kTile); });
    rates.reduce = per_word(2, [&](std::size_t k) {
      kernels_.reduce(q, q, ring::Lift::centred, tile(k), tile(k + 1), kTile);
    });
    for (std::size_t t = 1; t <= KernelTable::kMaxDotTargets; ++t) {
      split(time_dot(q, kShortSum, t), time_dot(q, kLongSum, t), rates.dot_term[t - 1],
            rates.dot_output[t - 1]);
    }
    for (std::size_t t = 1; t <= KernelTable::kMaxTargets; ++t) {
      split(time_conversion(q, kShortSum, t), time_conversion(q, kLongSum, t),
            rates.conversion_term[t - 1], rates.conversion_output[t - 1]);
    }
  }

  static void split(double short_sum, double long_sum, double& term, double& output) {
    term = std::max(long_sum - short_sum, 0.0) / (kLongSum - kShortSum);
    output = std::max(short_sum - kShortSum * term, 0.0);
  }

  double time_dot(const KernelModulus& q, std::size_t terms, std::size_t target_count) {
    const std::vector<const Word*> all = tiles_from(0, 2 * kTiles);
    const std::size_t limbs = (target_count + 1) * terms;
    return per_word(limbs + target_count, [&](std::size_t k) {
      DotTarget<Word> targets[KernelTable::kMaxDotTargets];
      for (std::size_t t = 0; t < target_count; ++t)
        targets[t] = {&all[k + (t + 1) * terms], nullptr, tile(k + limbs + t)};
      kernels_.dot(q, Range::canonical, &all[k], terms, targets, target_count, kTile);
    });
  }

  double time_conversion(const KernelModulus& q, std::size_t terms, std::size_t target_count) {
    const std::vector<const Word*> all = tiles_from(0, 2 * kTiles);
    const KernelFactors factors(q, std::vector<Word>(terms, q.value() / 5));
    return per_word(terms + target_count, [&](std::size_t k) {
      DotScalarTarget targets[KernelTable::kMaxTargets];
      for (std::size_t t = 0; t < target_count; ++t)
        targets[t] = {&q, &factors, tile(k + terms + t)};
      kernels_.dot_scalar(q.value(), &all[k], terms, targets, target_count, kTile);
    });
  }

  void measure_transforms(unsigned bits, KernelRates::SizeClass& rates) {
    base::LimbArena limbs(2, kMaxDegree);
    fill_for_timing(limbs);
    const Word q = ring::generate_primes(bits, kMaxDegree, 1)[0];
    const Word* const in = limbs.limb(0).data();
    Word* const out = limbs.limb(1).data();
    for (std::size_t d = 0; d < KernelRates::kLogDegrees.size(); ++d) {
      const unsigned log_degree = KernelRates::kLogDegrees[d];
      const auto ntt = kernels_.make_ntt(Modulus(q, std::uint64_t{1} << log_degree));
      // Short ones many times over, to be long against the clock's own cost.
      const std::size_t calls = std::max<std::size_t>(1, std::size_t{4096} >> log_degree);
      const auto butterfly = [&](auto transform) {
        const double ns = time([&] {
          for (std::size_t i = 0; i < calls; ++i) transform();
        });
        return ns / static_cast<double>(calls * (std::size_t{1} << (log_degree - 1)) * log_degree);
      };
      rates.transform[0][d] = butterfly([&] { ntt->forward(in, out, Range::canonical); });
      rates.transform[1][d] = butterfly([&] { ntt->forward(in, out, Range::lazy); });
      rates.transform[2][d] = butterfly([&] { ntt->inverse(in, out); });
    }
  }

  void measure_others() {
    const KernelModulus q(Modulus(ring::generate_primes(46, kTile, 1)[0], kTile));
    const std::vector<const KernelModulus*> sources(kLongSum, &q);
    const std::vector<const Word*> all = tiles_from(0, 2 * kTiles);
    rates_.quotient_term =
        per_word(kLongSum + 1,
                 [&](std::size_t k) {
                   kernels_.quotient(sources.data(), &all[k], kLongSum, ring::Rounding::floor,
                                     tile(k + kLongSum), kTile);
                 }) /
        kLongSum;
    std::vector<std::uint32_t> order(kTile);
    for (std::size_t i = 0; i < kTile; ++i) order[i] = static_cast<std::uint32_t>(i * 5 % kTile);
    rates_.permute_eval = per_word(2, [&](std::size_t k) {
      kernels_.permute_eval(order.data(), tile(k), tile(k + 1), kTile);
    });
    rates_.permute_coeff = per_word(
        2, [&](std::size_t k) { kernels_.permute_coeff(q, 5, tile(k), tile(k + 1), kTile); });
    const base::PublicSeed seed{};
    rates_.uniform =
        per_word(8, [&](std::size_t k) { kernels_.uniform(q, seed, k, tile(k), kTile); });
  }

  // A plan of many calls on few words, against one of a single call.
  void measure_plan() {
    constexpr std::size_t kCalls = 64;
    const double one = time_plan(1), many = time_plan(1 + kCalls);
    rates_.call = std::max(many - one, 0.0) / kCalls;
    rates_.run = std::max(one - rates_.call, 0.0);
  }

  double time_plan(std::size_t calls) const {
    constexpr std::uint64_t kDegree = 8;
    program::Builder b({Modulus(ring::generate_primes(46, kDegree, 1)[0], kDegree)});
    program::ValueId x = b.operand("x", 0, ring::Domain::coeff);
    for (std::size_t i = 0; i < calls; ++i) x = b.neg(x);
    b.output("y", x);
    NttCache transforms(kernels_);
    const CpuPlan plan(std::make_shared<program::LimbProgram>(b.build()), kernels_, Fusions{},
                       transforms, std::make_shared<base::ThreadPool>(1));
    base::LimbArena limbs(2, kDegree);
    const program::Binding binding{{limbs.limb(0)}, {limbs.limb(1)}};
    constexpr int kRuns = 20;
    return time([&] {
             for (int i = 0; i < kRuns; ++i) plan.run(std::span(&binding, 1));
           }) /
           kRuns;
  }

  const KernelTable& kernels_;
  std::chrono::steady_clock::time_point start_;
  base::LimbArena tiles_;
  KernelRates rates_{};
};

}  // namespace

KernelRates calibrate(const KernelTable& kernels) { return Calibration(kernels).measure(); }

}  // namespace heliodor::cpu
