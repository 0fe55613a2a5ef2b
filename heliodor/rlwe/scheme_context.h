// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// SchemeContext: what everything of one cryptosystem shares: the parameters of its scheme and, in
// rlwe(), the target that computes with the plans made so far.
#pragma once

#include <memory>
#include <utility>

#include "heliodor/rlwe/context.h"

namespace heliodor::rlwe {

/// SchemeParameters has rlwe(), the rlwe::Parameters below it.
template <typename SchemeParameters>
class SchemeContext {
 public:
  /// Throws Error{out_of_range} without a target.
  SchemeContext(SchemeParameters parameters, std::shared_ptr<const program::Target> target)
      : parameters_(std::move(parameters)),
        rlwe_(std::make_shared<Context>(parameters_.rlwe(), std::move(target))) {}

  const SchemeParameters& parameters() const noexcept { return parameters_; }
  /// For key generation and everything else that knows no scheme.
  const ContextPtr& rlwe() const noexcept { return rlwe_; }

 private:
  SchemeParameters parameters_;
  ContextPtr rlwe_;
};

}  // namespace heliodor::rlwe
