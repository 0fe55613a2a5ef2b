// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/lower.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/ring/automorphism.h"
#include "heliodor/ring/reference.h"
#include "heliodor/targets/machine/internal/emit_ntt.h"
#include "heliodor/targets/machine/placement.h"

namespace heliodor::machine {
namespace {

using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;

class Lowering {
 public:
  Lowering(const MachineDescription& description, const LimbProgram& program)
      : description_(description),
        program_(program),
        placement_(place_values(program)),
        loaded_(program.value_count()),
        input_of_value_(program.value_count()) {
    micro_.degree = program.degree();
    micro_.chunk_words = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(program.degree(), description.scratchpad.banks));
    micro_.rows = placement_.frame_count * micro_.chunks_per_limb();
    micro_.inputs = static_cast<std::uint32_t>(program.inputs().size());
    micro_.outputs = static_cast<std::uint32_t>(program.outputs().size());
    micro_.moduli.assign(program.moduli().begin(), program.moduli().end());
    micro_.twiddles.resize(micro_.moduli.size());
    for (std::uint32_t i = 0; i < micro_.inputs; ++i) {
      input_of_value_[program.inputs()[i].value] = i;
    }
    for (std::uint32_t i = 0; i < micro_.outputs; ++i) {
      outputs_of_value_.emplace(program.outputs()[i].value, i);
    }
  }

  MicroProgram run() {
    for (std::size_t i = 0; i < program_.instruction_count(); ++i) {
      instruction_ = static_cast<std::uint32_t>(i);
      const Instruction instruction = program_.instruction(i);
      for (const ValueId operand : instruction.operands) load(operand);
      lower_instruction(instruction);
      store_outputs_of(instruction.result);
    }
    instruction_ = static_cast<std::uint32_t>(program_.instruction_count());
    for (const program::Output& output : program_.outputs()) load(output.value);
    return std::move(micro_);
  }

 private:
  Row row(ValueId value, std::uint32_t chunk) const noexcept {
    return placement_.frames[value] * micro_.chunks_per_limb() + chunk;
  }

  MicroOp make(MicroCode code, ValueId result) const {
    MicroOp op;
    op.code = code;
    op.instruction = instruction_;
    op.modulus = program_.type(result).modulus;
    op.source_modulus = op.modulus;
    return op;
  }

  template <typename Body>
  void for_each_chunk(const Body& body) const {
    for (std::uint32_t chunk = 0; chunk < micro_.chunks_per_limb(); ++chunk) body(chunk);
  }

  /// Brings an input to the scratchpad at its first use, and to the outputs that it is.
  void load(ValueId value) {
    if (loaded_[value] || program_.definition(value) || program_.type(value).is_seed()) return;
    loaded_[value] = true;
    MicroOp op = make(MicroCode::load, value);
    op.immediate = input_of_value_[value];
    for_each_chunk([&](std::uint32_t chunk) {
      op.chunk = chunk;
      op.out[0] = row(value, chunk);
      micro_.ops.push_back(op);
    });
    store_outputs_of(value);
  }

  void store_outputs_of(ValueId value) {
    const auto [begin, end] = outputs_of_value_.equal_range(value);
    for (auto output = begin; output != end; ++output) {
      MicroOp op = make(MicroCode::store, value);
      op.immediate = output->second;
      for_each_chunk([&](std::uint32_t chunk) {
        op.chunk = chunk;
        op.in[0] = row(value, chunk);
        micro_.ops.push_back(op);
      });
    }
  }

  void lower_instruction(const Instruction& instruction) {
    switch (instruction.op) {
      case LimbOp::add:
        return pointwise(instruction, MicroCode::add);
      case LimbOp::sub:
        return pointwise(instruction, MicroCode::sub);
      case LimbOp::neg:
        return pointwise(instruction, MicroCode::neg);
      case LimbOp::mul:
        return pointwise(instruction, MicroCode::mul);
      case LimbOp::add_scalar:
        return pointwise(instruction, MicroCode::add_imm);
      case LimbOp::mul_scalar:
        return pointwise(instruction, MicroCode::mul_imm);
      case LimbOp::reduce:
        return pointwise(instruction, MicroCode::reduce);
      case LimbOp::dot:
        return dot(instruction);
      case LimbOp::dot_scalar:
        return dot_scalar(instruction);
      case LimbOp::quotient:
        return quotient(instruction);
      case LimbOp::ntt:
      case LimbOp::intt:
        return transform(instruction);
      case LimbOp::permute:
        return program_.type(instruction.result).domain == program::Domain::eval
                   ? permute_eval(instruction)
                   : permute_coeff(instruction);
      case LimbOp::uniform:
        return uniform(instruction);
    }
  }

  void pointwise(const Instruction& instruction, MicroCode code) {
    MicroOp op = make(code, instruction.result);
    if (!instruction.scalars.empty()) op.immediate = instruction.scalars[0];
    if (code == MicroCode::reduce) {
      op.source_modulus = program_.type(instruction.operands[0]).modulus;
      op.centred = instruction.lift() == ring::Lift::centred;
    }
    for_each_chunk([&](std::uint32_t chunk) {
      for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
        op.in[i] = row(instruction.operands[i], chunk);
      }
      op.out[0] = row(instruction.result, chunk);
      micro_.ops.push_back(op);
    });
  }

  void dot(const Instruction& instruction) {
    const std::size_t pairs = instruction.operands.size() / 2;
    MicroOp op = make(MicroCode::mac, instruction.result);
    for_each_chunk([&](std::uint32_t chunk) {
      op.out[0] = row(instruction.result, chunk);
      for (std::size_t k = 0; k < pairs; ++k) {
        op.in = {row(instruction.operands[2 * k], chunk),
                 row(instruction.operands[2 * k + 1], chunk)};
        op.first = k == 0;
        op.last = k + 1 == pairs;
        micro_.ops.push_back(op);
      }
    });
  }

  void dot_scalar(const Instruction& instruction) {
    MicroOp op = make(MicroCode::mac_imm, instruction.result);
    for_each_chunk([&](std::uint32_t chunk) {
      op.out[0] = row(instruction.result, chunk);
      for (std::size_t k = 0; k < instruction.operands.size(); ++k) {
        op.in[0] = row(instruction.operands[k], chunk);
        op.immediate = instruction.scalars[k];
        op.first = k == 0;
        op.last = k + 1 == instruction.operands.size();
        micro_.ops.push_back(op);
      }
    });
  }

  /// The fixed-point formula of ring/reference.h: r_k = floor(2^(b_k + 48) / q_k), then one
  /// rounding offset.
  void quotient(const Instruction& instruction) {
    const std::uint64_t sources = instruction.operands.size();
    MicroOp step = make(MicroCode::quotient_mac, instruction.result);
    MicroOp round = make(MicroCode::quotient_round, instruction.result);
    round.immediate = instruction.rounding() == ring::Rounding::floor
                          ? 2 * sources
                          : sources + (std::uint64_t{1} << (ring::reference::kQuotientBits - 1));
    for_each_chunk([&](std::uint32_t chunk) {
      for (std::size_t k = 0; k < sources; ++k) {
        const ring::Modulus& source = program_.modulus(instruction.operands[k]);
        const unsigned shift = source.bits() + ring::reference::kQuotientBits;
        step.source_modulus = program_.type(instruction.operands[k]).modulus;
        step.immediate = static_cast<std::uint64_t>((ring::Uint128{1} << shift) / source.value());
        step.in[0] = row(instruction.operands[k], chunk);
        step.first = k == 0;
        micro_.ops.push_back(step);
      }
      round.out[0] = row(instruction.result, chunk);
      micro_.ops.push_back(round);
    });
  }

  void transform(const Instruction& instruction) {
    const bool inverse = instruction.op == LimbOp::intt;
    TwiddleTables& tables = micro_.twiddles[program_.type(instruction.result).modulus];
    if (tables.forward.empty()) tables = make_twiddle_tables(program_.modulus(instruction.result));
    const internal::NttRows rows{row(instruction.operands[0], 0), row(instruction.result, 0)};
    const MicroOp model = make(MicroCode::ntt_butterfly, instruction.result);
    const std::uint32_t stages_per_pass = description_.unit(UnitKind::ntt)->stages_per_pass;
    if (inverse) {
      internal::emit_intt(micro_, model, rows, stages_per_pass);
    } else {
      internal::emit_ntt(micro_, model, rows, stages_per_pass);
    }
  }

  /// Evaluations. Let C = 2^c chunks of L words make a limb. Slot i holds the value at exponent
  /// 2k + 1, k = bitrev(i). The chunk number, the high bits of i, is the low bits of k reversed:
  /// chunk bitrev(r) holds the k = r mod C, and its lane bitrev(l) holds k = r + C l. Slot k of the
  /// result is slot k' = g k + b of the source, b = (g - 1) / 2, modulo N. Then
  ///   k' mod C = (g r + b) mod C depends on r alone: a result chunk comes from one source chunk;
  ///   k' div C = g l + (g r + b) div C mod L: an affine map of its lanes, one-to-one as g is odd.
  void permute_eval(const Instruction& instruction) {
    const std::uint64_t g = instruction.parameter;
    const std::uint32_t chunks = micro_.chunks_per_limb();
    const auto bits = static_cast<unsigned>(std::countr_zero(chunks));
    MicroOp op = make(MicroCode::permute_eval, instruction.result);
    op.immediate = g % micro_.chunk_words;
    for_each_chunk([&](std::uint32_t chunk) {
      const std::uint64_t image = g * ring::bit_reverse(chunk, bits) + (g - 1) / 2;
      const auto source = static_cast<std::uint32_t>(image % chunks);
      op.offset = image / chunks % micro_.chunk_words;
      op.in[0] = row(instruction.operands[0], ring::bit_reverse(source, bits));
      op.out[0] = row(instruction.result, chunk);
      micro_.ops.push_back(op);
    });
  }

  /// Coefficients. Word j of the result is word j h mod N of the source, h = g^-1 mod 2N, with the
  /// sign of X^(j h). The L words of a result chunk have consecutive j and h is odd, so their
  /// indices j h are distinct modulo L and lie in L distinct banks.
  void permute_coeff(const Instruction& instruction) {
    const std::uint64_t step = ring::inverse_galois_element(instruction.parameter, micro_.degree);
    MicroOp op = make(MicroCode::permute_coeff, instruction.result);
    op.immediate = step;
    op.in[0] = row(instruction.operands[0], 0);
    for_each_chunk([&](std::uint32_t chunk) {
      op.offset = step * chunk * micro_.chunk_words % (2 * micro_.degree);
      op.out[0] = row(instruction.result, chunk);
      micro_.ops.push_back(op);
    });
  }

  void uniform(const Instruction& instruction) {
    MicroOp op = make(MicroCode::uniform, instruction.result);
    op.immediate = input_of_value_[instruction.operands[0]];
    op.offset = instruction.parameter;
    for_each_chunk([&](std::uint32_t chunk) {
      op.first = chunk == 0;
      op.out[0] = row(instruction.result, chunk);
      micro_.ops.push_back(op);
    });
  }

  const MachineDescription& description_;
  const LimbProgram& program_;
  Placement placement_;
  std::vector<bool> loaded_;                   // by value
  std::vector<std::uint32_t> input_of_value_;  // by value, for inputs
  std::multimap<ValueId, std::uint32_t> outputs_of_value_;
  std::uint32_t instruction_ = 0;
  MicroProgram micro_;
};

}  // namespace

MicroProgram lower(const MachineDescription& description, const LimbProgram& program) {
  if (const auto reason = refusal(description, program)) {
    throw Error(ErrorCode::unsupported, *reason);
  }
  return Lowering(description, program).run();
}

}  // namespace heliodor::machine
