// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Context: BGV parameters and, in rlwe(), the target that computes with the plans made so far.
#pragma once

#include <memory>

#include "heliodor/rlwe/context.h"
#include "heliodor/schemes/bgv/parameters.h"

namespace heliodor::bgv {

class Context {
 public:
  /// Throws Error{out_of_range} without a target.
  Context(Parameters parameters, std::shared_ptr<const program::Target> target);

  const Parameters& parameters() const noexcept { return parameters_; }
  /// For key generation, slots and everything else that knows no scheme.
  const rlwe::ContextPtr& rlwe() const noexcept { return rlwe_; }

 private:
  Parameters parameters_;
  rlwe::ContextPtr rlwe_;
};

using ContextPtr = std::shared_ptr<const Context>;

}  // namespace heliodor::bgv
