// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// KeySwitcher: from keys and an emitter to a plan that is ready to run, by the cheapest method that
// a key is there for.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "heliodor/rlwe/context.h"
#include "heliodor/rlwe/keys.h"
#include "heliodor/rlwe/keyswitch/planner.h"

namespace heliodor::rlwe {

/// A program with key switches, planned.
struct PlannedSwitch {
  KeySwitchShape shape;
  const program::Plan* plan;         ///< of the context
  const program::LoadedShared* key;  ///< of the plan, kept by the switcher
};

/// Safe to use from many threads.
class KeySwitcher {
 public:
  using Emit = std::function<program::LimbProgram(const KeySwitchShape&)>;

  explicit KeySwitcher(ContextPtr context);
  ~KeySwitcher();

  KeySwitchPlanner& planner() noexcept;

  /// `emit` writes the program for a shape, with one key (declare_key) for each of `keys` in this
  /// order; each of `keys` lists alternatives and outlives this object. `operation` names the
  /// program within the context but for its shape and limb_count. Throws Error{missing_key} unless
  /// all have a key for one of the planner's candidates; errors as KeySwitchPlanner::choose.
  PlannedSwitch plan(const std::string& operation, std::size_t limb_count,
                     std::span<const EvaluationKeys* const> keys, const Emit& emit);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heliodor::rlwe
