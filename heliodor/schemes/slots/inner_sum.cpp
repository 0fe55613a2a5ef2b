// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/schemes/slots/inner_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "heliodor/base/error.h"
#include "heliodor/ring/automorphism.h"
#include "heliodor/ring/modulus.h"

namespace heliodor::slots {

std::vector<std::uint64_t> inner_sum_elements(std::uint64_t count, std::uint64_t degree) {
  ring::Modulus::check_degree(degree);
  if (degree < 4 || !std::has_single_bit(count) || count > degree) {
    throw Error(
        ErrorCode::out_of_range,
        fmt::format("{} slots of {} are no power of two in [1, {}]", count, degree, degree));
  }
  std::vector<std::uint64_t> elements;
  for (std::uint64_t steps = 1; steps < std::min(count, degree / 2); steps *= 2) {
    elements.push_back(ring::galois_element_of_rotation(static_cast<std::int64_t>(steps), degree));
  }
  if (count == degree) elements.push_back(ring::galois_element_of_conjugation(degree));
  return elements;
}

}  // namespace heliodor::slots
