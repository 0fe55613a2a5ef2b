// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/coefficient_store.h"

namespace heliodor::machine::pe {

CoefficientStore::CoefficientStore(std::size_t depth) {
  for (Bank& bank : banks_) {
    bank.words.resize(depth);
  }
}

CoefficientStore::Outputs CoefficientStore::outputs() const noexcept {
  return {!banks_[write_bank_].full, banks_[read_bank_].full, read_valid_, read_data_};
}

CoefficientStore::Outputs CoefficientStore::step(const Inputs& inputs) {
  if (!inputs.rst_n) {
    banks_[0].full = false;
    banks_[1].full = false;
    write_bank_ = 0;
    read_bank_ = 0;
    read_valid_ = false;
    return outputs();
  }
  const Outputs shown = outputs();
  read_valid_ = inputs.read_valid && shown.read_ready;
  if (read_valid_) {
    Bank& bank = banks_[read_bank_];
    read_data_ = bank.words[inputs.read_address];
    if (inputs.read_last) {
      bank.full = false;
      read_bank_ = 1 - read_bank_;
    }
  }
  if (inputs.write_valid && shown.write_ready) {
    Bank& bank = banks_[write_bank_];
    bank.words[inputs.write_address] = inputs.write_data;
    if (inputs.write_last) {
      bank.full = true;
      write_bank_ = 1 - write_bank_;
    }
  }
  return shown;
}

}  // namespace heliodor::machine::pe
