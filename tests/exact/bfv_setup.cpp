// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/exact/bfv_setup.h"

namespace heliodor::exact {

double BfvSetup::measured_error_log2(const bfv::Ciphertext& ciphertext) const {
  const bfv::Ciphertext of_zero = evaluator.sub_plain(ciphertext, decryptor.decrypt(ciphertext));
  return rlwe::measured_noise_log2_for_debugging(
      rlwe::Decryptor(context->rlwe(), secret), context->parameters().rlwe(), of_zero,
      rlwe::LimbMatrix(1, ciphertext.limb_count(), context->parameters().degree()));
}

}  // namespace heliodor::exact
