// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/context.h"

#include <map>
#include <mutex>
#include <utility>

#include "heliodor/base/error.h"

namespace heliodor::rlwe {

struct Context::Plans {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<const program::Plan>> by_name;
};

Context::Context(Parameters parameters, std::shared_ptr<const program::Target> target)
    : parameters_(std::move(parameters)),
      target_(std::move(target)),
      plans_(std::make_unique<Plans>()) {
  if (!target_) throw Error(ErrorCode::out_of_range, "a context has 0 targets, not 1");
}

Context::~Context() = default;

const program::Plan& Context::plan(const std::string& name,
                                   const std::function<program::LimbProgram()>& emit) const {
  {
    const std::scoped_lock lock(plans_->mutex);
    const auto found = plans_->by_name.find(name);
    if (found != plans_->by_name.end()) return *found->second;
  }
  // Planning takes long, so that others are not kept waiting for it.
  auto made = target_->plan(emit());
  const std::scoped_lock lock(plans_->mutex);
  return *plans_->by_name.try_emplace(name, std::move(made)).first->second;
}

}  // namespace heliodor::rlwe
