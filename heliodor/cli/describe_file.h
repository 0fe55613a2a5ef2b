// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is in a file of keys or ciphertexts: ours, OpenFHE's or SEAL's.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <nlohmann/json.hpp>

#include "heliodor/formats/byte_reader.h"

namespace heliodor::cli {

/// Whether bytes from a file begin like one of those.
bool is_ciphertext_file(formats::Bytes bytes) noexcept;

/// The parameters with their security verdict, and each object with its sizes; no limbs are read.
/// Throws Error{malformed_file}.
///
///   kind, format, bytes; scheme; degree; moduli_q, moduli_p: [{value, bits, psi}]; log2_qp;
///   security; objects: [{type, ..}]
nlohmann::ordered_json describe_file(formats::Bytes bytes);

/// The same for people.
void print_description(const nlohmann::ordered_json& description, std::ostream& out);

}  // namespace heliodor::cli
