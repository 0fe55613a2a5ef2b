// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "heliodor/rlwe/scheme_context.h"
#include "heliodor/schemes/bgv/parameters.h"

namespace heliodor::bgv {

using Context = rlwe::SchemeContext<Parameters>;
using ContextPtr = std::shared_ptr<const Context>;

}  // namespace heliodor::bgv
