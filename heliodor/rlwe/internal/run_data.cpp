// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/rlwe/internal/run_data.h"

#include "heliodor/rlwe/run.h"

namespace heliodor::rlwe::internal {

void RunData::operand(const LimbMatrix& x) {
  for (std::size_t part = 0; part < x.parts(); ++part) {
    for (std::size_t i = 0; i < x.limb_count(); ++i) binding.operands.push_back(x.limb(part, i));
  }
}

void RunData::key(const LimbMatrix& x, std::size_t part, std::size_t limb_count) {
  for (std::size_t i = 0; i < limb_count; ++i) shared.limbs.push_back(x.limb(part, i));
}

void RunData::key(const SecretKey& s, std::size_t limb_count) {
  for (std::size_t i = 0; i < limb_count; ++i) shared.limbs.push_back(s.limb(i));
}

void RunData::output(LimbMatrix& x, std::size_t first_part, std::size_t parts) {
  for (std::size_t part = first_part; part < first_part + parts; ++part) {
    for (std::size_t i = 0; i < x.limb_count(); ++i) binding.outputs.push_back(x.limb(part, i));
  }
}

void run(const program::Plan& plan, const RunData& data) {
  rlwe::run(plan, {&data.binding, 1}, data.shared);
}

}  // namespace heliodor::rlwe::internal
