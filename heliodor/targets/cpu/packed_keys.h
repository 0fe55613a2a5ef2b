// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// PackedKeys: shared limbs of moduli up to 32 bits in 32-bit words. Key switches at small degrees
// wait for their keys, and these are half as much to read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/base/limb_arena.h"
#include "heliodor/program/target.h"

namespace heliodor::cpu {

class PackedKeys final : public program::LoadedShared {
 public:
  /// Packs limb i of `binding` where chosen[i]; its words are below 2^32.
  PackedKeys(program::SharedBinding binding, const std::vector<bool>& chosen);
  ~PackedKeys() override;

  /// Null unless limb i was chosen.
  const std::uint32_t* limb(std::size_t i) const noexcept { return limbs_[i]; }

 private:
  base::LimbArena arena_;
  std::vector<const std::uint32_t*> limbs_;
};

}  // namespace heliodor::cpu
