// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// SEAL's files to native containers.
#pragma once

#include <cstdint>

#include "heliodor/base/wipe.h"
#include "heliodor/formats/seal/objects.h"

namespace heliodor::formats::seal {

/// A container with the parameters and what else the file holds: parameters, a secret key, a
/// ciphertext, or the key of s^2. Objects other than parameters do not say what they belong to:
/// `parameters` must be given, else Error{mismatch}. Throws as convert.h.
base::SecretVector<std::uint8_t> to_container(const File& file,
                                              const Parameters* parameters = nullptr);

}  // namespace heliodor::formats::seal
