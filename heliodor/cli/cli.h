// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The heliodor command as a function, so that tests can call it.
#pragma once

#include <iosfwd>
#include <span>

namespace heliodor::cli {

/// Whether `err` is a terminal, where long work shows how far it is.
enum class Terminal : bool { no, yes };

/// Runs the command with `args`, the program's name not among them. Results go to `out`, complaints
/// to `err`. Returns the exit code (exit_code.h); throws nothing.
int run(std::span<const char* const> args, std::ostream& out, std::ostream& err,
        Terminal terminal = Terminal::no) noexcept;

}  // namespace heliodor::cli
