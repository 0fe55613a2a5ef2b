// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/rlwe/keyswitch/key_switch.h"

#include <fmt/format.h>

#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/rlwe/keys.h"
#include "heliodor/rlwe/keyswitch/bv.h"
#include "heliodor/rlwe/keyswitch/hybrid.h"
#include "heliodor/rlwe/keyswitch/klss.h"

namespace heliodor::rlwe {
namespace {

// Program indices of the moduli of one key polynomial, in order.
std::vector<std::uint32_t> key_moduli(const ProgramRing& ring, const KeySwitchShape& shape) {
  std::vector<std::uint32_t> indices;
  if (shape.method != KeySwitchMethod::klss) {
    for (std::size_t i = 0; i < ring.qp_size(); ++i) indices.push_back(ring.qp_index(i));
    return indices;
  }
  const std::size_t blocks = klss_block_count(shape, ring.limb_count());
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t i = 0; i < ring.t().size(); ++i) indices.push_back(ring.t_index(i));
  }
  return indices;
}

Limbs declare_limbs(program::Builder& b, const std::vector<std::uint32_t>& moduli,
                    const std::string& name) {
  Limbs limbs;
  for (std::size_t i = 0; i < moduli.size(); ++i) {
    limbs.push_back(b.key(fmt::format("{}[{}]", name, i), moduli[i], ring::Domain::eval));
  }
  return limbs;
}

// Streams count the key's own limbs: those of P follow max_limb_count limbs of Q.
KeyValues declare_seeded_key(program::Builder& b, const ProgramRing& ring,
                             const KeySwitchShape& shape, std::string_view name) {
  if (shape.method == KeySwitchMethod::klss) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{}: a klss key has no seed", to_string(shape)));
  }
  const std::vector<std::uint32_t> moduli = key_moduli(ring, shape);
  const std::size_t dropped = shape.gadget.max_limb_count - ring.limb_count();
  const program::ValueId seed = b.seed(fmt::format("{}.seed", name));
  KeyValues key;
  for (std::size_t j = 0; j < shape.gadget.digit_count(ring.limb_count()); ++j) {
    key.components[0].push_back(declare_limbs(b, moduli, fmt::format("{}.b[{}]", name, j)));
    Limbs a;
    for (std::size_t i = 0; i < moduli.size(); ++i) {
      const std::size_t place = i < ring.limb_count() ? i : i + dropped;
      a.push_back(b.uniform(seed, uniform_stream(j, place), moduli[i], ring::Domain::eval));
    }
    key.components[1].push_back(std::move(a));
  }
  return key;
}

}  // namespace

std::string_view to_string(KeySwitchMethod method) noexcept {
  switch (method) {
    case KeySwitchMethod::bv:
      return "bv";
    case KeySwitchMethod::hybrid:
      return "hybrid";
    case KeySwitchMethod::klss:
      break;
  }
  return "klss";
}

std::string to_string(const KeySwitchShape& shape) {
  const Gadget& g = shape.gadget;
  std::string text = fmt::format("{}/{}+{}/{}", to_string(shape.method), g.digit_size,
                                 g.special_count, g.max_limb_count);
  if (shape.method == KeySwitchMethod::klss) text += fmt::format("/{}", shape.block_size);
  if (shape.key_form == KeyForm::seeded) text += "/seeded";
  return text;
}

ProgramRing key_switch_ring(const Parameters& parameters, const KeySwitchShape& shape,
                            std::size_t limb_count) {
  const Gadget& gadget = shape.gadget;
  if (limb_count > gadget.max_limb_count) {
    throw Error(ErrorCode::out_of_range, fmt::format("limb_count {} exceeds {} of the key's gadget",
                                                     limb_count, gadget.max_limb_count));
  }
  if (shape.method != KeySwitchMethod::klss)
    return ProgramRing(parameters, limb_count, gadget.special_count);
  return ProgramRing(parameters, limb_count, gadget.special_count,
                     klss_base(parameters, gadget, shape.block_size, shape.t_bits));
}

KeyValues declare_key(program::Builder& b, const ProgramRing& ring, const KeySwitchShape& shape,
                      std::string_view name) {
  constexpr std::array kComponents = {'b', 'a'};
  if (shape.key_form == KeyForm::seeded) return declare_seeded_key(b, ring, shape, name);
  const std::vector<std::uint32_t> moduli = key_moduli(ring, shape);
  KeyValues key;
  for (std::size_t j = 0; j < shape.gadget.digit_count(ring.limb_count()); ++j) {
    for (std::size_t c = 0; c < 2; ++c) {
      key.components[c].push_back(
          declare_limbs(b, moduli, fmt::format("{}.{}[{}]", name, kComponents[c], j)));
    }
  }
  return key;
}

Digits emit_digits(program::Builder& b, const ProgramRing& ring, const KeySwitchShape& shape,
                   const Limbs& d) {
  switch (shape.method) {
    case KeySwitchMethod::bv:
      return emit_bv_digits(b, ring, shape.gadget, d);
    case KeySwitchMethod::hybrid:
      return emit_hybrid_digits(b, ring, shape.gadget, d);
    case KeySwitchMethod::klss:
      break;
  }
  return emit_klss_digits(b, ring, shape.gadget, d);
}

std::array<Limbs, 2> emit_switched(program::Builder& b, const ProgramRing& ring,
                                   const KeySwitchShape& shape, const Digits& digits,
                                   const KeyValues& key, const Addends& addends) {
  switch (shape.method) {
    case KeySwitchMethod::bv:
      return emit_bv_switched(b, ring, digits, key, addends);
    case KeySwitchMethod::hybrid:
      return emit_hybrid_switched(b, ring, digits, key, addends);
    case KeySwitchMethod::klss:
      break;
  }
  return emit_klss_switched(b, ring, shape, digits, key, addends);
}

}  // namespace heliodor::rlwe
