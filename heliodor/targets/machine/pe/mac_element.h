// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Twin model of rtl/mac/heliodor_mac_element.sv: sums of products modulo a 30-bit q, with one
// accumulator and a register file.

#pragma once

#include <array>
#include <cstdint>

#include "heliodor/targets/machine/pe/generated/rtl_package.h"
#include "heliodor/targets/machine/pe/mod_mul_barrett.h"

namespace heliodor::machine::pe {

class MacElement {
 public:
  static constexpr unsigned kLatency = kMacElementLatency;

  struct Inputs {
    bool rst_n = true;  // low: every valid bit in flight is cleared at once
    bool write_valid = false;
    std::uint32_t write_register = 0;  // below kMacElementRegisters
    std::uint32_t write_data = 0;
    bool valid = false;
    bool first = false;  // the term starts a sum
    bool last = false;   // the sum leaves after this term
    std::uint32_t a = 0;
    bool from_register = false;        // b is a register, else the port
    std::uint32_t register_index = 0;  // below kMacElementRegisters
    std::uint32_t b = 0;
    std::uint32_t q = 0;
    std::uint32_t mu = 0;
  };

  struct Outputs {
    bool valid = false;
    std::uint32_t r = 0;  // has meaning where valid is set
  };

  // One clock: the outputs during this clock, then the edge that takes the inputs.
  Outputs step(const Inputs& inputs) noexcept;

 private:
  struct Term {
    bool first = false;
    bool last = false;
    std::uint32_t q = 0;
  };

  std::array<std::uint32_t, kMacElementRegisters> registers_{};
  ModMulBarrett multiplier_;
  // The term of stage 1, and those whose products are on their way, oldest last.
  bool valid_ = false;
  ModMulBarrettOperands factors_;
  std::array<Term, kModMulBarrettLatency + 1> terms_{};
  Outputs accumulator_;
};

}  // namespace heliodor::machine::pe
