// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// KernelTable: one struct of functions per instruction set. The portable table is complete; another copies it and
// overrides what it does better. Chosen once, listed and forced by HELIODOR_CPU or by name; tests loop over all that the
// CPU supports.
//
// Contract of every kernel: n words per limb, n a power of two, at least 2; inputs canonical for their modulus; results
// canonical; the result may be the same limb as an operand only where said, and may not overlap one otherwise; no
// alignment is required. Constant time in the words. No kernel throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "heliodor/base/random.h"
#include "heliodor/ring/modulus.h"
#include "heliodor/ring/reference.h"
#include "heliodor/targets/cpu/ntt.h"

namespace heliodor::cpu {

/// Expected cycles, for predict(): per word of a limb, or per butterfly.
struct KernelCosts {
  double pointwise;     ///< add, sub, neg, scalars, reduce
  double mul;           ///< mul
  double mac;           ///< each term of dot and dot_scalar
  double mac_finish;    ///< their reduction at the end
  double butterfly;     ///< ntt, intt
  double permute;
  double quotient;      ///< each term
  double uniform;
};

struct KernelTable {
  std::string_view name;
  bool (*supported)() noexcept;

  std::unique_ptr<const Ntt> (*make_ntt)(const ring::Modulus& q);

  // The result may be an operand.
  void (*add)(const ring::Modulus& q, const Word* a, const Word* b, Word* result, std::size_t n) noexcept;
  void (*sub)(const ring::Modulus& q, const Word* a, const Word* b, Word* result, std::size_t n) noexcept;
  void (*neg)(const ring::Modulus& q, const Word* a, Word* result, std::size_t n) noexcept;
  void (*mul)(const ring::Modulus& q, const Word* a, const Word* b, Word* result, std::size_t n) noexcept;
  void (*add_scalar)(const ring::Modulus& q, const Word* a, Word c, Word* result, std::size_t n) noexcept;
  void (*mul_scalar)(const ring::Modulus& q, const Word* a, Word c, Word* result, std::size_t n) noexcept;
  void (*reduce)(const ring::Modulus& source, const ring::Modulus& q, ring::Lift lift, const Word* a, Word* result,
                 std::size_t n) noexcept;

  // The result may be any operand.
  /// sum_k a[k]*b[k], count >= 1.
  void (*dot)(const ring::Modulus& q, const Word* const* a, const Word* const* b, std::size_t count, Word* result,
              std::size_t n) noexcept;
  /// sum_k x[k]*c[k] with the words of every x[k] below `source_bound` <= 2^60 and c[k] < q, count >= 1.
  void (*dot_scalar)(const ring::Modulus& q, Word source_bound, const Word* const* x, const Word* c, std::size_t count,
                     Word* result, std::size_t n) noexcept;
  /// ring::reference::quotient; sources[k] is the modulus of x[k].
  void (*quotient)(const ring::Modulus* const* sources, const Word* const* x, std::size_t count, ring::Rounding rounding,
                   Word* result, std::size_t n) noexcept;

  // The result may not be an operand.
  /// result[i] = a[sources[i]].
  void (*permute_eval)(const std::uint32_t* sources, const Word* a, Word* result, std::size_t n) noexcept;
  void (*permute_coeff)(const ring::Modulus& q, std::uint64_t galois_element, const Word* a, Word* result,
                        std::size_t n) noexcept;

  void (*uniform)(const ring::Modulus& q, const base::PublicSeed& seed, std::uint64_t stream, Word* result,
                  std::size_t n) noexcept;

  KernelCosts costs;
};

/// The tables that this CPU supports, slowest first; the portable one is always there.
std::span<const KernelTable* const> supported_kernel_tables();

/// The table that HELIODOR_CPU names, or the fastest supported one. Throws Error{unavailable} if the variable names a
/// table that does not exist or that this CPU does not support; the message lists those it does.
const KernelTable& chosen_kernel_table();

/// The supported table of that name; Error{unavailable} as above.
const KernelTable& kernel_table(std::string_view name);

}  // namespace heliodor::cpu
