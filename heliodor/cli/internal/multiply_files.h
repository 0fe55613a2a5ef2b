// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// `heliodor run evalmult --in .. --key .. --out ..`: products of the ciphertexts of files,
// relinearized on any target.
#pragma once

#include <string>
#include <vector>

#include "heliodor/cli/internal/commands.h"
#include "heliodor/program/target.h"
#include "heliodor/rlwe/security.h"

namespace heliodor::cli {

struct MultiplyFilesOptions {
  /// Containers or OpenFHE files, in pairs: ciphertext i of the first times i of the second, and so
  /// on.
  std::vector<std::string> in;
  std::string key;  ///< container or OpenFHE file with the relinearization key
  std::string out;  ///< container to write; none if empty
  rlwe::SecurityLevel security = rlwe::SecurityLevel::bits128;
  bool json = false;
};

/// Multiplies on `target` and compares with `verifier` unless it is null: context.result is
/// wrong_result if limbs differ or a simulated machine stops. Throws Error{insecure} for files
/// below options.security, Error{mismatch} for an odd number of files, different numbers of
/// ciphertexts, limb counts, schemes or plaintext moduli, Error{unsupported} for unknown schemes,
/// Error{noise_overflow} where the bounds of files do not allow a product, and what readers throw.
void multiply_files(const MultiplyFilesOptions& options, const program::Target& target,
                    const program::Target* verifier, Context& context);

}  // namespace heliodor::cli
