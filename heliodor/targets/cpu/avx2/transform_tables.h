// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the passes and twiddle factors of an AVX2 transform.
#pragma once

#include <memory>

#include "heliodor/ring/modulus.h"
#include "heliodor/targets/cpu/ntt.h"

namespace heliodor::cpu::avx2 {

/// Largest size of moduli for the transforms in double precision. Larger ones take 64-bit words.
inline constexpr unsigned kMaxRealBits = 50;
/// Smallest degree: one strided pass of radix 4 over registers of four lanes.
inline constexpr std::uint64_t kMinNttDegree = 16;

/// Requires q.degree() >= kMinNttDegree. Costs about 6*degree multiplications and divisions.
std::unique_ptr<const Ntt> make_vector_ntt(const ring::Modulus& q);

}  // namespace heliodor::cpu::avx2
