// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Readers of files that may be hostile, for the corpus test and the fuzzer: parse, and turn all
// that is there into our objects. Error{malformed_file} is the only way out other than success.
#pragma once

#include "heliodor/formats/byte_reader.h"

namespace heliodor::vectors {

/// Throws std::logic_error if what was parsed is not written again with the same bytes.
void read_openfhe(formats::Bytes bytes);

/// Objects other than parameters are converted under parameters of degree 4 (tiny_seal_parameters).
void read_seal(formats::Bytes bytes);

void read_native(formats::Bytes bytes);

/// Whichever the bytes begin like.
void read_any(formats::Bytes bytes);

}  // namespace heliodor::vectors
