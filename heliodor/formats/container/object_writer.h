// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// ObjectWriter: parameters, keys and ciphertexts into a native container.
//
//   ObjectWriter out(parameters);
//   out.add(public_key);
//   out.add(galois_keys);
//   write_file("server.hld", out.finish());
//
// Keys that know the seed of their uniform half are written without that half.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "heliodor/base/random.h"
#include "heliodor/base/wipe.h"
#include "heliodor/formats/container/container.h"
#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/rlwe/keys.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::formats {

class ObjectWriter {
 public:
  explicit ObjectWriter(rlwe::Parameters parameters);

  // All throw Error{mismatch} for what does not belong to the parameters.
  void add(const rlwe::SecretKey& key);
  void add(const rlwe::PublicKey& key);
  void add(const rlwe::RelinearizationKeys& keys);
  void add(const rlwe::GaloisKeys& keys);
  /// `metadata`: a JSON object of the caller's (scheme, scale, plaintext factor ..), read back as
  /// the same JSON. Throws Error{malformed_file} if it is none.
  void add(const rlwe::Ciphertext& ciphertext, std::string_view metadata = "{}");

  /// Says in the file that its keys come from a reproducible seed: readers refuse it unless told
  /// not to.
  void mark(const base::TestSeed& seed);
  void add_note(std::string_view text);
  /// What OpenFHE's objects begin with: the tag of their key pair and a context file.
  void add_openfhe_owner(std::string_view key_tag, Bytes context_file);

  base::SecretVector<std::uint8_t> finish() const { return container_.finish(); }

 private:
  void add(const rlwe::EvaluationKey& key, std::string_view type, std::uint64_t galois_element);

  rlwe::Parameters parameters_;
  ContainerWriter container_;
};

}  // namespace heliodor::formats
