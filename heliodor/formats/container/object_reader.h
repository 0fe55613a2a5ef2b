// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// ObjectReader: parameters, keys and ciphertexts out of a native container. Opening reads only what
// describes them; a key's limbs are read, checked and unpacked when it is loaded.
//
//   ObjectReader in(Container::open("server.hld"));
//   const rlwe::Parameters parameters = in.parameters();
//   const auto keys = in.galois_keys(parameters, elements);
//
// Every load takes the parameters that the caller works with: Error{mismatch} unless they are
// those of the file (the security asked for aside). Memory for limbs is taken after their section
// was found to have the right length, and is at most what the parameters say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heliodor/formats/container/container.h"
#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/rlwe/keys.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::formats {

enum class ObjectKind : std::uint8_t {
  secret_key,
  public_key,
  relinearization_key,
  galois_key,
  ciphertext,
};

std::string_view to_string(ObjectKind kind) noexcept;  ///< as in files: "secret_key", ..

/// What a file says of one object.
struct ObjectEntry {
  ObjectKind kind;
  rlwe::Gadget gadget{};             ///< evaluation keys
  std::uint64_t galois_element = 0;  ///< Galois keys
  std::size_t parts = 0;             ///< ciphertexts
  std::size_t limb_count = 0;        ///< ciphertexts
  rlwe::Bounds bounds;               ///< ciphertexts: what the writer claims
  std::string metadata;              ///< ciphertexts: a JSON object
  std::size_t limbs_section = 0;     ///< the secret section of a secret key
  std::size_t seed_section = 0;      ///< 0 without a seed

  bool seeded() const noexcept { return seed_section != 0; }
};

/// What the file keeps for the way back to OpenFHE.
struct OpenfheOwner {
  std::string key_tag;
  Bytes context_file;
};

class ObjectReader {
 public:
  /// Throws Error{malformed_file}.
  explicit ObjectReader(Container container);

  /// Throws Error{insecure} unless they reach `security`.
  rlwe::Parameters parameters(rlwe::SecurityLevel security = rlwe::SecurityLevel::bits128) const;

  std::span<const ObjectEntry> entries() const noexcept { return entries_; }
  const Container& container() const noexcept { return container_; }
  /// Text of the notes, in order.
  std::vector<std::string> notes() const;
  std::optional<OpenfheOwner> openfhe_owner() const;

  /// Error{missing_key} if there is none.
  rlwe::SecretKey secret_key(const rlwe::Parameters& parameters) const;
  rlwe::PublicKey public_key(const rlwe::Parameters& parameters) const;
  rlwe::RelinearizationKeys relinearization_keys(const rlwe::Parameters& parameters) const;
  /// All, or those of the elements given: Error{missing_key} if one has none.
  rlwe::GaloisKeys galois_keys(const rlwe::Parameters& parameters) const;
  rlwe::GaloisKeys galois_keys(const rlwe::Parameters& parameters,
                               std::span<const std::uint64_t> elements) const;

  /// The entries that are ciphertexts, in order.
  std::size_t ciphertext_count() const noexcept;
  /// Error{out_of_range} unless index < ciphertext_count().
  const ObjectEntry& ciphertext_entry(std::size_t index) const;
  rlwe::Ciphertext ciphertext(const rlwe::Parameters& parameters, std::size_t index) const;

 private:
  void read_entries();
  ObjectEntry read_entry(std::size_t section) const;
  void find_data(ObjectEntry& entry, std::size_t first) const;
  void check_unique() const;
  void check(const rlwe::Parameters& parameters) const;
  const ObjectEntry& only(ObjectKind kind) const;
  Bytes limbs_of(const ObjectEntry& entry, std::uint64_t expected_bytes) const;
  rlwe::LimbMatrix halves(const ObjectEntry& entry, std::span<const ring::Modulus> moduli,
                          std::size_t pairs, std::optional<base::PublicSeed>& seed) const;
  rlwe::EvaluationKey evaluation_key(const ObjectEntry& entry) const;

  Container container_;
  std::optional<rlwe::Parameters> parameters_;  // with security none
  std::vector<ObjectEntry> entries_;
};

}  // namespace heliodor::formats
