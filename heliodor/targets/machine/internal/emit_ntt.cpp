// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/internal/emit_ntt.h"

#include <algorithm>
#include <bit>

namespace heliodor::machine::internal {
namespace {

/// One stage between chunks: `blocks` blocks of two halves, each `half` chunks long.
void emit_butterflies(MicroProgram& program, MicroOp op, Row source, Row result,
                      std::uint32_t blocks) {
  const std::uint32_t half = program.chunks_per_limb() / (2 * blocks);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    op.immediate = blocks + block;
    for (std::uint32_t j = 0; j < half; ++j) {
      const std::uint32_t low = 2 * half * block + j;
      op.in = {source + low, source + low + half};
      op.out = {result + low, result + low + half};
      program.ops.push_back(op);
    }
  }
}

/// All stages inside chunks, pass by pass. In stage order of the forward transform the first has
/// stride L/2 and table index C + chunk; the inverse starts at the other end.
void emit_stages(MicroProgram& program, MicroOp op, Row source, Row result,
                 std::uint32_t stages_per_pass) {
  const std::uint32_t chunks = program.chunks_per_limb();
  const auto stages = static_cast<std::uint32_t>(std::countr_zero(program.chunk_words));
  const bool inverse = op.code == MicroCode::intt_stages;
  for (std::uint32_t done = 0; done < stages; done += stages_per_pass) {
    op.count = static_cast<std::uint16_t>(std::min(stages_per_pass, stages - done));
    const std::uint32_t level = inverse ? stages - 1 - done : done;
    op.stride = static_cast<std::uint16_t>(program.chunk_words / 2 >> level);
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
      op.immediate = std::uint64_t{chunks + chunk} << level;
      op.in[0] = (done == 0 ? source : result) + chunk;
      op.out[0] = result + chunk;
      program.ops.push_back(op);
    }
  }
}

}  // namespace

void emit_ntt(MicroProgram& program, const MicroOp& model, NttRows rows,
              std::uint32_t stages_per_pass) {
  MicroOp op = model;
  op.code = MicroCode::ntt_butterfly;
  for (std::uint32_t blocks = 1; blocks < program.chunks_per_limb(); blocks *= 2) {
    emit_butterflies(program, op, rows.source, rows.result, blocks);
    rows.source = rows.result;
  }
  op.code = MicroCode::ntt_stages;
  emit_stages(program, op, rows.source, rows.result, stages_per_pass);
}

void emit_intt(MicroProgram& program, const MicroOp& model, NttRows rows,
               std::uint32_t stages_per_pass) {
  MicroOp op = model;
  op.code = MicroCode::intt_stages;
  emit_stages(program, op, rows.source, rows.result, stages_per_pass);
  if (program.chunk_words > 1) rows.source = rows.result;
  op.code = MicroCode::intt_butterfly;
  for (std::uint32_t blocks = program.chunks_per_limb() / 2; blocks > 0; blocks /= 2) {
    emit_butterflies(program, op, rows.source, rows.result, blocks);
    rows.source = rows.result;
  }
}

}  // namespace heliodor::machine::internal
