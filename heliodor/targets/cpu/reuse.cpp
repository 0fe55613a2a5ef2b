// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/targets/cpu/reuse.h"

namespace heliodor::cpu {

ReuseDistances::ReuseDistances(std::size_t places, std::size_t steps)
    : last_(places, kNever), bytes_(steps + 1, 0) {}

std::size_t ReuseDistances::touch(std::size_t place, std::size_t bytes, std::size_t step) {
  const std::size_t last = last_[place];
  if (last == step) return 0;
  std::size_t distance = kNever;
  if (last == kNever) {
    total_ += bytes;
  } else {
    distance = total_ - sum_before(last);
    add(last, -static_cast<std::ptrdiff_t>(bytes));
  }
  add(step, static_cast<std::ptrdiff_t>(bytes));
  last_[place] = step;
  return distance;
}

// Node i of the tree holds the steps (i - lowest set bit of i, i], counted from 1.
void ReuseDistances::add(std::size_t step, std::ptrdiff_t bytes) {
  for (std::size_t i = step + 1; i < bytes_.size(); i += i & (~i + 1)) bytes_[i] += bytes;
}

std::size_t ReuseDistances::sum_before(std::size_t step) const {
  std::ptrdiff_t sum = 0;
  for (std::size_t i = step; i > 0; i &= i - 1) sum += bytes_[i];
  return static_cast<std::size_t>(sum);
}

}  // namespace heliodor::cpu
