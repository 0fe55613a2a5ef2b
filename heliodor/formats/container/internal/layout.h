// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What writer and reader of objects share: which moduli an object has, where its limbs lie, how a
// seed is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/base/random.h"
#include "heliodor/formats/byte_reader.h"
#include "heliodor/formats/container/packing.h"
#include "heliodor/ring/modulus.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::formats {

inline constexpr const char* kSecretKeyType = "secret_key";
inline constexpr const char* kPublicKeyType = "public_key";
inline constexpr const char* kRelinearizationKeyType = "relinearization_key";
inline constexpr const char* kGaloisKeyType = "galois_key";
inline constexpr const char* kCiphertextType = "ciphertext";

/// Of a ciphertext's parts.
inline constexpr std::size_t kMaxParts = 16;
/// Of a coefficient c in {-1, 0, 1}, written as c + 1.
inline constexpr unsigned kTernaryBits = 2;
/// Seed sections: u32 algorithm, u32 0, 32 bytes.
inline constexpr std::uint32_t kUniformChaCha20 = 1;
inline constexpr std::size_t kSeedSectionBytes = 8 + base::kSeedBytes;
inline constexpr std::uint64_t kDigitStream = std::uint64_t{1} << 32;

/// The moduli of an evaluation key, in the order of its limbs.
inline std::vector<ring::Modulus> key_moduli(const rlwe::Parameters& parameters,
                                             const rlwe::Gadget& gadget) {
  const auto q = parameters.q().moduli().first(gadget.max_limb_count);
  const auto p = parameters.p().first(gadget.special_count);
  std::vector<ring::Modulus> moduli(q.begin(), q.end());
  moduli.insert(moduli.end(), p.begin(), p.end());
  return moduli;
}

/// Bytes of one part. At most 2^31 for kMaxModuli moduli of Q and as many of P.
inline std::uint64_t part_bytes(std::span<const ring::Modulus> moduli) {
  std::uint64_t bytes = 0;
  for (const ring::Modulus& q : moduli) bytes += packed_bytes(q.degree(), q.bits());
  return bytes;
}

}  // namespace heliodor::formats
