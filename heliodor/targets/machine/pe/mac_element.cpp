// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/targets/machine/pe/mac_element.h"

#include <algorithm>

#include "heliodor/targets/machine/pe/mod_add.h"

namespace heliodor::machine::pe {

MacElement::Outputs MacElement::step(const Inputs& inputs) noexcept {
  if (!inputs.rst_n) {
    valid_ = false;
    accumulator_.valid = false;
  }
  const Outputs shown = accumulator_;

  const ModMulBarrett::Outputs product = multiplier_.step({inputs.rst_n, valid_, factors_});
  const Term& term = terms_.back();
  accumulator_.valid = product.valid && term.last;
  if (product.valid) {
    accumulator_.r = mod_add({term.first ? 0 : accumulator_.r, product.p, term.q});
  }

  std::ranges::move_backward(terms_.begin(), terms_.end() - 1, terms_.end());
  terms_.front() = {inputs.first, inputs.last, inputs.q};
  valid_ = inputs.rst_n && inputs.valid;
  const std::uint32_t b = inputs.from_register ? registers_[inputs.register_index] : inputs.b;
  factors_ = {inputs.a, b, inputs.q, inputs.mu};
  if (inputs.write_valid) {
    registers_[inputs.write_register] = inputs.write_data;
  }
  return shown;
}

}  // namespace heliodor::machine::pe
