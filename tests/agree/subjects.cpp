// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/agree/subjects.h"

#include <utility>

#include "heliodor/targets/registry/registry.h"

namespace heliodor::agree {

std::vector<Subject> subjects() {
  std::vector<Subject> list;
  for (auto& target : registry::present_targets()) {
    if (target->name() != "reference") list.push_back({std::move(target), 1});
  }
  return list;
}

std::vector<Subject> subjects_with_threads() {
  std::vector<Subject> list = subjects();
  for (const unsigned threads : {2U, 8U}) {
    for (auto& target : registry::present_targets(threads)) {
      if (target->name().starts_with("cpu:")) list.push_back({std::move(target), threads});
    }
  }
  return list;
}

}  // namespace heliodor::agree
