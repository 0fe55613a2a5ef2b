// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "heliodor/rlwe/scheme_context.h"
#include "heliodor/schemes/bfv/parameters.h"

namespace heliodor::bfv {

using Context = rlwe::SchemeContext<Parameters>;
using ContextPtr = std::shared_ptr<const Context>;

}  // namespace heliodor::bfv
