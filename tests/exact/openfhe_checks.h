// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Comparisons with a case of OpenFHE, for cases of any size: every word that the case holds.
#pragma once

#include <memory>

#include "heliodor/program/target.h"
#include "heliodor/rlwe/keyswitch/key_switch.h"
#include "tests/vectors/openfhe_case.h"

namespace heliodor::exact {

using TargetPtr = std::shared_ptr<const program::Target>;

/// Tensor products, relinearized ones (each alone and all in one batch) of every pair.
void check_products(const vectors::OpenfheCase& given, const TargetPtr& target,
                    rlwe::KeySwitchMethod method);

/// The digits of c2 of pair 0.
void check_digits(const vectors::OpenfheCase& given, const TargetPtr& target,
                  rlwe::KeySwitchMethod method);

/// The inner products of pair 0 modulo QP, before mod_down.
void check_inner_products(const vectors::OpenfheCase& given, const TargetPtr& target);

/// A rotation at full limb_count; a modulus switch of a product; a rotation one limb down.
void check_rotations_and_mod_switch(const vectors::OpenfheCase& given, const TargetPtr& target,
                                    rlwe::KeySwitchMethod method);

}  // namespace heliodor::exact
