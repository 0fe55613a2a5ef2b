// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/rlwe/evaluator_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "heliodor/rlwe/keyswitch/base_conversion.h"

namespace heliodor::rlwe {
namespace {

using program::Builder;
using program::LimbProgram;
using program::ValueId;

using Parts = std::vector<Limbs>;

Parts declare(Builder& b, const ProgramRing& ring, std::string_view name, std::size_t parts) {
  Parts result(parts);
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t i = 0; i < ring.limb_count(); ++i) {
      result[part].push_back(
          b.operand(fmt::format("{}{}[{}]", name, part, i), ring.q_index(i), ring::Domain::eval));
    }
  }
  return result;
}

void output(Builder& b, std::string_view name, const Parts& parts) {
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (std::size_t i = 0; i < parts[part].size(); ++i)
      b.output(fmt::format("{}{}[{}]", name, part, i), parts[part][i]);
  }
}

Parts emit_tensor(Builder& b, const Parts& x, const Parts& y) {
  Parts c(3);
  for (std::size_t i = 0; i < x[0].size(); ++i) {
    const std::pair<ValueId, ValueId> cross[] = {{x[0][i], y[1][i]}, {x[1][i], y[0][i]}};
    c[0].push_back(b.mul(x[0][i], y[0][i]));
    c[1].push_back(b.dot(cross));
    c[2].push_back(b.mul(x[1][i], y[1][i]));
  }
  return c;
}

Limbs add(Builder& b, const Limbs& x, const Limbs& y) {
  Limbs sum;
  for (std::size_t i = 0; i < x.size(); ++i) sum.push_back(b.add(x[i], y[i]));
  return sum;
}

Parts emit_switch(Builder& b, const ProgramRing& ring, const KeySwitchShape& shape,
                  const Limbs& d) {
  const KeyValues key = declare_key(b, ring, shape, "key");
  const auto [o_0, o_1] = emit_switched(b, ring, shape, emit_digits(b, ring, shape, d), key);
  return {o_0, o_1};
}

Parts emit_relinearize(Builder& b, const ProgramRing& ring, const KeySwitchShape& shape,
                       const Parts& c) {
  const Parts o = emit_switch(b, ring, shape, c[2]);
  return {add(b, c[0], o[0]), add(b, c[1], o[1])};
}

Limbs permute(Builder& b, std::uint64_t galois_element, const Limbs& x) {
  Limbs result;
  for (const ValueId limb : x) result.push_back(b.permute(galois_element, limb));
  return result;
}

}  // namespace

LimbProgram linear_program(const Parameters& parameters, LinearOperation operation,
                           std::size_t a_parts, std::size_t b_parts, std::size_t limb_count) {
  const bool adds = operation == LinearOperation::add;
  const ProgramRing ring(parameters, limb_count);
  Builder b(ring.moduli(), adds ? "add" : "sub");
  const Parts x = declare(b, ring, "a", a_parts), y = declare(b, ring, "b", b_parts);
  Parts c(std::max(a_parts, b_parts));
  for (std::size_t part = 0; part < c.size(); ++part) {
    for (std::size_t i = 0; i < limb_count; ++i) {
      if (part >= b_parts) {
        c[part].push_back(x[part][i]);
      } else if (part >= a_parts) {
        c[part].push_back(adds ? y[part][i] : b.neg(y[part][i]));
      } else {
        c[part].push_back(adds ? b.add(x[part][i], y[part][i]) : b.sub(x[part][i], y[part][i]));
      }
    }
  }
  output(b, "c", c);
  return b.build();
}

LimbProgram negate_program(const Parameters& parameters, std::size_t parts,
                           std::size_t limb_count) {
  const ProgramRing ring(parameters, limb_count);
  Builder b(ring.moduli(), "negate");
  Parts c = declare(b, ring, "a", parts);
  for (Limbs& part : c) {
    for (ValueId& limb : part) limb = b.neg(limb);
  }
  output(b, "c", c);
  return b.build();
}

LimbProgram multiply_plain_program(const Parameters& parameters, std::size_t parts,
                                   std::size_t limb_count) {
  const ProgramRing ring(parameters, limb_count);
  Builder b(ring.moduli(), "multiply_plain");
  Parts c = declare(b, ring, "a", parts);
  const Parts message = declare(b, ring, "m", 1);
  for (Limbs& part : c) {
    for (std::size_t i = 0; i < limb_count; ++i) part[i] = b.mul(part[i], message[0][i]);
  }
  output(b, "c", c);
  return b.build();
}

LimbProgram tensor_program(const Parameters& parameters, std::size_t limb_count) {
  const ProgramRing ring(parameters, limb_count);
  Builder b(ring.moduli(), "tensor");
  const Parts x = declare(b, ring, "a", 2), y = declare(b, ring, "b", 2);
  output(b, "c", emit_tensor(b, x, y));
  return b.build();
}

LimbProgram key_switch_program(const Parameters& parameters, const KeySwitchShape& shape,
                               std::size_t limb_count) {
  const ProgramRing ring = key_switch_ring(parameters, shape, limb_count);
  Builder b(ring.moduli(), "keyswitch");
  const Parts d = declare(b, ring, "d", 1);
  output(b, "o", emit_switch(b, ring, shape, d[0]));
  return b.build();
}

LimbProgram relinearize_program(const Parameters& parameters, const KeySwitchShape& shape,
                                std::size_t limb_count) {
  const ProgramRing ring = key_switch_ring(parameters, shape, limb_count);
  Builder b(ring.moduli(), "relinearize");
  const Parts c = declare(b, ring, "c", 3);
  output(b, "c", emit_relinearize(b, ring, shape, c));
  return b.build();
}

LimbProgram multiply_program(const Parameters& parameters, const KeySwitchShape& shape,
                             std::size_t limb_count, std::size_t drop) {
  const ProgramRing ring = key_switch_ring(parameters, shape, limb_count);
  Builder b(ring.moduli(), "multiply");
  const Parts x = declare(b, ring, "a", 2), y = declare(b, ring, "b", 2);
  Parts c = emit_relinearize(b, ring, shape, emit_tensor(b, x, y));
  if (drop == 1) {
    for (Limbs& part : c) part = emit_mod_switch(b, ring, part);
  }
  output(b, "c", c);
  return b.build();
}

LimbProgram automorphisms_program(const Parameters& parameters, const KeySwitchShape& shape,
                                  std::size_t limb_count,
                                  std::span<const std::uint64_t> galois_elements) {
  const ProgramRing ring = key_switch_ring(parameters, shape, limb_count);
  Builder b(ring.moduli(), "automorphisms");
  const Parts c = declare(b, ring, "a", 2);
  const Digits digits = emit_digits(b, ring, shape, c[1]);
  for (std::size_t k = 0; k < galois_elements.size(); ++k) {
    const std::uint64_t g = galois_elements[k];
    const KeyValues key = declare_key(b, ring, shape, fmt::format("key{}", k));
    const auto [o_0, o_1] = emit_switched(b, ring, shape, digits, key);
    output(b, fmt::format("r{}.c", k), {permute(b, g, add(b, c[0], o_0)), permute(b, g, o_1)});
  }
  return b.build();
}

LimbProgram mod_switch_program(const Parameters& parameters, std::size_t parts,
                               std::size_t limb_count) {
  const ProgramRing ring(parameters, limb_count);
  Builder b(ring.moduli(), "mod_switch");
  Parts c = declare(b, ring, "a", parts);
  for (Limbs& part : c) part = emit_mod_switch(b, ring, part);
  output(b, "c", c);
  return b.build();
}

}  // namespace heliodor::rlwe
