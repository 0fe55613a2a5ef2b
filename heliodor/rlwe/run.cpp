// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/rlwe/run.h"

#include <fmt/format.h>

#include <utility>

#include "heliodor/base/error.h"

namespace heliodor::rlwe {
namespace {

template <typename Matrix, typename Span>
void append_limbs(Matrix& matrix, std::vector<Span>& spans) {
  for (std::size_t part = 0; part < matrix.parts(); ++part) {
    for (std::size_t i = 0; i < matrix.limb_count(); ++i) spans.push_back(matrix.limb(part, i));
  }
}

}  // namespace

void run(const program::Plan& plan, std::span<const program::Binding> batch,
         const program::SharedBinding& shared) {
  const program::RunReport report = plan.run(batch, shared);
  if (report.fault) {
    throw Error(ErrorCode::unsupported, fmt::format("the target stopped in {}: {}",
                                                    plan.program().name(), report.fault->reason));
  }
}

void run(const program::Plan& plan, std::span<const Job> jobs, LimbSpans keys) {
  std::vector<program::Binding> batch(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (const LimbMatrix* input : jobs[i].inputs) append_limbs(*input, batch[i].operands);
    for (LimbMatrix* output : jobs[i].outputs) append_limbs(*output, batch[i].outputs);
  }
  run(plan, batch, {std::move(keys), {}});
}

void run(const program::Plan& plan, const Job& job, LimbSpans keys) {
  run(plan, {&job, 1}, std::move(keys));
}

}  // namespace heliodor::rlwe
