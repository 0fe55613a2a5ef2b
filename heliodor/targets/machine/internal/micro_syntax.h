// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The syntax of one micro-operation, once for both directions: visit_syntax() walks an operation
// from left to right and hands each part to a writer or to a reader.
#pragma once

#include <array>
#include <cstdint>

#include "heliodor/targets/machine/micro_op.h"

namespace heliodor::machine::internal {

/// What the immediate of a code is.
enum class Immediate : std::uint8_t { none, input, output, slot_read, slot_written, number, step };

struct MicroSyntax {
  Immediate immediate = Immediate::none;
  bool has_offset = false;
  bool may_start = false;    ///< `first`
  bool accumulates = false;  ///< the result may be "acc"
};

inline MicroSyntax micro_syntax(MicroCode code) noexcept {
  switch (code) {
    case MicroCode::load:
      return {.immediate = Immediate::input};
    case MicroCode::store:
      return {.immediate = Immediate::output};
    case MicroCode::spill:
      return {.immediate = Immediate::slot_written};
    case MicroCode::reload:
      return {.immediate = Immediate::slot_read};
    case MicroCode::add_imm:
    case MicroCode::mul_imm:
      return {.immediate = Immediate::number};
    case MicroCode::mac:
      return {.may_start = true, .accumulates = true};
    case MicroCode::mac_imm:
    case MicroCode::quotient_mac:
      return {.immediate = Immediate::number, .may_start = true, .accumulates = true};
    case MicroCode::quotient_round:
      return {.immediate = Immediate::number, .may_start = true};
    case MicroCode::permute_eval:
    case MicroCode::permute_coeff:
      return {.immediate = Immediate::step, .has_offset = true};
    case MicroCode::uniform:
      return {.immediate = Immediate::input, .has_offset = true, .may_start = true};
    default:
      return {};
  }
}

/// Op is MicroOp for readers, const MicroOp for writers; its code is set. A form has
///   numbered(prefix, number)   "c7": a word that is a prefix and a number
///   labelled(label, number)    "bit 6": two words
///   word(text)                 "->"
///   place(place)               "r64" or "reg3"
///   result(op)                 a place, or "acc" if the operation writes none
///   flag(name, flag)           the name or nothing
///   optional(prefix, number)   a numbered word, or nothing for 0
template <typename Form, typename Op>
void visit_syntax(Form& form, Op& op) {
  const MicroCodeInfo& code = info(op.code);
  const MicroSyntax syntax = micro_syntax(op.code);
  const bool pass = code.operation == Operation::ntt;
  if (op.code != MicroCode::fence) {
    if (syntax.immediate == Immediate::input) form.numbered("i", op.immediate);
    if (syntax.immediate == Immediate::slot_read) form.numbered("s", op.immediate);
    for (unsigned i = 0; i < code.reads; ++i) form.place(op.in[i]);
    if (pass) form.numbered("w", op.window);
    form.numbered("c", op.chunk);
    if (pass) {
      form.labelled("bit", op.bit);
      form.labelled("stages", op.stages);
    }
    if (op.code == MicroCode::permute_eval) {
      form.word("from");
      form.numbered("c", op.source_chunk);
    }
    if (syntax.immediate == Immediate::step) form.labelled("step", op.immediate);
    if (syntax.has_offset) form.labelled("offset", op.offset);
    if (syntax.immediate == Immediate::number) form.numbered("", op.immediate);
    form.word("->");
    if (syntax.immediate == Immediate::output) {
      form.numbered("o", op.immediate);
    } else if (syntax.immediate == Immediate::slot_written) {
      form.numbered("s", op.immediate);
    } else {
      form.result(op);
    }
    form.word(":");
    form.numbered("q", op.modulus);
    if (has_source(op.code)) {
      form.word("from");
      form.numbered("q", op.source_modulus);
    }
    if (syntax.may_start) form.flag("first", op.first);
    if (syntax.accumulates && code.writes != 0) form.flag("last", op.last);
    if (op.code == MicroCode::reduce) form.flag("centred", op.centred);
    if (op.code == MicroCode::load || op.code == MicroCode::store) {
      form.flag("resident", op.resident);
    }
  }
  form.optional("@", op.instruction);
}

}  // namespace heliodor::machine::internal
