// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/rlwe/keyswitch/key_limbs.h"

#include <fmt/format.h>

#include "heliodor/base/error.h"
#include "heliodor/rlwe/keyswitch/klss.h"

namespace heliodor::rlwe {
namespace {

void check_limb_count(const Gadget& gadget, std::size_t limb_count) {
  if (limb_count >= 1 && limb_count <= gadget.max_limb_count) return;
  throw Error(ErrorCode::out_of_range, fmt::format("limb_count {} is not in [1, {}] of the key",
                                                   limb_count, gadget.max_limb_count));
}

}  // namespace

LimbSpans key_limbs(const EvaluationKey& key, std::size_t limb_count, KeyForm form) {
  check_limb_count(key.gadget, limb_count);
  const std::size_t step = form == KeyForm::seeded ? 2 : 1;
  LimbSpans spans;
  for (std::size_t part = 0; part < 2 * key.gadget.digit_count(limb_count); part += step) {
    for (std::size_t i = 0; i < limb_count; ++i) spans.push_back(key.limbs.limb(part, i));
    for (std::size_t i = 0; i < key.gadget.special_count; ++i)
      spans.push_back(key.limbs.limb(part, key.gadget.max_limb_count + i));
  }
  return spans;
}

LimbSpans key_limbs(const KlssKey& key, std::size_t limb_count) {
  check_limb_count(key.gadget, limb_count);
  const KeySwitchShape shape{KeySwitchMethod::klss, key.gadget, key.block_size};
  const std::size_t limbs = klss_block_count(shape, limb_count) * key.t.size();
  LimbSpans spans;
  for (std::size_t part = 0; part < 2 * key.gadget.digit_count(limb_count); ++part) {
    for (std::size_t i = 0; i < limbs; ++i) spans.push_back(key.limbs.limb(part, i));
  }
  return spans;
}

}  // namespace heliodor::rlwe
