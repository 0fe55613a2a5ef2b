// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What `heliodor demo` computes: a BGV cryptosystem, two encrypted vectors, and their relinearized
// product as one LimbProgram that any target can run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heliodor/program/target.h"
#include "heliodor/rlwe/key_generator.h"
#include "heliodor/rlwe/keyswitch/key_switch.h"
#include "heliodor/schemes/bgv/encryption.h"
#include "heliodor/schemes/slots/slot_encoder.h"
#include "heliodor/targets/reference/run_data.h"

namespace heliodor::cli {

using Targets = std::vector<std::unique_ptr<program::Target>>;

/// Parameters for one product at this degree that all targets take, or, if there are none, those
/// that most need. Of 128 bits of security from degree 8192 on; below, toy ones (security none).
/// Throws Error{out_of_range} unless the degree is a power of two that parameters exist for.
bgv::Parameters demo_parameters(std::uint64_t degree, const Targets& targets);

class DemoProduct {
 public:
  /// Keys, slots and encryptions come from the test seed; all of it is computed on `target`.
  DemoProduct(bgv::Parameters parameters, std::shared_ptr<const program::Target> target,
              std::uint64_t seed);

  const bgv::Parameters& parameters() const noexcept { return context_->parameters(); }
  const program::LimbProgram& program() const noexcept { return program_; }
  const reference::RunInputs& inputs() const noexcept { return inputs_; }
  std::size_t digit_count() const noexcept;
  std::span<const std::int64_t> x() const noexcept { return x_; }  ///< slots, in [0, t)
  std::span<const std::int64_t> y() const noexcept { return y_; }

  /// The slots that the outputs of a run of the program decrypt to.
  std::vector<std::uint64_t> decrypt(const reference::RunOutputs& outputs) const;
  /// How many of them are x*y modulo t.
  std::size_t right_slots(std::span<const std::uint64_t> product) const;

 private:
  reference::RunInputs encrypt_inputs();

  std::uint64_t seed_;
  bgv::ContextPtr context_;
  slots::SlotEncoder encoder_;
  rlwe::KeyGenerator generator_;
  rlwe::SecretKey secret_;
  rlwe::KeySwitchShape shape_;
  std::vector<std::int64_t> x_, y_;
  program::LimbProgram program_;
  reference::RunInputs inputs_;
};

}  // namespace heliodor::cli
