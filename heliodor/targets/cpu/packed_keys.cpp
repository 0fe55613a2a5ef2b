// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/packed_keys.h"

#include <algorithm>
#include <utility>

namespace heliodor::cpu {

PackedKeys::PackedKeys(program::SharedBinding shared, const std::vector<bool>& chosen)
    : LoadedShared(std::move(shared)), limbs_(binding().limbs.size(), nullptr) {
  const auto count = static_cast<std::size_t>(std::ranges::count(chosen, true));
  if (count == 0) return;
  const std::size_t degree = binding().limbs[0].size();
  arena_ = base::LimbArena(count, (degree + 1) / 2, base::Fill::nothing);
  std::size_t next = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    if (!chosen[i]) continue;
    auto* const packed = reinterpret_cast<std::uint32_t*>(arena_.limb(next++).data());
    std::ranges::transform(binding().limbs[i], packed,
                           [](std::uint64_t word) { return static_cast<std::uint32_t>(word); });
    limbs_[i] = packed;
  }
}

PackedKeys::~PackedKeys() { arena_.wipe(); }

}  // namespace heliodor::cpu
