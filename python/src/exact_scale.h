// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The scale of a CKKS ciphertext in the metadata of a file, exactly.
#pragma once

#include <string>

#include "heliodor/schemes/ckks/scale.h"

namespace heliodor::python {

/// What Scale::to_string wrote. Throws Error{malformed_file} for anything else.
ckks::Scale parse_scale(const std::string& text);

}  // namespace heliodor::python
