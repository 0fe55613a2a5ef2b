// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/rlwe/keyswitch/key_switcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "heliodor/base/error.h"
#include "heliodor/rlwe/keyswitch/key_limbs.h"
#include "heliodor/rlwe/keyswitch/klss_key.h"

namespace heliodor::rlwe {
namespace {

const EvaluationKey* find_key(const EvaluationKeys& keys, const Gadget& gadget) {
  const auto found = std::ranges::find(keys, gadget, &EvaluationKey::gadget);
  return found == keys.end() ? nullptr : &*found;
}

}  // namespace

struct KeySwitcher::State {
  // The keys of a plan, loaded at first use.
  struct Loaded {
    std::once_flag once;
    std::unique_ptr<const program::LoadedShared> key;
  };

  ContextPtr context;
  KeySwitchPlanner planner;
  KlssKeyCache klss_keys;
  std::mutex mutex;
  std::map<std::pair<const program::Plan*, std::vector<const EvaluationKey*>>, Loaded> loaded;

  explicit State(ContextPtr context_in) : context(std::move(context_in)), planner(context) {}

  LimbSpans limbs(const EvaluationKey& key, const KeySwitchShape& shape, std::size_t limb_count) {
    if (shape.method != KeySwitchMethod::klss) return key_limbs(key, limb_count);
    return key_limbs(klss_keys.get(context->parameters(), context->target(), key, shape),
                     limb_count);
  }

  // Keys are known by their addresses.
  const program::LoadedShared& load(const program::Plan& plan, const KeySwitchShape& shape,
                                    std::size_t limb_count,
                                    const std::vector<const EvaluationKey*>& keys) {
    Loaded* place;
    {
      const std::lock_guard lock(mutex);
      place = &loaded[{&plan, keys}];
    }
    std::call_once(place->once, [&] {
      LimbSpans all;
      for (const EvaluationKey* key : keys) {
        const LimbSpans of_key = limbs(*key, shape, limb_count);
        all.insert(all.end(), of_key.begin(), of_key.end());
      }
      place->key = plan.load({std::move(all), {}});
    });
    return *place->key;
  }
};

KeySwitcher::KeySwitcher(ContextPtr context)
    : state_(std::make_unique<State>(std::move(context))) {}

KeySwitcher::~KeySwitcher() = default;

KeySwitchPlanner& KeySwitcher::planner() noexcept { return state_->planner; }

PlannedSwitch KeySwitcher::plan(const std::string& operation, std::size_t limb_count,
                                std::span<const EvaluationKeys* const> keys, const Emit& emit) {
  if (std::ranges::any_of(keys, &EvaluationKeys::empty))
    throw Error(ErrorCode::missing_key, fmt::format("{} needs 1 key, 0 were given", operation));
  const KeySwitchChoice choice = state_->planner.choose(operation, limb_count, emit);
  const auto best = std::ranges::find_if(choice, [&](const KeySwitchCandidate& candidate) {
    return std::ranges::all_of(keys, [&](const EvaluationKeys* alternatives) {
      return find_key(*alternatives, candidate.shape.gadget) != nullptr;
    });
  });
  if (best == choice.end()) {
    throw Error(ErrorCode::missing_key,
                fmt::format("{} at limb_count {} has no key for any of {} candidates", operation,
                            limb_count, choice.size()));
  }
  const KeySwitchShape& shape = best->shape;
  const program::Plan& plan =
      state_->context->plan(fmt::format("{}/{}/l{}", operation, to_string(shape), limb_count),
                            [&] { return emit(shape); });
  std::vector<const EvaluationKey*> chosen;
  for (const EvaluationKeys* alternatives : keys)
    chosen.push_back(find_key(*alternatives, shape.gadget));
  return {shape, &plan, &state_->load(plan, shape, limb_count, chosen)};
}

}  // namespace heliodor::rlwe
