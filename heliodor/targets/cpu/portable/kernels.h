// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The complete kernel table in standard C++: the fallback of every other one. Scalar 64x64->128-bit
// arithmetic. Other tables call single kernels of it for what they do not cover.
#pragma once

#include "heliodor/targets/cpu/kernel_table.h"

namespace heliodor::cpu::portable {

const KernelTable& kernel_table();

// pointwise.cpp
void add(const KernelModulus& q, const Word* a, const Word* b, Word* result,
         std::size_t n) noexcept;
void sub(const KernelModulus& q, const Word* a, const Word* b, Word* result,
         std::size_t n) noexcept;
void neg(const KernelModulus& q, const Word* a, Word* result, std::size_t n) noexcept;
void mul(const KernelModulus& q, const Word* a, const Word* b, Word* result,
         std::size_t n) noexcept;
void add_scalar(const KernelModulus& q, const Word* a, Word c, Word* result,
                std::size_t n) noexcept;
void mul_scalar(const KernelModulus& q, const Word* a, const KernelScalar& c, Word* result,
                std::size_t n) noexcept;
void sub_mul_scalar(const KernelModulus& q, const Word* a, const Word* b, const KernelScalar& c,
                    Word* result, std::size_t n) noexcept;

// dot.cpp
void dot(const KernelModulus& q, Range range, const Word* const* a, std::size_t count,
         const DotTarget<Word>* targets, std::size_t target_count, std::size_t n) noexcept;
void dot_scalar(Word source_bound, const Word* const* x, std::size_t count,
                const DotScalarTarget* targets, std::size_t target_count, std::size_t n) noexcept;

// convert.cpp
void quotient(const KernelModulus* const* sources, const Word* const* x, std::size_t count,
              ring::Rounding rounding, Word* result, std::size_t n) noexcept;
void reduce(const KernelModulus& source, const KernelModulus& q, ring::Lift lift, const Word* a,
            Word* result, std::size_t n) noexcept;

// permute.cpp
void permute_eval(const std::uint32_t* sources, const Word* a, Word* result,
                  std::size_t n) noexcept;
void permute_coeff(const KernelModulus& q, std::uint64_t galois_element, const Word* a,
                   Word* result, std::size_t n) noexcept;

// uniform.cpp
void uniform(const KernelModulus& q, const base::PublicSeed& seed, std::uint64_t stream,
             Word* result, std::size_t n) noexcept;

// ntt.cpp
std::unique_ptr<const Ntt> make_ntt(const ring::Modulus& q);

}  // namespace heliodor::cpu::portable
