// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Context: what everything of one CKKS instance shares, parameters, target and encoder.
#pragma once

#include <memory>
#include <utility>

#include "heliodor/rlwe/scheme_context.h"
#include "heliodor/schemes/ckks/encoder.h"
#include "heliodor/schemes/ckks/parameters.h"

namespace heliodor::ckks {

class Context : public rlwe::SchemeContext<Parameters> {
 public:
  /// Error{out_of_range} without a target.
  Context(Parameters parameters, std::shared_ptr<const program::Target> target)
      : SchemeContext(std::move(parameters), std::move(target)), encoder_(rlwe()) {}

  const Encoder& encoder() const noexcept { return encoder_; }

 private:
  Encoder encoder_;
};

using ContextPtr = std::shared_ptr<const Context>;

inline ContextPtr make_context(Parameters parameters,
                               std::shared_ptr<const program::Target> target) {
  return std::make_shared<Context>(std::move(parameters), std::move(target));
}

}  // namespace heliodor::ckks
