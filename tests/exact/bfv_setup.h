// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "heliodor/schemes/bfv/encryption.h"
#include "heliodor/schemes/bfv/evaluator.h"
#include "tests/exact/slots_setup.h"

namespace heliodor::exact {

struct Bfv {
  using Parameters = bfv::Parameters;
  using Context = bfv::Context;
  using Ciphertext = bfv::Ciphertext;
  using Encryptor = bfv::Encryptor;
  using Decryptor = bfv::Decryptor;
  using Evaluator = bfv::Evaluator;
};

class BfvSetup : public SlotsSetup<Bfv> {
 public:
  using Slots = exact::Slots;
  using SlotsSetup::SlotsSetup;

  /// log2 of the largest coefficient by which the phase misses the nearest multiples of Q/t; the
  /// message must be right.
  double measured_error_log2(const bfv::Ciphertext& ciphertext) const;
};

}  // namespace heliodor::exact
