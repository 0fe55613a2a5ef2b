// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A streaming core as seen from its ports, clock by clock: what the models (session_model.h,
// relinearize_model.h) and the Verilated RTL have in common.
#pragma once

#include <cstdint>

namespace heliodor::stream {

/// What stands on the inputs during one clock.
struct CoreInputs {
  bool rst_n = true;         ///< low: everything is forgotten, as after power-up
  std::uint32_t degree = 0;  ///< N; the session core reads it when an RLPT command is taken
  bool in_valid = false;
  std::uint64_t in_data = 0;
  bool in_last = false;
  bool out_ready = false;
};

/// What the core shows during that clock. All of it comes from registers: no output depends on an
/// input of the same clock.
struct CoreOutputs {
  bool in_ready = false;
  bool out_valid = false;
  std::uint64_t out_data = 0;  ///< has meaning where out_valid is set, as has out_last
  bool out_last = false;
};

class SessionCore {
 public:
  virtual ~SessionCore() = default;

  /// The outputs of the coming clock.
  virtual CoreOutputs outputs() const = 0;

  /// That clock: the rising edge takes the inputs.
  virtual void clock(const CoreInputs& inputs) = 0;
};

}  // namespace heliodor::stream
