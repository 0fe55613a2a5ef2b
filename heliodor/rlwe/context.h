// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Context: parameters, the target that computes, and the plans made so far. Shared by everything a
// user makes from it; safe to use from many threads.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "heliodor/program/target.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::rlwe {

class Context {
 public:
  /// Throws Error{out_of_range} without a target.
  Context(Parameters parameters, std::shared_ptr<const program::Target> target);
  ~Context();

  const Parameters& parameters() const noexcept { return parameters_; }
  const program::Target& target() const noexcept { return *target_; }

  /// The plan of `name` (unique for the program within this context, "relinearize/hybrid/0/l7"),
  /// made by `emit` at first use. Two threads that ask at once may both emit; one plan is kept.
  const program::Plan& plan(const std::string& name,
                            const std::function<program::LimbProgram()>& emit) const;

 private:
  struct Plans;
  Parameters parameters_;
  std::shared_ptr<const program::Target> target_;
  std::unique_ptr<Plans> plans_;
};

using ContextPtr = std::shared_ptr<const Context>;

}  // namespace heliodor::rlwe
