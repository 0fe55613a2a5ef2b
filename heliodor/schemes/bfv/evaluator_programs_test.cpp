// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/bfv/evaluator_programs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "heliodor/program/verifier.h"
#include "heliodor/rlwe/keyswitch/klss.h"

namespace heliodor::bfv {
namespace {

using program::LimbOp;
using program::LimbProgram;

constexpr std::size_t kLimbs = 5, kDigitSize = 2, kSpecial = 2;

Parameters parameters() {
  rlwe::ModuliRequest request{
      .degree = 64, .q_bits = std::vector<unsigned>(kLimbs, 45), .digit_count = 3};
  rlwe::Parameters::Description d = rlwe::choose_moduli(request);
  d.gadgets = {{kDigitSize, kSpecial, kLimbs}, {1, 0, kLimbs}};
  d.security = rlwe::SecurityLevel::none;
  return Parameters(d, 65537);
}

std::size_t transforms(const LimbProgram& program) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < program.instruction_count(); ++i) {
    const LimbOp op = program.instruction(i).op;
    count += op == LimbOp::ntt || op == LimbOp::intt ? 1 : 0;
  }
  return count;
}

std::size_t operands(const LimbProgram& program) {
  return static_cast<std::size_t>(
      std::ranges::count(program.inputs(), program::InputKind::operand, &program::Input::kind));
}

TEST(BfvProgramsTest, products_take_7_transforms_per_modulus_and_squares_5) {
  const Parameters p = parameters();
  for (std::size_t l = 1; l <= kLimbs; ++l) {
    const std::size_t moduli = l + p.auxiliary_base(l).size();
    const std::size_t forward = 3 * l;  // of the result
    const LimbProgram product = tensor_program(p, Factors::two, l);
    EXPECT_EQ(transforms(product), 7 * moduli + forward);
    EXPECT_EQ(operands(product), 4 * l);
    const LimbProgram square = tensor_program(p, Factors::equal, l);
    EXPECT_EQ(transforms(square), 5 * moduli + forward);
    EXPECT_EQ(operands(square), 2 * l);
    EXPECT_EQ(square.outputs().size(), 3 * l);
  }
}

// Of the switch alone: digits into the other limbs of QP, P's limbs back, the result's limbs; no
// inverse transform of the third part, none of its own for the first two.
TEST(BfvProgramsTest, relinearization_shares_its_transforms_with_the_product) {
  const Parameters p = parameters();
  const std::size_t l = kLimbs, digits = 3;
  const rlwe::KeySwitchShape hybrid{rlwe::KeySwitchMethod::hybrid, p.rlwe().gadgets()[0]};
  const std::size_t product = 7 * (l + p.auxiliary_base(l).size());
  EXPECT_EQ(transforms(multiply_program(p, Factors::two, hybrid, l)),
            product + digits * (l + kSpecial) + 2 * kSpecial + 2 * l);
  const rlwe::KeySwitchShape bv{rlwe::KeySwitchMethod::bv, p.rlwe().gadgets()[1]};
  EXPECT_EQ(transforms(multiply_program(p, Factors::two, bv, l)), product + l * l + 2 * l);
}

TEST(BfvProgramsTest, every_shape_and_limb_count_gives_a_well_formed_program) {
  const Parameters p = parameters();
  const rlwe::Gadget hybrid = p.rlwe().gadgets()[0], bv = p.rlwe().gadgets()[1];
  for (const rlwe::KeySwitchShape& shape :
       {rlwe::KeySwitchShape{rlwe::KeySwitchMethod::bv, bv},
        rlwe::KeySwitchShape{rlwe::KeySwitchMethod::hybrid, hybrid},
        rlwe::KeySwitchShape{rlwe::KeySwitchMethod::klss, hybrid, 3}}) {
    for (std::size_t l = 1; l <= kLimbs; ++l) {
      for (const Factors factors : {Factors::two, Factors::equal}) {
        const LimbProgram program = multiply_program(p, factors, shape, l);
        EXPECT_TRUE(program::verify(program).empty());
        EXPECT_EQ(program.outputs().size(), 2 * l);
      }
    }
  }
}

}  // namespace
}  // namespace heliodor::bfv
