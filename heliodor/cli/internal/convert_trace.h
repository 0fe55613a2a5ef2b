// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Programs from and to the traces of other tools, and the options of `heliodor convert` that say
// what a trace does not.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heliodor/program/limb_program.h"

namespace heliodor::cli {

struct TraceOptions {
  std::string from;  ///< "fhetch" or "p-isa"; by what the file begins like if empty
  std::string to;    ///< "fhetch"; by the file's name if empty
  std::optional<std::uint64_t> degree;  ///< of the ring; words of a P-ISA register
  std::vector<std::uint64_t> moduli;    ///< of P-ISA's residue indices

  void add_to(CLI::App& command);
};

/// A program from a trace or from its text or binary form. Throws what read_file does,
/// Error{malformed_file} with every diagnostic and its place, Error{mismatch} for options that do
/// not fit the file.
program::LimbProgram import_program(const std::string& path, const TraceOptions& options);

/// As a FHETCH trace if the options or the name's ".fhetch" say so; else as save_program. Throws
/// Error{unsupported} for a program that a trace cannot express.
void export_program(const std::string& path, const program::LimbProgram& program,
                    const TraceOptions& options);

}  // namespace heliodor::cli
