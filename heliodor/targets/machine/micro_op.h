// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// MicroOp: what a machine's units execute, one chunk at a time. A chunk is the whole row of the
// scratchpad, or a whole limb where N is smaller than a row. A limb of N words lies in
// max(1, N / row) consecutive rows.
//
// x, y are the chunks in rows in[0], in[1]; result r goes to row out[0] (butterflies: also out[1]).
// All words of a chunk are treated alike; results are canonical modulo q of `modulus`. acc is the
// one accumulator chunk of the vector unit; 0 takes its place in an operation with `first`. c is
// `immediate`, q' the modulus of `source_modulus`, b' its bits.
//
//   load            r = words of input c, chunk `chunk`
//   store           chunk `chunk` of output c = x
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
//   ntt_butterfly   out = x + w y, x - w y         w = forward table[c]
//   intt_butterfly  out = (x + y) / 2, (x - y) w   w = inverse table[c], which holds halves
//   ntt_stages      `count` Cooley-Tukey stages inside x. The first has stride `stride`, and its
//                   block i takes forward table[c + i]; each next stage halves stride, doubles c.
//   intt_stages     `count` Gentleman-Sande stages with halving inside x, by the inverse table;
//                   each next stage doubles stride, halves c.
//
//   permute_eval    with lanes in bit-reversed order, k = bitrev(lane): lane k of r is lane
//                   (c * k + offset) mod chunk of x
//   permute_coeff   lane l of r is word e of the limb from row in[0] on, e = offset + l * c mod 2N;
//                   for e >= N minus word e - N
//   uniform         the next chunk of residues from seed input c, stream `offset`; with `first`
//                   the stream starts
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heliodor/ring/modulus.h"
#include "heliodor/targets/machine/description.h"

namespace heliodor::machine {

enum class MicroCode : std::uint8_t {
  load,
  store,
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
  ntt_butterfly,
  intt_butterfly,
  ntt_stages,
  intt_stages,
  permute_eval,
  permute_coeff,
  uniform,
};
inline constexpr std::size_t kMicroCodes = 20;

/// Properties of a code that hold for all its operations.
struct MicroCodeInfo {
  std::string_view name;
  UnitKind unit;
  std::uint8_t reads;   ///< scratchpad reads; that of permute_coeff spans the rows of its limb
  std::uint8_t writes;  ///< rows written; mac and mac_imm write only if `last`
  std::uint8_t chunks;  ///< chunks that pass through the unit
};

const MicroCodeInfo& info(MicroCode code) noexcept;

using Row = std::uint32_t;

struct MicroOp {
  MicroCode code = MicroCode::load;
  bool first = false;
  bool last = false;
  bool centred = false;
  std::uint32_t modulus = 0;         ///< index into MicroProgram::moduli
  std::uint32_t source_modulus = 0;  ///< quotient_mac and reduce
  std::uint32_t instruction = 0;     ///< of the LimbProgram
  std::array<Row, 2> in{};
  std::array<Row, 2> out{};
  std::uint32_t chunk = 0;   ///< load and store: index inside the limb
  std::uint16_t stride = 0;  ///< words; stages only
  std::uint16_t count = 0;   ///< stages only
  std::uint64_t immediate = 0;
  std::uint64_t offset = 0;

  bool operator==(const MicroOp&) const = default;
};

/// Rows that the operation writes: 0, 1 or 2.
unsigned write_count(const MicroOp& op) noexcept;

/// psi^bitrev(i) and psi^-bitrev(i) / 2 modulo one modulus, i in [0, N), as the NTT unit stores
/// them. Empty where the program does not transform modulo it.
struct TwiddleTables {
  std::vector<std::uint64_t> forward;
  std::vector<std::uint64_t> inverse;
};

TwiddleTables make_twiddle_tables(const ring::Modulus& modulus);

/// Straight-line code for one machine.
struct MicroProgram {
  std::uint64_t degree = 0;
  std::uint32_t chunk_words = 0;  ///< min(degree, banks)
  std::uint32_t rows = 0;         ///< rows of the scratchpad that it uses
  std::uint32_t inputs = 0;       ///< inputs of the LimbProgram, seeds included
  std::uint32_t outputs = 0;
  std::vector<ring::Modulus> moduli;
  std::vector<TwiddleTables> twiddles;  ///< by modulus
  std::vector<MicroOp> ops;

  std::uint32_t chunks_per_limb() const noexcept {
    return static_cast<std::uint32_t>(degree / chunk_words);
  }
};

/// Why the operation cannot belong to the program: a row, modulus, input, table index or stage that
/// does not exist; nothing if it can. What passes is safe to execute.
std::optional<std::string> malformed(const MicroOp& op, const MicroProgram& program);

/// For people: "mac r4 r12 -> acc -> r20 : q0 first last  # instruction 3".
std::string to_text(const MicroOp& op);

/// One operation per line, numbered from 0.
std::string to_text(const MicroProgram& program);

}  // namespace heliodor::machine
