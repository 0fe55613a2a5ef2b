// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bfv/context.h"

#include <utility>

namespace heliodor::bfv {

Context::Context(Parameters parameters, std::shared_ptr<const program::Target> target)
    : parameters_(std::move(parameters)),
      rlwe_(std::make_shared<rlwe::Context>(parameters_.rlwe(), std::move(target))) {}

}  // namespace heliodor::bfv
