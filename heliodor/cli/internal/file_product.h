// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the schemes mean by the product of two ciphertexts of files: the program, what may come of
// its noise, and what a file says of the result. BGV and CKKS multiply phases, BFV rounds t*x*y/Q.
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "heliodor/program/limb_program.h"
#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/rlwe/keyswitch/key_switch.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::cli {

/// A ciphertext and its metadata as docs/reference/formats.md says them.
struct Factor {
  rlwe::Ciphertext ciphertext;
  nlohmann::ordered_json metadata;
};

/// Metadata that does not have the form of its scheme's throws nlohmann::json::exception.
class FileProduct {
 public:
  virtual ~FileProduct() = default;

  /// Relinearized, of two parts, at limb_count limbs.
  virtual program::LimbProgram program(const rlwe::KeySwitchShape& shape,
                                       std::size_t limb_count) const = 0;

  /// Of a product that is switched with a key of this gadget. Files of other libraries claim no
  /// bounds: theirs are infinite, and nothing is known. Throws Error{noise_overflow} where known
  /// ones do not allow the product.
  virtual rlwe::Bounds bounds(const rlwe::Gadget& gadget, const Factor& a,
                              const Factor& b) const = 0;

  /// Scale and plaintext factor multiply; OpenFHE's counters go as it counts them.
  virtual nlohmann::ordered_json metadata(const nlohmann::ordered_json& a,
                                          const nlohmann::ordered_json& b) const = 0;
};

/// Of ciphertexts with metadata like these. Keeps a reference to the parameters. Throws
/// Error{unsupported} for a scheme that is none of bgv, bfv and ckks.
std::unique_ptr<const FileProduct> make_file_product(const rlwe::Parameters& parameters,
                                                     const nlohmann::ordered_json& metadata);

}  // namespace heliodor::cli
