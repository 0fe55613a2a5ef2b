// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a failing program small: fewer outputs, instructions, terms, moduli and words, as long as
// it fails.
#pragma once

#include <functional>

#include "heliodor/program/limb_program.h"

namespace heliodor::agree {

/// Whether a candidate shows the fault that is being hunted.
using Fails = std::function<bool(const program::LimbProgram&)>;

/// A program that fails and of which no single further step does: no output or instruction can go,
/// no sum be halved or lose a term, no degree be halved. Requires fails(program).
program::LimbProgram shrink(program::LimbProgram program, const Fails& fails);

}  // namespace heliodor::agree
