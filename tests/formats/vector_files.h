// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Files that other libraries wrote, and what OpenFHE's hold as raw arrays.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/vectors/openfhe_case.h"

namespace heliodor::vectors {

using FileBytes = std::vector<std::uint8_t>;

struct NamedFile {
  std::string name;
  FileBytes bytes;
};

/// A file of tests/vectors/ecosystem.
FileBytes ecosystem_file(const std::string& name);

/// The kept files of tests/vectors/ecosystem whose names start with a prefix, in order.
std::vector<NamedFile> ecosystem_files(const std::string& prefix);

/// The objects of tests/vectors/openfhe/serialized, put together from their parts. Throws
/// Error{mismatch} if one has not the size and SHA-256 that its description gives.
std::vector<NamedFile> assembled_files();
FileBytes assembled_file(const std::string& name);

/// All OpenFHE files in the folders `ecosystem` and `serialized_full` of the larger collection
/// (HELIODOR_OPENFHE_VECTORS); empty if it is not there.
std::vector<NamedFile> large_openfhe_files();

}  // namespace heliodor::vectors
