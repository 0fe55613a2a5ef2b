// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/portable/kernels.h"

#include "heliodor/targets/cpu/portable/rates.h"

namespace heliodor::cpu::portable {

const KernelTable& kernel_table() {
  static const KernelTable kTable = {
      .name = "portable",
      .supported = []() noexcept { return true; },
      .make_ntt = make_ntt,
      .add = add,
      .sub = sub,
      .neg = neg,
      .mul = mul,
      .add_scalar = add_scalar,
      .mul_scalar = mul_scalar,
      .sub_mul_scalar = sub_mul_scalar,
      .reduce = reduce,
      .dot = dot,
      .dot_packed = nullptr,
      .dot_scalar = dot_scalar,
      .quotient = quotient,
      .permute_eval = permute_eval,
      .permute_coeff = permute_coeff,
      .uniform = uniform,
      .rate_loops = &rate_loops(),
  };
  return kTable;
}

}  // namespace heliodor::cpu::portable
