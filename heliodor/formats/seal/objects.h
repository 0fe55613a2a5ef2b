// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What SEAL 3.4 to 4 writes, as plain structs. Words are not copied: they lie in the bytes that
// were parsed.
//
// A namespace of its own, as the names of the objects are those of every FHE library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "heliodor/base/wipe.h"
#include "heliodor/formats/byte_reader.h"

namespace heliodor::formats::seal {

/// As in files.
enum class Scheme : std::uint8_t { bfv = 1, ckks = 2, bgv = 3 };

std::string_view to_string(Scheme scheme) noexcept;

struct Parameters {
  Scheme scheme;
  std::uint64_t degree;
  std::vector<std::uint64_t> moduli;  ///< the last is the special prime, if there are two or more
  std::uint64_t plain_modulus;        ///< 0 for CKKS
};

/// BLAKE2b of the parameters that an object belongs to.
using ParametersId = std::array<std::uint64_t, 4>;

/// A plaintext, or a secret key in evaluations modulo all primes, prime by prime.
struct Plaintext {
  ParametersId parameters_id;
  double scale;
  WordView values;
};

inline constexpr std::size_t kSeedBytes = 64;
using Seed = std::array<std::uint8_t, kSeedBytes>;

struct Ciphertext {
  ParametersId parameters_id;
  bool is_ntt;  ///< evaluations, not coefficients
  std::size_t parts;
  std::size_t degree;
  std::size_t limb_count;
  double scale;
  std::uint64_t correction_factor;  ///< BGV: the message is multiplied by it modulo t
  WordView values;                  ///< part by part, then prime by prime
  std::optional<Seed> seed;         ///< BLAKE2xb: expands to part 1, which `values` then lacks
};

/// Relinearization keys (entry k: the key of s^(k+2)) or Galois keys (entry (g-1)/2: the key of
/// g). A key has one two-part ciphertext for each prime but the last, modulo all primes.
struct KSwitchKeys {
  ParametersId parameters_id;
  std::vector<std::vector<Ciphertext>> keys;
};

using Object = std::variant<Parameters, Plaintext, Ciphertext, KSwitchKeys>;

struct File {
  unsigned version_major;
  unsigned version_minor;
  Object object;
  /// The body of a compressed file, which `object` views: it may be a secret key.
  base::SecretVector<std::uint8_t> inflated;
};

}  // namespace heliodor::formats::seal
