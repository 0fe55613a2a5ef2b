// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Runs OpenFHE's products through the complete core, from ciphertexts and keys alone.

#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "heliodor/targets/stream/internal/relinearize_sample.h"
#include "heliodor/targets/stream/relinearize_cycles.h"
#include "rtl/top/compared_relinearize.h"
#include "rtl/top/openfhe_case.h"

namespace heliodor::rtl_bench {

// A batch of OpenFHE's products, in turn; each result must be OpenFHE's relinearized limb. Returns
// the cycles.
inline std::uint64_t check_relinearized_products(const OpenfheCase& given, std::size_t batch) {
  const std::size_t limbs = given.moduli().size();
  const auto program = stream::internal::relinearize_sample(given.moduli());
  using Limbs = std::vector<OpenfheCase::Limb>;
  std::vector<Limbs> operands(batch), outputs(batch);
  std::vector<program::Binding> bindings(batch);
  for (std::size_t slot = 0; slot < batch; ++slot) {
    for (const char* part : {"a0", "a1", "b0", "b1"}) {
      for (std::size_t limb = 0; limb < limbs; ++limb) {
        operands[slot].push_back(given.limb(part, slot % given.products(), limb));
      }
    }
    outputs[slot].assign(2 * limbs, OpenfheCase::Limb(operands[slot][0].size()));
    bindings[slot].operands.assign(operands[slot].begin(), operands[slot].end());
    bindings[slot].outputs.assign(outputs[slot].begin(), outputs[slot].end());
  }
  Limbs keys;
  for (std::size_t limb = 0; limb < limbs; ++limb) {
    for (std::size_t digit = 0; digit < limbs; ++digit) {
      keys.push_back(given.limb("evalmult_key_b", digit, limb));
      keys.push_back(given.limb("evalmult_key_a", digit, limb));
    }
  }
  program::SharedBinding shared;
  shared.limbs.assign(keys.begin(), keys.end());
  const auto report = relinearize_rtl_target().plan(program)->run(bindings, shared);
  EXPECT_FALSE(report.fault) << report.fault->reason;
  for (std::size_t slot = 0; slot < batch; ++slot) {
    for (std::size_t limb = 0; limb < limbs; ++limb) {
      const std::size_t product = slot % given.products();
      EXPECT_TRUE(outputs[slot][2 * limb] == given.limb("relin_c0", product, limb))
          << "c0 of slot " << slot << ", limb " << limb;
      EXPECT_TRUE(outputs[slot][2 * limb + 1] == given.limb("relin_c1", product, limb))
          << "c1 of slot " << slot << ", limb " << limb;
    }
  }
  return report.cost.cycles.value_or(0);
}

}  // namespace heliodor::rtl_bench
