// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/exact/subjects.h"

#include <utility>

#include "heliodor/targets/registry/registry.h"

namespace heliodor::exact {

std::vector<std::shared_ptr<const program::Target>> subjects() {
  std::vector<std::shared_ptr<const program::Target>> result;
  for (auto& target : registry::present_targets()) {
    if (target->name() == "reference" || target->name().starts_with("cpu:"))
      result.push_back(std::move(target));
  }
  return result;
}

std::shared_ptr<const program::Target> fastest() { return registry::make_target("cpu"); }

}  // namespace heliodor::exact
