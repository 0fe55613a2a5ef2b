// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// Runs OpenFHE's products through a session core, together with random ones.

#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "heliodor/targets/stream/internal/session_sample.h"
#include "heliodor/targets/stream/session_cycles.h"
#include "heliodor/targets/stream/stream_target.h"
#include "rtl/top/compared_session.h"
#include "rtl/top/openfhe_case.h"

namespace heliodor::rtl_bench {

inline void copy(const OpenfheCase::Limb& from, std::span<std::uint64_t> to) {
  std::copy(from.begin(), from.end(), to.begin());
}

// The StreamTarget on the RTL, which is compared with its model in every clock.
inline stream::StreamTarget rtl_target() {
  return {"stream:session-rtl", [] {
            return std::make_unique<stream::ClockedTransport>(std::make_unique<ComparedSession>());
          }};
}

// Runs a whole batch; every residue must be ring::reference's. Returns the cycles.
inline std::uint64_t run_and_check(const program::LimbProgram& program,
                                   const stream::internal::SampleData& data) {
  const auto plan = rtl_target().plan(program);
  const auto report = plan->run(data.bindings(), data.shared());
  EXPECT_FALSE(report.fault) << report.fault->reason;
  std::size_t wrong = 0;
  for (std::size_t slot = 0; slot < data.bindings().size(); ++slot) {
    for (std::size_t output = 0; output < program.outputs().size(); ++output) {
      const auto expected = data.expected(slot, output);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        wrong += data.output(slot, output)[i] != expected[i] ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(wrong, 0U) << "residues differ";
  return report.cost.cycles.value_or(0);
}

// Puts OpenFHE's products into slots spread over a batch, fills the others with random ciphertexts,
// and compares with OpenFHE's relinearized limbs.
inline void check_openfhe_products(const OpenfheCase& given, std::size_t batch) {
  const std::size_t limbs = given.moduli().size();
  const std::size_t digits = limbs;
  const auto program = stream::internal::sample_program(given.moduli(), digits);
  stream::internal::SampleData data(program, digits, batch, 1);
  const auto slot_of = [&](std::size_t product) {
    return product * (batch - 1) / (given.products() - 1);
  };
  for (std::size_t limb = 0; limb < limbs; ++limb) {
    for (std::size_t j = 0; j < digits; ++j) {
      copy(given.limb("evalmult_key_b", j, limb), data.key(2 * (limb * digits + j)));
      copy(given.limb("evalmult_key_a", j, limb), data.key(2 * (limb * digits + j) + 1));
      ASSERT_EQ(given.digit(0, j, limb), given.limb("digits", j, limb)) << "digit " << j;
    }
    for (std::size_t product = 0; product < given.products(); ++product) {
      const std::size_t first = limb * (4 + digits);
      const char* const parts[] = {"a0", "a1", "b0", "b1"};
      for (std::size_t part = 0; part < 4; ++part) {
        copy(given.limb(parts[part], product, limb), data.operand(slot_of(product), first + part));
      }
      for (std::size_t j = 0; j < digits; ++j) {
        copy(given.digit(product, j, limb), data.operand(slot_of(product), first + 4 + j));
      }
    }
  }
  run_and_check(program, data);
  for (std::size_t product = 0; product < given.products(); ++product) {
    for (std::size_t limb = 0; limb < limbs; ++limb) {
      ASSERT_EQ(data.output(slot_of(product), 2 * limb), given.limb("relin_c0", product, limb))
          << "product " << product << ", limb " << limb;
      ASSERT_EQ(data.output(slot_of(product), 2 * limb + 1), given.limb("relin_c1", product, limb))
          << "product " << product << ", limb " << limb;
    }
  }
}

}  // namespace heliodor::rtl_bench
