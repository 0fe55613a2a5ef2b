// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The targets that exactness is tested on.
#pragma once

#include <memory>
#include <vector>

#include "heliodor/program/target.h"

namespace heliodor::exact {

/// The reference and every CPU table, slowest first.
std::vector<std::shared_ptr<const program::Target>> subjects();

/// The fastest CPU table (or the one that HELIODOR_CPU names).
std::shared_ptr<const program::Target> fastest();

}  // namespace heliodor::exact
