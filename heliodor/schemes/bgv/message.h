// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// How plaintexts meet ciphertexts: as evaluations modulo the limbs, times a factor modulo t.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heliodor/rlwe/ciphertext.h"
#include "heliodor/schemes/bgv/context.h"
#include "heliodor/schemes/slots/plaintext.h"

namespace heliodor::bgv {

/// factor * plaintext with coefficients centred modulo t: evaluations, one part of limb_count
/// limbs. Requires factor < t. Throws Error{mismatch} for a plaintext of another t or degree.
rlwe::LimbMatrix to_message(const Context& context, const slots::Plaintext& plaintext,
                            std::uint64_t factor, std::size_t limb_count);

}  // namespace heliodor::bgv
