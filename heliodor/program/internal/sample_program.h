// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Small programs that the tests of this component share.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "heliodor/program/builder.h"

namespace heliodor::program::internal {

/// q0 = 97, q1 = 193, q2 = 257: primes that are 1 modulo 2*16.
inline std::vector<ring::Modulus> sample_moduli() {
  return {ring::Modulus(97, 16), ring::Modulus(193, 16), ring::Modulus(257, 16)};
}

/// Every instruction, every kind of input, both roundings, both lifts, extreme scalars and a name
/// beyond ASCII.
inline LimbProgram sample_program() {
  Builder b(sample_moduli(), "every instruction");
  const ValueId x = b.operand("x", 0, Domain::coeff);
  const ValueId y = b.operand("y", 1, Domain::coeff);
  const ValueId key = b.key("k\xc3\xa9y", 0, Domain::eval);
  const ValueId weights = b.constant("weights", 0, Domain::eval);
  const ValueId seed = b.seed("seed");
  const ValueId a = b.uniform(seed, 0xffff'ffff'ffff'ffff, 0, Domain::eval);
  const ValueId e = b.ntt(b.neg(x));
  const ValueId sum = b.add(e, b.sub(a, b.mul(key, weights)));
  const ValueId product = b.dot(std::array{std::pair{sum, key}, std::pair{e, e}});
  const ValueId moved = b.permute(31, b.intt(b.add_scalar(b.mul_scalar(product, 96), 0)));
  const ValueId small = b.reduce(0, ring::Lift::centred, y);
  const ValueId plain = b.reduce(2, ring::Lift::plain, x);
  const ValueId up = b.quotient(0, ring::Rounding::nearest, std::array{x, y, plain});
  const ValueId down = b.quotient(0, ring::Rounding::floor, std::array{x, y});
  const std::array<std::uint64_t, 5> c{1, 96, 0, 5, 12};
  const ValueId z = b.dot_scalar(0, std::array{moved, small, up, down, plain}, c);
  b.output("z", z);
  b.output("product", product);
  return b.build();
}

}  // namespace heliodor::program::internal
