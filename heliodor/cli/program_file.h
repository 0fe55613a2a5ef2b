// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Files that the command reads and writes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "heliodor/program/limb_program.h"

namespace heliodor::cli {

/// The whole file. Throws Error{io} if it is missing, unreadable or a directory,
/// Error{malformed_file} if empty.
std::string read_file(const std::filesystem::path& path);

/// Whether bytes from a file of that name are a program in binary form: by their first bytes, or by
/// the name's ".hlp".
bool is_binary_program(const std::filesystem::path& path, std::string_view bytes);

/// A well-formed program from the text or binary form that a file of that name holds. Throws
/// Error{malformed_file} with every diagnostic and its place.
program::LimbProgram parse_program(const std::filesystem::path& path, std::string_view bytes);

/// That of a file. Throws as read_file too.
program::LimbProgram load_program(const std::filesystem::path& path);

/// In text form for ".limb", binary for ".hlp"; Error{out_of_range} for other names, Error{io} if
/// it cannot be written.
void save_program(const std::filesystem::path& path, const program::LimbProgram& program);

}  // namespace heliodor::cli
