// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// KernelTable: one struct of functions per instruction set. The portable table is complete; another
// copies it and overrides what it does better. Chosen once, listed and forced by HELIODOR_CPU or by
// name; tests loop over all that the CPU supports.
//
// Contract of every kernel: n words per limb, any n >= 1 unless said; inputs canonical for their
// modulus; results canonical; the result may be the same span as an operand only where said, and
// may not overlap one otherwise; no alignment is required. Pointwise kernels may be called on any
// part of a limb. Constant time in the words. No kernel throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "heliodor/base/random.h"
#include "heliodor/ring/modulus.h"
#include "heliodor/ring/reference.h"
#include "heliodor/targets/cpu/dot_target.h"
#include "heliodor/targets/cpu/kernel_modulus.h"
#include "heliodor/targets/cpu/ntt.h"
#include "heliodor/targets/cpu/rate_loops.h"

namespace heliodor::cpu {

/// One of the sums that a call of dot_scalar makes from the same sources.
struct DotScalarTarget {
  const KernelModulus* q;
  const KernelFactors* factors;  ///< one per source, modulo q
  Word* result;
};

struct KernelTable {
  std::string_view name;
  bool (*supported)() noexcept;

  std::unique_ptr<const Ntt> (*make_ntt)(const ring::Modulus& q);

  // The result may be an operand.
  void (*add)(const KernelModulus& q, const Word* a, const Word* b, Word* result,
              std::size_t n) noexcept;
  void (*sub)(const KernelModulus& q, const Word* a, const Word* b, Word* result,
              std::size_t n) noexcept;
  void (*neg)(const KernelModulus& q, const Word* a, Word* result, std::size_t n) noexcept;
  void (*mul)(const KernelModulus& q, const Word* a, const Word* b, Word* result,
              std::size_t n) noexcept;
  void (*add_scalar)(const KernelModulus& q, const Word* a, Word c, Word* result,
                     std::size_t n) noexcept;
  void (*mul_scalar)(const KernelModulus& q, const Word* a, const KernelScalar& c, Word* result,
                     std::size_t n) noexcept;
  /// (a - b)*c.
  void (*sub_mul_scalar)(const KernelModulus& q, const Word* a, const Word* b,
                         const KernelScalar& c, Word* result, std::size_t n) noexcept;
  void (*reduce)(const KernelModulus& source, const KernelModulus& q, ring::Lift lift,
                 const Word* a, Word* result, std::size_t n) noexcept;

  // A result may be any operand, unless said otherwise.
  /// For each target, its addend + sum_k a[k]*b[k], count >= 1, 1 <= target_count <=
  /// kMaxDotTargets. `range` is that of the words of a; all others are canonical. Lazy words come
  /// from this table's transforms of the same modulus. The results of two targets may overlap
  /// nothing but each its own addend.
  void (*dot)(const KernelModulus& q, Range range, const Word* const* a, std::size_t count,
              const DotTarget<Word>* targets, std::size_t target_count, std::size_t n) noexcept;
  /// The same for a modulus of at most 32 bits with b in 32-bit words; n is a multiple of 8. Null
  /// where a table has no use for it.
  void (*dot_packed)(const KernelModulus& q, Range range, const Word* const* a, std::size_t count,
                     const DotTarget<std::uint32_t>* targets, std::size_t target_count,
                     std::size_t n) noexcept;
  /// For each target, sum_k x[k]*c[k] mod its q, c being its factors, with the words of every x[k]
  /// below `source_bound` <= 2^60; count >= 1, 1 <= target_count <= kMaxTargets. A target's result
  /// may be any operand, but no two targets' results may overlap.
  void (*dot_scalar)(Word source_bound, const Word* const* x, std::size_t count,
                     const DotScalarTarget* targets, std::size_t target_count,
                     std::size_t n) noexcept;
  /// ring::reference::quotient; sources[k] is the modulus of x[k].
  void (*quotient)(const KernelModulus* const* sources, const Word* const* x, std::size_t count,
                   ring::Rounding rounding, Word* result, std::size_t n) noexcept;

  // The result may not be an operand; n is the degree.
  /// result[i] = a[sources[i]], the sources being those of an automorphism
  /// (ring::automorphism_eval_sources).
  void (*permute_eval)(const std::uint32_t* sources, const Word* a, Word* result,
                       std::size_t n) noexcept;
  void (*permute_coeff)(const KernelModulus& q, std::uint64_t galois_element, const Word* a,
                        Word* result, std::size_t n) noexcept;

  void (*uniform)(const KernelModulus& q, const base::PublicSeed& seed, std::uint64_t stream,
                  Word* result, std::size_t n) noexcept;

  const RateLoops* rate_loops;

  /// Sums that dot_scalar makes at once; more targets share the loads of the sources.
  static constexpr std::size_t kMaxTargets = 4;
  /// The same of dot.
  static constexpr std::size_t kMaxDotTargets = 2;
};

/// The tables that this CPU supports, slowest first; the portable one is always there.
std::span<const KernelTable* const> supported_kernel_tables();

/// The table that HELIODOR_CPU names, or the fastest supported one. Throws Error{unavailable} if
/// the variable names a table that does not exist or that this CPU does not support; the message
/// lists those it does.
const KernelTable& chosen_kernel_table();

/// The supported table of that name; Error{unavailable} as above.
const KernelTable& kernel_table(std::string_view name);

}  // namespace heliodor::cpu
