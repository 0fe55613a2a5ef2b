// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A program for the tests of the text and binary forms.
#pragma once

#include <limits>

#include "heliodor/ring/primes.h"
#include "heliodor/targets/machine/micro_op.h"

namespace heliodor::machine::internal {

/// Every code with every flag that it has, extreme numbers, and roots that are not the smallest.
/// It is well formed; it is not meant to run.
inline MicroProgram every_operation() {
  using program::InputKind;
  MicroProgram program;
  program.layout = {.chunk_bits = 3, .degree_bits = 6};
  program.word_bits = 32;
  program.rows = 40;
  program.registers = 4;
  program.spill_slots = 2;
  program.inputs = {InputKind::operand, InputKind::key, InputKind::constant, InputKind::seed};
  program.outputs = 3;
  for (const unsigned bits : {32u, 50u}) {
    const ring::Modulus q(ring::generate_primes(bits, 64, 1)[0], 64);
    program.moduli.emplace_back(q.value(), 64, q.pow(q.psi(), 3));
  }
  for (std::size_t code = 0; code < kMicroCodes; ++code) {
    MicroOp op;
    op.code = static_cast<MicroCode>(code);
    op.instruction = code == 0 ? 0 : std::numeric_limits<std::uint32_t>::max();
    if (op.code != MicroCode::fence) {
      const MicroCodeInfo& row = info(op.code);
      const bool pass = row.operation == Operation::ntt;
      const bool permutes =
          op.code == MicroCode::permute_eval || op.code == MicroCode::permute_coeff;
      op.modulus = op.source_modulus = code % 2;
      if (has_source(op.code)) op.source_modulus = 1 - op.modulus;
      op.chunk = 7;
      if (row.reads > 0) op.in[0] = Place::limb(1);
      if (row.reads > 1) op.in[1] = Place::reg(3);
      op.out = op.code == MicroCode::fetch ? Place::reg(2) : Place::limb(24);
      if (pass) op.window = op.bit = op.stages = 3;
      if (op.code == MicroCode::permute_eval) op.source_chunk = 5;
      if (permutes || op.code == MicroCode::uniform) op.offset = 1;
      switch (op.code) {
        case MicroCode::load:
        case MicroCode::store:
          op.immediate = 2;
          op.resident = true;
          break;
        case MicroCode::spill:
        case MicroCode::reload:
          op.immediate = 1;
          break;
        case MicroCode::uniform:
          op.immediate = 3;
          op.first = true;
          break;
        case MicroCode::add_imm:
        case MicroCode::mul_imm:
        case MicroCode::mac_imm:
          op.immediate = program.moduli[op.modulus].value() - 1;
          break;
        case MicroCode::quotient_mac:
        case MicroCode::quotient_round:
        case MicroCode::permute_eval:
        case MicroCode::permute_coeff:
          op.immediate = std::numeric_limits<std::uint64_t>::max();
          break;
        default:
          break;
      }
      op.centred = op.code == MicroCode::reduce;
      if (op.code == MicroCode::mac || op.code == MicroCode::mac_imm) op.first = op.last = true;
      if (write_count(op) == 0) op.out = {};
    }
    program.ops.push_back(op);
    if (op.code == MicroCode::mac || op.code == MicroCode::mac_imm) {
      op.first = op.last = false;
      op.out = {};
      program.ops.push_back(op);
    }
  }
  return program;
}

}  // namespace heliodor::machine::internal
