// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/exact/slot_arithmetic.h"

namespace heliodor::exact {

Slots SlotArithmetic::sum(const Slots& a, const Slots& b) const {
  Slots c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = (a[i] + b[i]) % t_;
  return c;
}

Slots SlotArithmetic::difference(const Slots& a, const Slots& b) const {
  Slots c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = (a[i] - b[i] + t_) % t_;
  return c;
}

Slots SlotArithmetic::product(const Slots& a, const Slots& b) const {
  Slots c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = a[i] * b[i] % t_;
  return c;
}

Slots SlotArithmetic::rotated(const Slots& a, std::int64_t steps) {
  const auto row = static_cast<std::int64_t>(a.size() / 2);
  Slots c(a.size());
  for (std::int64_t i = 0; i < row; ++i) {
    const std::int64_t from = ((i + steps) % row + row) % row;
    c[static_cast<std::size_t>(i)] = a[static_cast<std::size_t>(from)];
    c[static_cast<std::size_t>(row + i)] = a[static_cast<std::size_t>(row + from)];
  }
  return c;
}

Slots SlotArithmetic::swapped(const Slots& a) {
  const auto middle = a.begin() + static_cast<std::ptrdiff_t>(a.size() / 2);
  Slots c(middle, a.end());
  c.insert(c.end(), a.begin(), middle);
  return c;
}

}  // namespace heliodor::exact
