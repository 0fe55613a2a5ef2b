// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/peak_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

#include "heliodor/targets/cpu/stopwatch.h"

namespace heliodor::cpu {
namespace {

constexpr std::size_t kRounds = 500;
constexpr int kRepetitions = 5;
// Some virtual machines show one guest all of their host's.
constexpr std::size_t kMaxL2 = std::size_t{8} << 20, kMaxL3 = std::size_t{64} << 20;

double ns_per_operation(void (*loop)(std::size_t) noexcept) {
  const double ns = fastest_ns(kRepetitions, [&] { loop(kRounds); });
  return ns / (kRounds * RateLoops::kOperationsPerRound);
}

// What Linux says of a cache of the first CPU: "1024K". Nothing on other systems.
std::optional<std::size_t> cache_size(int level) {
  for (int index = 0; index < 8; ++index) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    int level_here = 0;
    std::size_t kibibytes = 0;
    char unit = 0;
    if (!(std::ifstream(folder + "level") >> level_here) || level_here != level) continue;
    if (std::ifstream(folder + "size") >> kibibytes >> unit && unit == 'K' && kibibytes > 0)
      return kibibytes << 10;
  }
  return std::nullopt;
}

}  // namespace

const CacheSizes& cache_sizes() {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  static const CacheSizes sizes = {std::min(cache_size(2).value_or(kMiB), kMaxL2),
                                   std::min(cache_size(3).value_or(8 * kMiB), kMaxL3)};
  return sizes;
}

OperationRates measure_operation_rates(const KernelTable& kernels) {
  return {ns_per_operation(kernels.rate_loops->multiply),
          ns_per_operation(kernels.rate_loops->add)};
}

ReadRateMeter::ReadRateMeter(const KernelTable& kernels)
    : kernels_(kernels), words_(1, 4 * cache_sizes().l3 / sizeof(Word)) {
  std::ranges::fill(words_.limb(0), 1);  // pages that were never written are all the same one
}

ReadRates ReadRateMeter::measure() const {
  const CacheSizes caches = cache_sizes();
  const std::size_t all = words_.words() * sizeof(Word);
  return {ns_per_byte(caches.l2 / 2, 8), ns_per_byte(std::min(4 * caches.l2, caches.l3 / 4), 3),
          ns_per_byte(all, 1)};
}

double ReadRateMeter::ns_per_byte(std::size_t bytes, std::size_t passes) const {
  const std::size_t words = bytes / sizeof(Word) / 64 * 64;
  const Word* const first = words_.limb(0).data();
  std::uint64_t sink = kernels_.rate_loops->read(first, words);
  const double ns = fastest_ns(static_cast<int>(passes), [&] {
    sink |= kernels_.rate_loops->read(first, words);
    keep(sink);
  });
  return ns / static_cast<double>(words * sizeof(Word));
}

}  // namespace heliodor::cpu
