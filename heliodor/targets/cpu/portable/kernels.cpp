// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/portable/kernels.h"

namespace heliodor::cpu::portable {

const KernelTable& kernel_table() {
  static constexpr KernelTable kTable = {
      .name = "portable",
      .supported = []() noexcept { return true; },
      .make_ntt = make_ntt,
      .add = add,
      .sub = sub,
      .neg = neg,
      .mul = mul,
      .add_scalar = add_scalar,
      .mul_scalar = mul_scalar,
      .reduce = reduce,
      .dot = dot,
      .dot_scalar = dot_scalar,
      .quotient = quotient,
      .permute_eval = permute_eval,
      .permute_coeff = permute_coeff,
      .uniform = uniform,
      .costs = {.pointwise = 1.5,
                .mul = 5,
                .mac = 2,
                .mac_finish = 9,
                .butterfly = 4,
                .permute = 2,
                .quotient = 2,
                .uniform = 10},
  };
  return kTable;
}

}  // namespace heliodor::cpu::portable
