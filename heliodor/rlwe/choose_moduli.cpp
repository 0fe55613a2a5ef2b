// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Key switching adds an error of about (product of a digit / P) * tau * e, so P is as large as the
// largest digit and no larger. Few special primes allow small digits only, but at low limb counts
// most of the work is in the limbs of P.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "heliodor/base/error.h"
#include "heliodor/ring/primes.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::rlwe {
namespace {

constexpr unsigned kSpecialBits = 47;  // the fastest transforms take every prime of this size

void check(const ModuliRequest& request) {
  if (request.q_bits.empty()) throw Error(ErrorCode::out_of_range, "0 limbs are below 1");
  if (request.digit_count == 0) throw Error(ErrorCode::out_of_range, "digit_count 0 is below 1");
  if (request.error_scale == 0) throw Error(ErrorCode::out_of_range, "error_scale 0 is below 1");
  for (const unsigned bits : request.q_bits) {
    if (bits < 20 || bits > 60) {
      throw Error(ErrorCode::out_of_range, fmt::format("{} bits are not in [20, 60]", bits));
    }
  }
}

/// log2 of the largest product of a digit.
double largest_digit(std::span<const ring::Modulus> q, std::size_t digit_size) {
  double largest = 0;
  for (std::size_t first = 0; first < q.size(); first += digit_size) {
    largest =
        std::max(largest, log2_product(q.subspan(first, std::min(digit_size, q.size() - first))));
  }
  return largest;
}

/// Moduli of the given sizes, the largest primes first, none a factor of error_scale.
std::vector<ring::Modulus> moduli_of(std::span<const unsigned> sizes,
                                     const ModuliRequest& request) {
  std::map<unsigned, std::size_t> counts;
  for (const unsigned bits : sizes) ++counts[bits];
  std::map<unsigned, std::vector<std::uint64_t>> primes;
  for (const auto& [bits, count] : counts) {
    std::vector<std::uint64_t> excluded;
    auto found = ring::generate_primes(bits, request.degree, count, {}, request.factor);
    const auto divides = [&](std::uint64_t q) { return request.error_scale % q == 0; };
    while (std::ranges::any_of(found, divides)) {
      std::ranges::copy_if(found, std::back_inserter(excluded), divides);
      found = ring::generate_primes(bits, request.degree, count, excluded, request.factor);
    }
    std::ranges::reverse(found);  // the largest at the back
    primes[bits] = std::move(found);
  }
  std::vector<ring::Modulus> result;
  for (const unsigned bits : sizes) {
    result.emplace_back(primes[bits].back(), request.degree);
    primes[bits].pop_back();
  }
  return result;
}

/// Fills q and p with `count` special primes of `bits` bits; whether they cover every digit.
bool try_special(const ModuliRequest& request, std::size_t digit_size, std::size_t count,
                 unsigned bits, Parameters::Description& result) {
  // P before Q: of primes of one size it takes the larger ones.
  std::vector<unsigned> sizes(count, bits);
  sizes.insert(sizes.end(), request.q_bits.begin(), request.q_bits.end());
  const auto moduli = moduli_of(sizes, request);
  const auto border = moduli.begin() + static_cast<std::ptrdiff_t>(count);
  result.p.assign(moduli.begin(), border);
  result.q.assign(border, moduli.end());
  return log2_product(result.p) >= largest_digit(result.q, digit_size);
}

/// NTTs and inverse NTTs of a hybrid switch of l limbs: those of the digits, of P in both parts,
/// and of both results.
std::size_t transforms(const Gadget& gadget, std::size_t l) {
  return gadget.digit_count(l) * (l + gadget.special_count) + 2 * gadget.special_count + 2 * l;
}

/// Digits as large as `special_count` primes of P cover, used where that is the cheapest so far.
std::optional<Gadget> smaller_gadget(const Parameters::Description& description,
                                     std::size_t special_count) {
  const double covered = log2_product(std::span(description.p).first(special_count));
  std::size_t digit_size = description.gadgets.front().digit_size;
  while (digit_size > 0 && largest_digit(description.q, digit_size) > covered) --digit_size;
  if (digit_size == 0) return std::nullopt;
  Gadget gadget{digit_size, special_count, 0};
  for (std::size_t l = description.q.size(); l > 0; --l) {
    const bool cheapest = std::ranges::all_of(description.gadgets, [&](const Gadget& larger) {
      return l > larger.max_limb_count || transforms(gadget, l) < transforms(larger, l);
    });
    if (!cheapest) continue;
    gadget.max_limb_count = l;
    return gadget;
  }
  return std::nullopt;
}

}  // namespace

Parameters::Description choose_moduli(const ModuliRequest& request) {
  check(request);
  const std::size_t limbs = request.q_bits.size();
  const std::size_t digits = std::min(request.digit_count, limbs);
  const std::size_t digit_size = (limbs + digits - 1) / digits;

  unsigned digit_bits = 0;
  for (std::size_t first = 0; first < limbs; first += digit_size) {
    unsigned sum = 0;
    for (std::size_t i = first; i < std::min(first + digit_size, limbs); ++i) {
      sum += request.q_bits[i];
    }
    digit_bits = std::max(digit_bits, sum);
  }

  Parameters::Description result;
  result.error_scale = request.error_scale;
  std::size_t count = (digit_bits + kSpecialBits - 1) / kSpecialBits;
  auto bits = static_cast<unsigned>((digit_bits + count - 1) / count);
  // Primes stay a little below their power of two: rarely, the last bit is missing.
  while (!try_special(request, digit_size, count, bits, result)) {
    if (bits == kSpecialBits) {
      ++count;
      bits = static_cast<unsigned>((digit_bits + count - 1) / count);
    } else {
      ++bits;
    }
  }
  result.gadgets.push_back({digit_size, count, limbs});
  for (const std::size_t share : {2U, 4U}) {
    const std::size_t special_count = (count + share - 1) / share;
    if (special_count >= result.gadgets.back().special_count) continue;
    if (const auto gadget = smaller_gadget(result, special_count)) {
      result.gadgets.push_back(*gadget);
    }
  }
  return result;
}

}  // namespace heliodor::rlwe
