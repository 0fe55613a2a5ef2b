// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// MicroOp: what a machine's units execute, one chunk at a time. A chunk is a row's worth of words,
// or a whole limb where N is smaller than a row. Limbs lie in the scratchpad as layout.h says and
// are named by their first row; `chunk` says which chunk of every limb in the operation is meant.
//
// x, y are the operands in[0], in[1]; result r goes to out. Each is a limb's chunk or, in the
// arithmetic unit, a register (which holds one chunk). All words of a chunk are treated alike;
// results are canonical modulo q of `modulus`. acc is the one accumulator chunk of the arithmetic
// unit; 0 takes its place in an operation with `first`. c is `immediate`, q' the modulus of
// `source_modulus`, b' its bits.
//
//   load            r = words of input c          (off-chip memory to scratchpad)
//   store           output c = x
//   spill           off-chip slot c = x           (slots are limbs that only this program knows)
//   reload          r = off-chip slot c
//   fetch           r = x, r a register
//   add sub mul     r = x + y, x - y, x * y
//   neg             r = -x
//   add_imm         r = x + c
//   mul_imm         r = x * c
//   mac             acc = acc + x * y; with `last` r = acc
//   mac_imm         acc = acc + x * c, x any word; with `last` r = acc
//   quotient_mac    acc = acc + floor(x * c / 2^b'), an integer below 2^64
//   quotient_round  r = floor((acc + c) / 2^48)
//   reduce          r = the integer x in [0, q'); with `centred` minus q' where above floor(q'/2)
//
//   ntt_pass        `stages` = s Cooley-Tukey stages on index bits [bit, bit + s), in place: x and
//                   r are chunk `chunk` of `window`, which holds those bits. The unit's three
//                   steps: pre-multiplication of point j by psi^((2 bitrev(a) + 1) j 2^bit), a the
//                   index bits above (a = i >> (bit + s)), then a cyclic network of 2^s points with
//                   results in bit-reversed order. The passes from the highest bits to bit 0 are
//                   the negacyclic NTT from natural to bit-reversed order.
//   intt_pass       the inverse: network, then post-multiplication by the inverse powers / 2^s
//
//   permute_eval    with lanes in bit-reversed order, k = bitrev(lane): lane k of r is lane
//                   (c * k + offset) mod L of chunk `source_chunk` of x
//   unscramble      r = x, r in linear layout
//   permute_coeff   x a limb in linear layout: lane l of r is word e of x, e = offset + l * c mod
//                   2N; for e >= N minus word e - N
//   uniform         the next chunk of residues from seed input c, stream `offset`; with `first`
//                   the stream starts
//   fence           what follows is dispatched after all before it has ended
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heliodor/base/diagnostic.h"
#include "heliodor/program/limb_program.h"
#include "heliodor/ring/modulus.h"
#include "heliodor/targets/machine/description.h"
#include "heliodor/targets/machine/layout.h"

namespace heliodor::machine {

enum class MicroCode : std::uint8_t {
  load,
  store,
  spill,
  reload,
  fetch,
  add,
  sub,
  neg,
  mul,
  add_imm,
  mul_imm,
  mac,
  mac_imm,
  quotient_mac,
  quotient_round,
  reduce,
  ntt_pass,
  intt_pass,
  permute_eval,
  unscramble,
  permute_coeff,
  uniform,
  fence,
};
inline constexpr std::size_t kMicroCodes = 23;

/// Properties of a code that hold for all its operations.
struct MicroCodeInfo {
  std::string_view name;
  Operation operation;  ///< of fence: transfer, though no unit sees it
  std::uint8_t reads;   ///< operands
  std::uint8_t writes;  ///< results; mac and mac_imm have theirs only if `last`
};

const MicroCodeInfo& info(MicroCode code) noexcept;

using Row = std::uint32_t;

/// Where an operand lies.
struct Place {
  static constexpr std::uint32_t kRegister = 0x80000000;

  std::uint32_t bits = 0;

  static constexpr Place limb(Row first) noexcept { return {first}; }
  static constexpr Place reg(std::uint32_t number) noexcept { return {number | kRegister}; }
  constexpr bool is_register() const noexcept { return (bits & kRegister) != 0; }
  constexpr std::uint32_t number() const noexcept { return bits & ~kRegister; }
  bool operator==(const Place&) const = default;
};

struct MicroOp {
  MicroCode code = MicroCode::fence;
  bool first = false;
  bool last = false;
  bool centred = false;
  bool resident = false;      ///< load, store: the limb is on chip before or after; takes no time
  std::uint8_t window = 0;    ///< passes only; others use window 0
  std::uint8_t bit = 0;       ///< passes: lowest index bit of the stages
  std::uint8_t stages = 0;    ///< passes
  std::uint32_t modulus = 0;  ///< index into MicroProgram::moduli
  std::uint32_t source_modulus = 0;  ///< of x: quotient_mac, mac_imm and reduce; else == modulus
  std::uint32_t instruction = 0;     ///< of the LimbProgram; its instruction_count for copies
  std::array<Place, 2> in{};
  Place out{};
  std::uint32_t chunk = 0;
  std::uint32_t source_chunk = 0;  ///< permute_eval
  std::uint64_t immediate = 0;
  std::uint64_t offset = 0;

  bool operator==(const MicroOp&) const = default;
};

/// Results that the operation has: 0 or 1.
unsigned write_count(const MicroOp& op) noexcept;

/// Where a value of the LimbProgram lies while a stretch of operations runs; for memory maps.
struct Residence {
  program::ValueId value;
  Row first_row;
  std::uint32_t rows;
  std::size_t first_op, last_op;  ///< the operations that first write and last use it

  bool operator==(const Residence&) const = default;
};

/// Straight-line code for one machine.
struct MicroProgram {
  Layout layout;
  std::uint32_t word_bits = 0;  ///< moduli above are wide: two rows for each chunk
  std::uint32_t rows = 0;       ///< rows of the scratchpad that it uses
  std::uint32_t registers = 0;  ///< registers that it uses
  std::uint32_t spill_slots = 0;
  std::vector<program::InputKind> inputs;  ///< of the LimbProgram
  std::uint32_t outputs = 0;
  std::vector<ring::Modulus> moduli;
  std::vector<MicroOp> ops;
  std::vector<Residence> residences;  ///< not part of text and binary form

  std::uint64_t degree() const noexcept { return std::uint64_t{1} << layout.degree_bits; }
  bool is_wide(std::uint32_t modulus) const noexcept { return moduli[modulus].bits() > word_bits; }
};

/// Whether x may have a modulus of its own: quotient_mac, mac_imm, reduce.
bool has_source(MicroCode code) noexcept;

/// Whether the operation runs at the unit's rate for wide words: one of its moduli is wide, or it
/// forms a quotient's sum where words hold fewer than 64 bits.
bool is_wide(const MicroOp& op, const MicroProgram& program) noexcept;

/// Rows of a chunk of in[i] (0 for registers): 1, or 2 if it is wide. The rows of out are those of
/// `modulus`.
std::uint32_t rows_read(const MicroOp& op, unsigned operand, const MicroProgram& program) noexcept;
std::uint32_t rows_written(const MicroOp& op, const MicroProgram& program) noexcept;

/// Why the operation cannot belong to the program: a row, register, modulus, input, window or
/// stage that does not exist, a register where there may be none, a constant not below its modulus;
/// nothing if it can. What passes is safe to execute. Requires !malformed_frame(program).
std::optional<std::string> malformed(const MicroOp& op, const MicroProgram& program);

/// Why no operation can belong to the program: a layout, word width or modulus that cannot be.
std::optional<std::string> malformed_frame(const MicroProgram& program);

}  // namespace heliodor::machine
