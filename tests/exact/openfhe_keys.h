// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// OpenFHE's parameters, keys and ciphertexts in our form.
#pragma once

#include <cstddef>
#include <string>

#include "heliodor/rlwe/keys.h"
#include "heliodor/rlwe/parameters.h"
#include "tests/vectors/openfhe_case.h"

namespace heliodor::exact {

/// Q, P, t and the one gadget of a case, with the fast lift that OpenFHE uses; no security.
rlwe::Parameters parameters_of(const vectors::OpenfheCase& given);

/// The key whose halves are called `name`_b and `name`_a, whole or cut into _q and _p.
rlwe::EvaluationKey evaluation_key(const vectors::OpenfheCase& given, const std::string& name);

/// An array with axes component, tower, slot. The bounds are those of 0: none is tested here.
rlwe::Ciphertext ciphertext(const vectors::OpenfheCase& given, const std::string& name);

/// The parts `names`, arrays with axes pair, tower, slot.
rlwe::Ciphertext ciphertext(const vectors::OpenfheCase& given,
                            std::initializer_list<const char*> names, std::size_t pair);

}  // namespace heliodor::exact
