// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where Python may give a target or its name.
#pragma once

#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <variant>

#include "heliodor/program/target.h"
#include "heliodor/targets/registry/registry.h"

namespace heliodor::python {

using TargetArgument = std::variant<std::shared_ptr<program::Target>, std::string>;

/// Throws as registry::make_target does.
inline std::shared_ptr<const program::Target> to_target(const TargetArgument& argument) {
  if (const auto* name = std::get_if<std::string>(&argument)) return registry::make_target(*name);
  return std::get<std::shared_ptr<program::Target>>(argument);
}

}  // namespace heliodor::python
