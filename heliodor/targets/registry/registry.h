// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The targets of this build, by name. The one place that knows them all; registration is this file
// and its source.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "heliodor/program/target.h"

namespace heliodor::registry {

/// Every target that runs programs of all forms here: the reference, one CPU target for each kernel
/// table that the CPU supports (slowest first), every shipped machine. If the environment sets
/// HELIODOR_CPU, that table is the only CPU target; throws Error{unavailable} if it does not exist.
/// `threads` is for the CPU targets: 0 means one per available CPU.
std::vector<std::unique_ptr<program::Target>> present_targets(unsigned threads = 1);

/// "reference"; "cpu" (the table that HELIODOR_CPU names, or the fastest); "cpu:TABLE";
/// "machine:NAME" for a shipped machine; "machine:PATH.toml" for a described one; "stream:session"
/// and "stream:relinearize", which run relinearized products alone and so are not among
/// present_targets(). Throws
/// Error{unavailable} for any other name, with a list of those present; Error{invalid_description}
/// with all diagnostics for a malformed description; Error{io} if a description cannot be read.
std::unique_ptr<program::Target> make_target(std::string_view name, unsigned threads = 1);

/// The machine described in a file, whatever the file's name. Throws as make_target does.
std::unique_ptr<program::Target> make_machine(const std::filesystem::path& description);

}  // namespace heliodor::registry
