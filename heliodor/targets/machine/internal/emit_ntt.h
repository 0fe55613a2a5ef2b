// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The negacyclic NTT as micro-operations: butterflies between chunks while the stride is at least a
// chunk, then stages inside each chunk, as many per pass as the unit's network has. With C chunks
// per limb of L words each and s stages per pass: log2(C) * C/2 butterflies, C * ceil(log2(L) / s)
// passes.
//
// The forward transform has stages m = 1, 2, 4 .. N/2 of m blocks each; block i takes entry m + i
// of the table (psi^bitrev(m + i)): Cooley-Tukey from natural to bit-reversed order (Longa and
// Naehrig, eprint 2016/504, algorithm 1). The inverse runs the stages backwards (algorithm 2), with
// the factor 1/N spread over them: each halves its results.
#pragma once

#include <cstdint>

#include "heliodor/targets/machine/micro_op.h"

namespace heliodor::machine::internal {

/// First rows of two limbs; they may be the same.
struct NttRows {
  Row source;
  Row result;
};

/// Appends to program.ops. `model` gives instruction and modulus.
void emit_ntt(MicroProgram& program, const MicroOp& model, NttRows rows,
              std::uint32_t stages_per_pass);
void emit_intt(MicroProgram& program, const MicroOp& model, NttRows rows,
               std::uint32_t stages_per_pass);

}  // namespace heliodor::machine::internal
