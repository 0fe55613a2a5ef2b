// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/run_evalmult.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "heliodor/cli/bench_programs.h"
#include "heliodor/program/builder.h"
#include "heliodor/ring/primes.h"

namespace heliodor::cli {

program::LimbProgram evalmult_with_given_digits(unsigned bits, std::uint64_t degree,
                                                std::size_t limbs) {
  std::vector<ring::Modulus> moduli;
  for (const std::uint64_t q : ring::generate_primes(bits, degree, limbs)) {
    moduli.emplace_back(q, degree);
  }
  program::Builder b(moduli, "evalmult with given digits");
  for (std::uint32_t i = 0; i < limbs; ++i) {
    const auto operand = [&](const std::string& name) {
      return b.operand(fmt::format("{}[{}]", name, i), i, ring::Domain::eval);
    };
    const auto a0 = operand("a0"), a1 = operand("a1"), b0 = operand("b0"), b1 = operand("b1");
    std::vector<std::pair<program::ValueId, program::ValueId>> c0 = {{a0, b0}};
    std::vector<std::pair<program::ValueId, program::ValueId>> c1 = {{a0, b1}, {a1, b0}};
    for (std::size_t j = 0; j < limbs; ++j) {
      const auto digit = operand(fmt::format("digit[{}]", j));
      c0.emplace_back(digit, b.key(fmt::format("key.b[{}][{}]", j, i), i, ring::Domain::eval));
      c1.emplace_back(digit, b.key(fmt::format("key.a[{}][{}]", j, i), i, ring::Domain::eval));
    }
    b.output(fmt::format("c0[{}]", i), b.dot(c0));
    b.output(fmt::format("c1[{}]", i), b.dot(c1));
  }
  return b.build();
}

program::LimbProgram evalmult_for(std::string_view target, unsigned bits, std::uint64_t degree,
                                  std::size_t limbs) {
  if (target == "stream:session") return evalmult_with_given_digits(bits, degree, limbs);
  return evalmult_bv_program(bits, degree, limbs);
}

}  // namespace heliodor::cli
