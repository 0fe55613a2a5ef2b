// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/rlwe/keyswitch/klss_key.h"

#include <fmt/format.h>

#include <algorithm>

#include "heliodor/base/error.h"
#include "heliodor/rlwe/keyswitch/klss.h"

namespace heliodor::rlwe {
namespace {

using program::Builder;

// The program index of a modulus by its place in the order of blocks.
std::uint32_t block_order_index(const ProgramRing& ring, std::size_t place) {
  const std::size_t k = ring.special_count();
  return place < k ? ring.p_index(place) : ring.q_index(place - k);
}

// The integer that key residues modulo one block stand for.
Convertible emit_block(Builder& b, const ProgramRing& ring, const Limbs& key, std::size_t first,
                       std::size_t last) {
  std::vector<ring::Modulus> moduli;
  Limbs x;
  for (std::size_t place = first; place < last; ++place) {
    const std::uint32_t index = block_order_index(ring, place);
    moduli.push_back(b.modulus(index));
    x.push_back(b.intt(key[index]));
  }
  return prepare_conversion(b, ring::RnsBase(std::move(moduli)), x, DigitLift::exact);
}

}  // namespace

program::LimbProgram klss_key_program(const Parameters& parameters, const Gadget& gadget,
                                      std::size_t block_size, unsigned t_bits) {
  const KeySwitchShape shape{KeySwitchMethod::klss, gadget, block_size, t_bits};
  const ProgramRing ring = key_switch_ring(parameters, shape, gadget.max_limb_count);
  Builder b(ring.moduli(), "klss key");
  Limbs key;
  for (std::size_t i = 0; i < ring.qp_size(); ++i) {
    key.push_back(b.operand(fmt::format("key[{}]", i), ring.qp_index(i), ring::Domain::eval));
  }
  for (std::size_t first = 0; first < ring.qp_size(); first += block_size) {
    const std::size_t last = std::min(first + block_size, ring.qp_size());
    const Convertible integer = emit_block(b, ring, key, first, last);
    for (std::size_t i = 0; i < ring.t().size(); ++i) {
      b.output(fmt::format("block[{}][{}]", first / block_size, i),
               b.ntt(convert(b, integer, ring.t_index(i), scaling_factor(ring.t(), i))));
    }
  }
  return b.build();
}

KlssKey derive_klss_key(const Parameters& parameters, const program::Target& target,
                        const EvaluationKey& key, std::size_t block_size, unsigned t_bits) {
  const auto plan = target.plan(klss_key_program(parameters, key.gadget, block_size, t_bits));
  KlssKey result{key.gadget, block_size, klss_base(parameters, key.gadget, block_size, t_bits), {}};
  const std::size_t parts = key.limbs.parts();
  result.limbs = LimbMatrix(parts, plan->program().outputs().size(), parameters.degree());
  std::vector<program::Binding> batch(parts);
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t i = 0; i < key.limbs.limb_count(); ++i)
      batch[part].operands.push_back(key.limbs.limb(part, i));
    for (std::size_t i = 0; i < result.limbs.limb_count(); ++i)
      batch[part].outputs.push_back(result.limbs.limb(part, i));
  }
  const program::RunReport report = plan->run(batch);
  if (report.fault) {
    throw Error(ErrorCode::unsupported, fmt::format("{} stopped while it derived a klss key: {}",
                                                    target.name(), report.fault->reason));
  }
  return result;
}

const KlssKey& KlssKeyCache::get(const Parameters& parameters, const program::Target& target,
                                 const EvaluationKey& key, const KeySwitchShape& shape) {
  Entry* entry = nullptr;
  {
    const std::lock_guard lock(mutex_);
    entry = &entries_[{&key, shape.block_size, shape.t_bits}];
  }
  std::call_once(entry->once, [&] {
    entry->key = derive_klss_key(parameters, target, key, shape.block_size, shape.t_bits);
  });
  return entry->key;
}

}  // namespace heliodor::rlwe
