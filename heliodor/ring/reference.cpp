// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Written to be read, not to be fast: % on 128-bit integers, one word at a time. The transform
// evaluates f(x) = even(x^2) + x * odd(x^2) at all odd powers of psi in natural order, then sorts
// the values by bit reversal; the inverse undoes the same steps in reverse.

#include "heliodor/ring/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "heliodor/base/check.h"
#include "heliodor/base/error.h"
#include "heliodor/ring/automorphism.h"

namespace heliodor::ring::reference {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t kHalf = std::uint64_t{1} << (kQuotientBits - 1);

void check_size(const char* what, std::size_t size, std::size_t expected) {
  if (size != expected) {
    throw Error(ErrorCode::mismatch, fmt::format("{} has size {}, not {}", what, size, expected));
  }
}

void check_limb(const char* what, const Modulus& q, In words) {
  check_size(what, words.size(), q.degree());
  HELIODOR_CHECK_RANGE(what, words, q.value());
}

void check_limbs(const char* what, std::span<const Modulus> moduli, std::span<const In> limbs,
                 std::size_t degree) {
  check_size(what, limbs.size(), moduli.size());
  for (std::size_t k = 0; k < limbs.size(); ++k) {
    check_size(what, limbs[k].size(), degree);
    HELIODOR_CHECK_RANGE(what, limbs[k], moduli[k].value());
  }
}

void check_not_empty(const char* what, std::size_t size) {
  if (size == 0) throw Error(ErrorCode::out_of_range, fmt::format("{} has size 0, below 1", what));
}

std::uint64_t remainder(Uint128 z, const Modulus& q) {
  return static_cast<std::uint64_t>(z % q.value());
}

std::uint64_t product(std::uint64_t a, std::uint64_t b, const Modulus& q) {
  return remainder(Uint128{a} * b, q);
}

std::uint64_t inverse(std::uint64_t a, const Modulus& q) {
  std::uint64_t result = 1;
  for (std::uint64_t exponent = q.value() - 2; exponent != 0; exponent >>= 1) {
    if (exponent % 2 == 1) result = product(result, a, q);
    a = product(a, a, q);
  }
  return result;
}

/// f(root), f(root^3), f(root^5) .. f(root^(2n-1)), where f has n coefficients and root has order
/// 2n modulo q.
Words values_at_odd_powers(const Modulus& q, std::uint64_t root, const Words& f) {
  const std::size_t n = f.size();
  if (n == 1) return f;
  Words even(n / 2);
  Words odd(n / 2);
  for (std::size_t i = 0; i < n / 2; ++i) {
    even[i] = f[2 * i];
    odd[i] = f[2 * i + 1];
  }
  const std::uint64_t square = product(root, root, q);
  even = values_at_odd_powers(q, square, even);
  odd = values_at_odd_powers(q, square, odd);

  Words values(n);
  std::uint64_t x = root;
  for (std::size_t k = 0; k < n;
       ++k) {  // x = root^(2k+1), so x^2 = square^(2k+1), where square^n = 1
    values[k] = remainder(even[k % (n / 2)] + Uint128{x} * odd[k % (n / 2)], q);
    x = product(x, square, q);
  }
  return values;
}

/// The f of which values_at_odd_powers makes `values`, given 1/2 and 1/root: f(x) and f(-x) give
/// even(x^2) and odd(x^2).
Words coefficients_from_odd_powers(const Modulus& q, std::uint64_t half, std::uint64_t inverse_root,
                                   const Words& values) {
  const std::size_t n = values.size();
  if (n == 1) return values;
  const std::uint64_t inverse_square = product(inverse_root, inverse_root, q);
  Words even(n / 2);
  Words odd(n / 2);
  std::uint64_t inverse_x = inverse_root;
  for (std::size_t k = 0; k < n / 2; ++k) {  // x = root^(2k+1), -x = root^(2(k+n/2)+1)
    const std::uint64_t at_x = values[k];
    const std::uint64_t at_minus_x = values[k + n / 2];
    even[k] = product(at_x + at_minus_x, half, q);
    odd[k] = product(product(at_x + q.value() - at_minus_x, half, q), inverse_x, q);
    inverse_x = product(inverse_x, inverse_square, q);
  }
  even = coefficients_from_odd_powers(q, half, inverse_square, even);
  odd = coefficients_from_odd_powers(q, half, inverse_square, odd);

  Words f(n);
  for (std::size_t i = 0; i < n / 2; ++i) {
    f[2 * i] = even[i];
    f[2 * i + 1] = odd[i];
  }
  return f;
}

std::size_t slot_of_odd_power(std::size_t k, std::size_t n) {
  return bit_reverse(static_cast<std::uint32_t>(k), static_cast<unsigned>(std::countr_zero(n)));
}

}  // namespace

void add(const Modulus& q, In a, In b, Out result) {
  check_limb("a", q, a);
  check_limb("b", q, b);
  check_size("result", result.size(), q.degree());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = (a[i] + b[i]) % q.value();
}

void sub(const Modulus& q, In a, In b, Out result) {
  check_limb("a", q, a);
  check_limb("b", q, b);
  check_size("result", result.size(), q.degree());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = (a[i] + (q.value() - b[i])) % q.value();
  }
}

void neg(const Modulus& q, In a, Out result) {
  check_limb("a", q, a);
  check_size("result", result.size(), q.degree());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = (q.value() - a[i]) % q.value();
}

void mul(const Modulus& q, In a, In b, Out result) {
  check_limb("a", q, a);
  check_limb("b", q, b);
  check_size("result", result.size(), q.degree());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = product(a[i], b[i], q);
}

void add_scalar(const Modulus& q, In a, std::uint64_t c, Out result) {
  check_limb("a", q, a);
  HELIODOR_CHECK_RANGE("c", (std::array{c}), q.value());
  check_size("result", result.size(), q.degree());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = (a[i] + c) % q.value();
}

void mul_scalar(const Modulus& q, In a, std::uint64_t c, Out result) {
  check_limb("a", q, a);
  HELIODOR_CHECK_RANGE("c", (std::array{c}), q.value());
  check_size("result", result.size(), q.degree());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = product(a[i], c, q);
}

void dot(const Modulus& q, std::span<const In> a, std::span<const In> b, Out result) {
  check_not_empty("a", a.size());
  const std::vector<Modulus> same(a.size(), q);
  check_limbs("a", same, a, q.degree());
  check_limbs("b", same, b, q.degree());
  check_size("result", result.size(), q.degree());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      result[i] = remainder(result[i] + Uint128{a[k][i]} * b[k][i], q);
    }
  }
}

void dot_scalar(const Modulus& q, std::span<const Modulus> sources, std::span<const In> x,
                std::span<const std::uint64_t> c, Out result) {
  check_not_empty("x", x.size());
  check_limbs("x", sources, x, q.degree());
  check_size("c", c.size(), x.size());
  HELIODOR_CHECK_RANGE("c", c, q.value());
  check_size("result", result.size(), q.degree());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      result[i] = remainder(result[i] + Uint128{x[k][i]} * c[k], q);
    }
  }
}

void quotient(std::span<const Modulus> sources, std::span<const In> x, Rounding rounding,
              Out result) {
  const std::size_t count = sources.size();
  if (count < 1 || count > kMaxQuotientSources) {
    throw Error(ErrorCode::out_of_range, fmt::format("quotient of {} sources is not in [1, {}]",
                                                     count, kMaxQuotientSources));
  }
  check_limbs("x", sources, x, sources[0].degree());
  check_size("result", result.size(), sources[0].degree());

  const std::uint64_t offset = rounding == Rounding::floor ? 2 * count : count + kHalf;
  std::fill(result.begin(), result.end(), offset);
  for (std::size_t k = 0; k < count; ++k) {
    const unsigned bits = sources[k].bits();
    const Uint128 reciprocal = (Uint128{1} << (bits + kQuotientBits)) / sources[k].value();
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] += static_cast<std::uint64_t>(x[k][i] * reciprocal >> bits);
    }
  }
  for (std::uint64_t& word : result) word >>= kQuotientBits;
}

void reduce(const Modulus& source, const Modulus& q, Lift lift, In x, Out result) {
  check_size("x", x.size(), q.degree());
  HELIODOR_CHECK_RANGE("x", x, source.value());
  check_size("result", result.size(), q.degree());
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (lift == Lift::centred && x[i] > source.value() / 2) {
      const std::uint64_t magnitude = source.value() - x[i];
      result[i] = (q.value() - magnitude % q.value()) % q.value();
    } else {
      result[i] = x[i] % q.value();
    }
  }
}

void ntt(const Modulus& q, In coefficients, Out evaluations) {
  check_limb("coefficients", q, coefficients);
  check_size("evaluations", evaluations.size(), q.degree());
  const Words f(coefficients.begin(), coefficients.end());
  const Words values = values_at_odd_powers(q, q.psi(), f);
  for (std::size_t k = 0; k < values.size(); ++k) {
    evaluations[slot_of_odd_power(k, values.size())] = values[k];
  }
}

void intt(const Modulus& q, In evaluations, Out coefficients) {
  check_limb("evaluations", q, evaluations);
  check_size("coefficients", coefficients.size(), q.degree());
  Words values(q.degree());
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = evaluations[slot_of_odd_power(k, values.size())];
  }
  const Words f = coefficients_from_odd_powers(q, inverse(2, q), inverse(q.psi(), q), values);
  std::ranges::copy(f, coefficients.begin());
}

void permute(const Modulus& q, std::uint64_t g, Domain domain, In a, Out result) {
  check_limb("a", q, a);
  check_size("result", result.size(), q.degree());
  if (domain == Domain::eval) {
    const auto sources = automorphism_eval_sources(g, q.degree());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = a[sources[i]];
  } else {
    const auto sources = automorphism_coeff_sources(g, q.degree());
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto [index, negate] = sources[i];
      result[i] = negate ? (q.value() - a[index]) % q.value() : a[index];
    }
  }
}

void uniform(const Modulus& q, const base::PublicSeed& seed, std::uint64_t stream, Out result) {
  check_size("result", result.size(), q.degree());
  const std::uint64_t mask = (std::uint64_t{1} << q.bits()) - 1;
  std::array<std::uint64_t, 8> block{};  // 64 bytes
  std::size_t filled = 0;
  for (std::uint64_t number = 0; filled < result.size(); ++number) {
    base::chacha20_words(seed, stream, number, block);
    for (const std::uint64_t word : block) {
      if ((word & mask) < q.value() && filled < result.size()) result[filled++] = word & mask;
    }
  }
}

}  // namespace heliodor::ring::reference
