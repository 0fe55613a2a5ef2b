// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Copies of a program with something changed: what the search for a fault is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "heliodor/program/limb_program.h"

namespace heliodor::agree {

/// The same computation with the results of all instructions as outputs, in order, and the inputs
/// that no instruction uses after them.
program::LimbProgram with_every_result_as_output(const program::LimbProgram& program);

/// One step towards a smaller program.
struct Edit {
  std::vector<std::size_t> outputs;            ///< indices of the outputs to keep, at least one
  std::optional<std::size_t> cut;              ///< this instruction's result becomes an operand
  std::optional<std::size_t> shorten;          ///< this dot, dot_scalar or quotient loses ..
  std::size_t first_term = 0, term_count = 0;  ///< .. these terms
  std::uint64_t degree = 0;                    ///< a divisor of the program's degree
};

/// Terms of a sum: pairs of a dot, sources of a dot_scalar or quotient; 1 for other instructions.
std::size_t term_count(const program::Instruction& instruction);

/// Applies the edit and drops what no output needs: instructions, inputs, moduli. The result is
/// well formed if the program is, at least one term of a shortened sum remains, and the degree is
/// at least 2.
program::LimbProgram rewrite(const program::LimbProgram& program, const Edit& edit);

}  // namespace heliodor::agree
