// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Files that the command reads and writes.
#pragma once

#include <filesystem>
#include <string>

#include "heliodor/program/limb_program.h"

namespace heliodor::cli {

/// The whole file. Throws Error{io} if it is missing, unreadable or a directory,
/// Error{malformed_file} if empty.
std::string read_file(const std::filesystem::path& path);

/// Whether bytes from a file of that name are a program in binary form: by their first bytes, or by
/// the name's ".hlp".
bool is_binary_program(const std::filesystem::path& path, const std::string& bytes);

/// A well-formed program from its text or binary form. Throws as read_file, and
/// Error{malformed_file} with every diagnostic and its place.
program::LimbProgram load_program(const std::filesystem::path& path);

/// In text form for ".limb", binary for ".hlp"; Error{out_of_range} for other names, Error{io} if
/// it cannot be written.
void save_program(const std::filesystem::path& path, const program::LimbProgram& program);

}  // namespace heliodor::cli
