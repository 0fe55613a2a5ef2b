// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/machine/parts.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "heliodor/ring/automorphism.h"
#include "heliodor/ring/reference.h"
#include "heliodor/targets/machine/frames.h"

namespace heliodor::machine {
namespace {

using program::Instruction;
using program::LimbOp;
using program::LimbProgram;
using program::ValueId;

class PartMaker {
 public:
  PartMaker(const MachineDescription& description, const LimbProgram& program,
            const std::vector<Task>& tasks, const std::vector<Step>& steps)
      : description_(description),
        program_(program),
        tasks_(tasks),
        steps_(steps),
        layout_(Frames(description, program).layout()),
        input_of_value_(program.value_count()) {
    for (std::uint32_t i = 0; i < program.inputs().size(); ++i) {
      input_of_value_[program.inputs()[i].value] = i;
    }
  }

  std::vector<Part> run() {
    for (step_ = 0; step_ < steps_.size(); ++step_) {
      if (steps_[step_].kind == Step::Kind::task) {
        add_task();
      } else {
        add_copy();
      }
    }
    return std::move(parts_);
  }

 private:
  /// The operands and results of the task's instructions, each with its place.
  struct Placed {
    Instruction instruction;
    std::uint32_t index;
    std::vector<Place> operands;
    Place result;
  };

  std::vector<MicroOp>& add_part() { return parts_.emplace_back(Part{step_, {}}).ops; }

  void add_copy() {
    const Step& step = steps_[step_];
    MicroOp op;
    op.modulus = op.source_modulus = program_.type(step.value).modulus;
    op.immediate = step.index;
    op.resident = step.resident;
    op.instruction = instruction_of(step);
    if (!step.operands.empty()) op.in[0] = Place::limb(step.operands[0]);
    if (!step.results.empty()) op.out = Place::limb(step.results[0]);
    switch (step.kind) {
      case Step::Kind::load:
        op.code = MicroCode::load;
        break;
      case Step::Kind::reload:
        op.code = MicroCode::reload;
        break;
      case Step::Kind::spill:
        op.code = MicroCode::spill;
        break;
      default:
        op.code = MicroCode::store;
        break;
    }
    add_part().push_back(op);
  }

  /// A store belongs to the instruction that made the value, other copies to the task that needs
  /// them.
  std::uint32_t instruction_of(const Step& step) const {
    if (step.kind == Step::Kind::store) {
      if (const auto definition = program_.definition(step.value)) {
        return static_cast<std::uint32_t>(*definition);
      }
    } else if (step.task < tasks_.size()) {
      return tasks_[step.task].instructions.front();
    }
    return static_cast<std::uint32_t>(program_.instruction_count());
  }

  void add_task() {
    const Step& step = steps_[step_];
    const Task& task = tasks_[step.task];
    std::vector<Placed> placed;
    std::size_t next = 0;
    std::vector<Row> fetched(task.fetched.size());
    for (std::size_t i = 0; i < task.instructions.size(); ++i) {
      Placed it{program_.instruction(task.instructions[i]), task.instructions[i], {}, {}};
      for (const ValueId operand : it.instruction.operands) {
        const auto found = std::ranges::find(task.fetched, operand);
        const auto reg = static_cast<std::uint32_t>(found - task.fetched.begin());
        const bool in_register = found != task.fetched.end();
        if (in_register) fetched[reg] = step.operands[next];
        it.operands.push_back(in_register ? Place::reg(reg) : Place::limb(step.operands[next]));
        ++next;
      }
      it.result = Place::limb(step.results[i]);
      placed.push_back(std::move(it));
    }
    const LimbOp kind = placed.front().instruction.op;
    if (kind == LimbOp::ntt || kind == LimbOp::intt) return transform(placed.front());
    if (kind == LimbOp::permute) return permute(placed.front());
    add_part();
    for (std::uint32_t i = 0; i < fetched.size(); ++i) {
      MicroOp op = make(MicroCode::fetch, placed.front());
      op.modulus = op.source_modulus = program_.type(task.fetched[i]).modulus;
      op.in[0] = Place::limb(fetched[i]);
      op.out = Place::reg(i);
      add(op);
    }
    for (const Placed& it : placed) compute(it);
  }

  void compute(const Placed& it) {
    switch (it.instruction.op) {
      case LimbOp::add:
        return pointwise(it, MicroCode::add);
      case LimbOp::sub:
        return pointwise(it, MicroCode::sub);
      case LimbOp::neg:
        return pointwise(it, MicroCode::neg);
      case LimbOp::mul:
        return pointwise(it, MicroCode::mul);
      case LimbOp::add_scalar:
        return pointwise(it, MicroCode::add_imm);
      case LimbOp::mul_scalar:
        return pointwise(it, MicroCode::mul_imm);
      case LimbOp::reduce:
        return reduce(it);
      case LimbOp::dot:
        return dot(it);
      case LimbOp::dot_scalar:
        return dot_scalar(it);
      case LimbOp::quotient:
        return quotient(it);
      case LimbOp::uniform:
        return uniform(it);
      default:
        return;
    }
  }

  void add(const MicroOp& op) { parts_.back().ops.push_back(op); }

  MicroOp make(MicroCode code, const Placed& it) const {
    MicroOp op;
    op.code = code;
    op.instruction = it.index;
    op.modulus = op.source_modulus = program_.type(it.instruction.result).modulus;
    op.out = it.result;
    return op;
  }

  void pointwise(const Placed& it, MicroCode code) {
    MicroOp op = make(code, it);
    if (!it.instruction.scalars.empty()) op.immediate = it.instruction.scalars[0];
    std::ranges::copy(it.operands, op.in.begin());
    add(op);
  }

  void reduce(const Placed& it) {
    MicroOp op = make(MicroCode::reduce, it);
    op.source_modulus = program_.type(it.instruction.operands[0]).modulus;
    op.centred = it.instruction.lift() == ring::Lift::centred;
    op.in[0] = it.operands[0];
    add(op);
  }

  void dot(const Placed& it) {
    MicroOp op = make(MicroCode::mac, it);
    for (std::size_t k = 0; k < it.operands.size(); k += 2) {
      op.in = {it.operands[k], it.operands[k + 1]};
      op.first = k == 0;
      op.last = k + 2 == it.operands.size();
      add(op);
    }
  }

  void dot_scalar(const Placed& it) {
    MicroOp op = make(MicroCode::mac_imm, it);
    for (std::size_t k = 0; k < it.operands.size(); ++k) {
      op.source_modulus = program_.type(it.instruction.operands[k]).modulus;
      op.in[0] = it.operands[k];
      op.immediate = it.instruction.scalars[k];
      op.first = k == 0;
      op.last = k + 1 == it.operands.size();
      add(op);
    }
  }

  /// The fixed-point formula of ring/reference.h: r_k = floor(2^(b_k + 48) / q_k), then one
  /// rounding offset.
  void quotient(const Placed& it) {
    const std::uint64_t sources = it.operands.size();
    for (std::size_t k = 0; k < sources; ++k) {
      const ValueId operand = it.instruction.operands[k];
      const ring::Modulus& source = program_.modulus(operand);
      const unsigned shift = source.bits() + ring::reference::kQuotientBits;
      MicroOp op = make(MicroCode::quotient_mac, it);
      op.source_modulus = program_.type(operand).modulus;
      op.immediate = static_cast<std::uint64_t>((ring::Uint128{1} << shift) / source.value());
      op.in[0] = it.operands[k];
      op.out = {};
      op.first = k == 0;
      add(op);
    }
    MicroOp round = make(MicroCode::quotient_round, it);
    round.immediate = it.instruction.rounding() == ring::Rounding::floor
                          ? 2 * sources
                          : sources + (std::uint64_t{1} << (ring::reference::kQuotientBits - 1));
    add(round);
  }

  void uniform(const Placed& it) {
    MicroOp op = make(MicroCode::uniform, it);
    op.immediate = input_of_value_[it.instruction.operands[0]];
    op.offset = it.instruction.parameter;
    op.first = true;
    add(op);
  }

  /// The first pass brings the words from the operand's limb to the result's, where the others
  /// stay.
  void transform(const Placed& it) {
    const bool inverse = it.instruction.op == LimbOp::intt;
    std::vector<PassBits> passes =
        ntt_passes(layout_, description_.unit_for(Operation::ntt)->can(Operation::ntt)->radix);
    if (inverse) std::ranges::reverse(passes);
    MicroOp op = make(inverse ? MicroCode::intt_pass : MicroCode::ntt_pass, it);
    op.in[0] = it.operands[0];
    for (const PassBits& pass : passes) {
      op.bit = pass.bit;
      op.stages = pass.stages;
      op.window = pass.window;
      add_part().push_back(op);
      op.in[0] = it.result;
    }
  }

  /// Coefficients. Word j of the result is word j h mod N of the source, h = g^-1 mod 2N, with the
  /// sign of X^(j h). The L words of a result chunk have consecutive j and h is odd, so in linear
  /// layout they lie in L distinct banks. A limb of one chunk is linear as it is.
  void permute(const Placed& it) {
    if (program_.type(it.instruction.result).domain == program::Domain::eval) {
      MicroOp op = make(MicroCode::permute_eval, it);
      op.immediate = it.instruction.parameter % layout_.chunk_words();
      op.in[0] = it.operands[0];
      add_part().push_back(op);
      return;
    }
    Place source = it.operands[0];
    if (layout_.chunks() > 1) {
      MicroOp op = make(MicroCode::unscramble, it);
      op.in[0] = source;
      op.out = source = Place::limb(steps_[step_].scratch[0]);
      add_part().push_back(op);
    }
    MicroOp op = make(MicroCode::permute_coeff, it);
    op.immediate = ring::inverse_galois_element(it.instruction.parameter, program_.degree());
    op.in[0] = source;
    add_part().push_back(op);
  }

  const MachineDescription& description_;
  const LimbProgram& program_;
  const std::vector<Task>& tasks_;
  const std::vector<Step>& steps_;
  Layout layout_;
  std::vector<std::uint32_t> input_of_value_;  // by value, for inputs
  std::uint32_t step_ = 0;
  std::vector<Part> parts_;
};

/// Evaluations. Let C chunks of L words make a limb. Slot i holds the value at exponent 2k + 1,
/// k = bitrev(i). The chunk number, the high bits of i, is the low bits of k reversed: chunk
/// bitrev(r) holds the k = r mod C, and its lane bitrev(l) holds k = r + C l. Slot k of the result
/// is slot k' = g k + b of the source, b = (g - 1) / 2, modulo N. Then
///   k' mod C = (g r + b) mod C depends on r alone: a result chunk comes from one source chunk;
///   k' div C = g l + (g r + b) div C mod L: an affine map of its lanes, one-to-one as g is odd.
void aim_permute_eval(MicroOp& op, std::uint64_t g, const Layout& layout) {
  const std::uint64_t chunks = layout.chunks();
  const unsigned bits = layout.degree_bits - layout.chunk_bits;
  const std::uint64_t image = g * ring::bit_reverse(op.chunk, bits) + (g - 1) / 2;
  op.source_chunk = ring::bit_reverse(static_cast<std::uint32_t>(image % chunks), bits);
  op.offset = image / chunks % layout.chunk_words();
}

}  // namespace

std::vector<Part> make_parts(const MachineDescription& description, const LimbProgram& program,
                             const std::vector<Task>& tasks, const std::vector<Step>& steps) {
  return PartMaker(description, program, tasks, steps).run();
}

MicroOp at_chunk(const MicroOp& op, std::uint32_t chunk, const LimbProgram& program,
                 const Layout& layout) {
  MicroOp result = op;
  result.chunk = chunk;
  if (op.code == MicroCode::permute_eval) {
    aim_permute_eval(result, program.instruction(op.instruction).parameter, layout);
  } else if (op.code == MicroCode::permute_coeff) {
    result.offset = op.immediate * chunk * layout.chunk_words() % (2 * program.degree());
  } else if (op.code == MicroCode::uniform) {
    result.first = chunk == 0;
  }
  return result;
}

std::vector<PassBits> ntt_passes(const Layout& layout, std::uint32_t radix) {
  const auto most = std::min<std::uint32_t>(static_cast<std::uint32_t>(std::countr_zero(radix)),
                                            layout.chunk_bits);
  const std::uint32_t count = (layout.degree_bits + most - 1) / most;
  std::vector<PassBits> passes;
  std::uint32_t window = layout.degree_bits - layout.chunk_bits;
  for (std::uint32_t pass = 0; pass < count; ++pass) {
    const std::uint32_t bit = (count - 1 - pass) * most;
    const std::uint32_t end = pass == 0 ? layout.degree_bits : bit + most;
    if (bit < window) window = end > layout.chunk_bits ? end - layout.chunk_bits : 0;
    passes.push_back({static_cast<std::uint8_t>(bit), static_cast<std::uint8_t>(end - bit),
                      static_cast<std::uint8_t>(window)});
  }
  return passes;
}

}  // namespace heliodor::machine
