// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/rlwe/keyswitch/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "heliodor/base/error.h"
#include "heliodor/rlwe/evaluator_programs.h"
#include "heliodor/rlwe/keyswitch/klss.h"

namespace heliodor::rlwe {
namespace {

// Of block sizes that the target refuses, none is predicted and the first is as good as another.
// Nothing if the target has too few moduli for any.
std::optional<KeySwitchShape> cheapest_klss(const Context& context, const Gadget& gadget) {
  std::optional<KeySwitchCandidate> cheapest;
  KeySwitchShape shape{KeySwitchMethod::klss, gadget};
  shape.t_bits = context.target().widest_fast_modulus_bits();
  const std::vector<std::size_t> sizes =
      klss_block_sizes(context.parameters(), gadget, shape.t_bits);
  if (sizes.empty()) return {};
  for (const std::size_t size : sizes) {
    shape.block_size = size;
    const program::LimbProgram program =
        key_switch_program(context.parameters(), shape, gadget.max_limb_count);
    if (context.target().refusal(program)) continue;
    const double seconds = context.target().predict(program).seconds;
    if (!cheapest || seconds < cheapest->predicted_seconds) cheapest = {shape, seconds};
  }
  shape.block_size = sizes.front();
  return cheapest ? cheapest->shape : shape;
}

std::vector<KeySwitchShape> shapes_of_gadgets(const Context& context) {
  std::vector<KeySwitchShape> shapes;
  for (const Gadget& gadget : context.parameters().gadgets()) {
    if (gadget.special_count == 0) {
      shapes.push_back({KeySwitchMethod::bv, gadget});
    } else {
      shapes.push_back({KeySwitchMethod::hybrid, gadget});
      if (const auto klss = cheapest_klss(context, gadget)) shapes.push_back(*klss);
    }
  }
  return shapes;
}

}  // namespace

KeySwitchPlanner::KeySwitchPlanner(ContextPtr context) : context_(std::move(context)) {}

const std::vector<KeySwitchShape>& KeySwitchPlanner::all_shapes() const {
  std::call_once(shapes_made_, [&] { all_shapes_ = shapes_of_gadgets(*context_); });
  return all_shapes_;
}

void KeySwitchPlanner::force(std::optional<KeySwitchMethod> method) {
  const std::span<const Gadget> gadgets = context_->parameters().gadgets();
  if (method && std::ranges::none_of(gadgets, [&](const Gadget& gadget) {
        return (gadget.special_count == 0) == (*method == KeySwitchMethod::bv);
      })) {
    throw Error(ErrorCode::unsupported, fmt::format("none of {} gadgets allows method {}",
                                                    gadgets.size(), to_string(*method)));
  }
  const std::lock_guard lock(mutex_);
  forced_ = method;
}

std::vector<KeySwitchShape> KeySwitchPlanner::shapes(std::size_t limb_count) const {
  const std::vector<KeySwitchShape>& all = all_shapes();
  const std::lock_guard lock(mutex_);
  std::vector<KeySwitchShape> allowed;
  for (const KeySwitchShape& shape : all) {
    const bool wanted = !forced_ || shape.method == *forced_;
    if (wanted && limb_count <= shape.gadget.max_limb_count) allowed.push_back(shape);
  }
  return allowed;
}

KeySwitchChoice KeySwitchPlanner::choose(
    const std::string& operation, std::size_t limb_count,
    const std::function<program::LimbProgram(const KeySwitchShape&)>& emit) const {
  const std::vector<KeySwitchShape> allowed = shapes(limb_count);
  std::string key = fmt::format("{}/l{}", operation, limb_count);
  for (const KeySwitchShape& shape : allowed) key += fmt::format(" {}", to_string(shape));
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = choices_.find(key); known != choices_.end()) return known->second;
  }
  KeySwitchChoice choice;
  std::string refusals;
  for (const KeySwitchShape& shape : allowed) {
    const program::LimbProgram program = emit(shape);
    if (const auto refusal = context_->target().refusal(program)) {
      refusals += fmt::format("; {}: {}", to_string(shape), *refusal);
    } else {
      const double seconds = context_->target().predict(program).seconds;
      choice.insert(
          std::ranges::upper_bound(choice, seconds, {}, &KeySwitchCandidate::predicted_seconds),
          {shape, seconds});
    }
  }
  if (choice.empty()) {
    throw Error(ErrorCode::unsupported,
                fmt::format("{} at limb_count {} has {} candidates and {} takes none{}", operation,
                            limb_count, allowed.size(), context_->target().name(), refusals));
  }
  const std::lock_guard lock(mutex_);
  return choices_.emplace(std::move(key), std::move(choice)).first->second;
}

}  // namespace heliodor::rlwe
