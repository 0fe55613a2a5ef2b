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

std::vector<program::Binding> bindings(std::span<const Job> jobs) {
  std::vector<program::Binding> batch(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (const LimbMatrix* input : jobs[i].inputs) append_limbs(*input, batch[i].operands);
    for (LimbMatrix* output : jobs[i].outputs) append_limbs(*output, batch[i].outputs);
  }
  return batch;
}

void expect_no_fault(const program::Plan& plan, const program::RunReport& report) {
  if (!report.fault) return;
  throw Error(ErrorCode::unsupported, fmt::format("the target stopped in {}: {}",
                                                  plan.program().name(), report.fault->reason));
}

}  // namespace

void run(const program::Plan& plan, std::span<const program::Binding> batch,
         const program::SharedBinding& shared) {
  expect_no_fault(plan, plan.run(batch, shared));
}

void run(const program::Plan& plan, std::span<const Job> jobs, const program::LoadedShared& keys) {
  expect_no_fault(plan, plan.run(bindings(jobs), keys));
}

void run(const program::Plan& plan, const Job& job, const program::LoadedShared& keys) {
  run(plan, {&job, 1}, keys);
}

void run(const program::Plan& plan, const Job& job) { run(plan, bindings({&job, 1}), {}); }

}  // namespace heliodor::rlwe
