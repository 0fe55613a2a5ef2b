// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "heliodor/schemes/bgv/encryption.h"
#include "heliodor/schemes/bgv/evaluator.h"
#include "tests/exact/slots_setup.h"

namespace heliodor::exact {

struct Bgv {
  using Parameters = bgv::Parameters;
  using Context = bgv::Context;
  using Ciphertext = bgv::Ciphertext;
  using Encryptor = bgv::Encryptor;
  using Decryptor = bgv::Decryptor;
  using Evaluator = bgv::Evaluator;
};

using BgvSetup = SlotsSetup<Bgv>;

}  // namespace heliodor::exact
