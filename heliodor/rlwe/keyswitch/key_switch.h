// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The three methods of key switching as emitters. Each takes d modulo q_0 .. q_{l-1}, in
// evaluations or in coefficients, and returns (o_0, o_1), evaluations modulo the same, with
// o_0 + o_1*s = d*s' + error.
//
//   bv      one digit per limb, no special primes                   (Brakerski-Vaikuntanathan)
//   hybrid  digits of digit_size limbs, special primes P            (Gentry-Halevi-Smart; Han-Ki)
//   klss    products over an auxiliary base T, key in blocks        (Kim-Lee-Seo-Song, ePrint
//   2023/413)
//
// klss with a key derived from a hybrid one returns hybrid's limbs, bit for bit.
//
//   const ProgramRing ring = key_switch_ring(parameters, shape, limb_count);
//   Builder b(ring.moduli(), "switch");
//   const Digits digits = emit_digits(b, ring, shape, d);
//   const auto [o_0, o_1] =
//       emit_switched(b, ring, shape, digits, declare_key(b, ring, shape, "key"));
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heliodor/rlwe/keyswitch/base_conversion.h"
#include "heliodor/rlwe/keyswitch/program_ring.h"

namespace heliodor::rlwe {

enum class KeySwitchMethod : std::uint8_t { bv, hybrid, klss };

std::string_view to_string(KeySwitchMethod method) noexcept;

/// How a program comes by the uniform halves a_j of a key.
enum class KeyForm : std::uint8_t {
  stored,  ///< as inputs
  seeded,  ///< expanded from the key's seed (EvaluationKey::seed); bv and hybrid only
};

/// Bits of T's primes where nothing else is said: the widest with the fastest transforms on CPUs.
inline constexpr unsigned kUsualTBits = 47;

/// What a program needs to know of a switch besides the ring.
struct KeySwitchShape {
  KeySwitchMethod method;
  Gadget gadget;
  std::size_t block_size = 0;     ///< alpha~, in limbs of P then Q; klss only
  unsigned t_bits = kUsualTBits;  ///< of T's primes, by the target's choice; klss only
  KeyForm key_form = KeyForm::stored;

  bool operator==(const KeySwitchShape&) const = default;
};

/// "hybrid/9+9/27" (digit_size + special_count / max_limb_count), "klss/3+3/27/5" (block_size),
/// "hybrid/9+9/27/seeded": part of program names. T's bits are left out, as a target has one
/// choice.
std::string to_string(const KeySwitchShape& shape);

/// The moduli of programs that switch with this shape: Q, the gadget's P, and T for klss.
/// Throws Error{out_of_range} for a limb_count above the gadget's.
ProgramRing key_switch_ring(const Parameters& parameters, const KeySwitchShape& shape,
                            std::size_t limb_count);

/// Digits of d ready for inner products with any number of keys: what hoisted rotations share.
/// bv digits are centred whatever the ring's lift; the digit's own limbs keep d's evaluations.
/// digits[j][i]: D_j modulo the i-th modulus, evaluations; over Q (bv), QP (hybrid), T (klss).
struct Digits {
  std::vector<Limbs> digits;
};

/// A key's values in a program: component 0 (b) and 1 (a), then as the method stores it:
/// bv, hybrid: [component][j][i]; klss: [component][j][block * |T| + i].
struct KeyValues {
  std::array<std::vector<Limbs>, 2> components;
};

/// Declares the key inputs in the one order that run-time bindings follow (key_limbs.h): for each
/// digit j of gadget.digit_count(l), for b then a, the limbs i = 0 .. (klss: blocks, then T).
/// Seeded: the seed, then the limbs of b; Error{unsupported} for klss, whose key has no seed.
KeyValues declare_key(program::Builder& b, const ProgramRing& ring, const KeySwitchShape& shape,
                      std::string_view name);

Digits emit_digits(program::Builder& b, const ProgramRing& ring, const KeySwitchShape& shape,
                   const Limbs& d);

/// Polynomials in coefficients modulo Q that a switch adds to its result: for less than a transform
/// each where a division by P ends it.
using Addends = std::optional<std::array<Limbs, 2>>;

/// From digits to (o_0, o_1), plus the addends.
std::array<Limbs, 2> emit_switched(program::Builder& b, const ProgramRing& ring,
                                   const KeySwitchShape& shape, const Digits& digits,
                                   const KeyValues& key, const Addends& addends = {});

}  // namespace heliodor::rlwe
