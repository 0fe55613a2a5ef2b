// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the passes, range plan and twiddle factors of an AVX-512 transform.
#pragma once

#include <memory>

#include "heliodor/ring/modulus.h"
#include "heliodor/targets/cpu/ntt.h"

namespace heliodor::cpu::avx512 {

/// Largest size of moduli for the 52-bit transforms: Harvey's forward values reach 4q <= 2^52.
/// Larger ones take 64-bit words.
inline constexpr unsigned kMaxBits52 = 50;
/// Smallest degree: one strided pass of radix 8 over registers of eight lanes.
inline constexpr std::uint64_t kMinNttDegree = 64;

/// Requires q.degree() >= kMinNttDegree. Costs about 6*degree multiplications and divisions.
std::unique_ptr<const Ntt> make_vector_ntt(const ring::Modulus& q);

}  // namespace heliodor::cpu::avx512
