// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The choice of method and gadget per operation and limb_count, by the target's predicted cost. It
// never changes what is decrypted, only the time; klss and hybrid of one gadget even give the same
// limbs.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "heliodor/rlwe/context.h"
#include "heliodor/rlwe/keyswitch/key_switch.h"

namespace heliodor::rlwe {

struct KeySwitchCandidate {
  KeySwitchShape shape;
  double predicted_seconds = 0;
};

/// Why a method was chosen: all candidates, the cheapest first, for `heliodor plan`.
using KeySwitchChoice = std::vector<KeySwitchCandidate>;

/// Safe to use from many threads.
class KeySwitchPlanner {
 public:
  explicit KeySwitchPlanner(ContextPtr context);

  /// From now on only this method; nothing lifts it. Error{unsupported} if no gadget allows it.
  void force(std::optional<KeySwitchMethod> method);

  /// The shapes that gadgets of the parameters and a forced method allow at `limb_count`, in the
  /// order of the gadgets. The block size of klss is the cheapest for one key switch at the
  /// gadget's max_limb_count on the target: one for all limb counts, as each needs a derived key of
  /// its own.
  std::vector<KeySwitchShape> shapes(std::size_t limb_count) const;

  /// The choice for an operation whose whole program `emit` writes, predicted on the context's
  /// target and remembered by (operation, limb_count). Candidates that the target refuses are left
  /// out. Error{unsupported} if no shape is left.
  KeySwitchChoice choose(
      const std::string& operation, std::size_t limb_count,
      const std::function<program::LimbProgram(const KeySwitchShape&)>& emit) const;

 private:
  const std::vector<KeySwitchShape>& all_shapes() const;

  ContextPtr context_;
  mutable std::once_flag shapes_made_;
  mutable std::vector<KeySwitchShape> all_shapes_;
  mutable std::mutex mutex_;
  std::optional<KeySwitchMethod> forced_;
  mutable std::map<std::string, KeySwitchChoice> choices_;
};

}  // namespace heliodor::rlwe
