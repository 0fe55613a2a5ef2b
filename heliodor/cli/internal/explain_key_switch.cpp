// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/explain_key_switch.h"

#include <fmt/format.h>

#include <ostream>
#include <string>
#include <utility>

#include "heliodor/cli/table.h"
#include "heliodor/rlwe/evaluator_programs.h"

namespace heliodor::cli {

std::vector<ExplainedChoice> explain_key_switch(std::shared_ptr<const program::Target> target,
                                                const WorkloadSize& size) {
  rlwe::Parameters::Description description =
      rlwe::choose_moduli({.degree = size.degree,
                           .q_bits = std::vector<unsigned>(size.limbs, size.bits),
                           .digit_count = size.digits});
  description.security = rlwe::SecurityLevel::none;
  const auto context = std::make_shared<const rlwe::Context>(
      rlwe::Parameters(std::move(description)), std::move(target));
  const rlwe::KeySwitchPlanner planner(context);
  std::vector<ExplainedChoice> choices;
  for (std::size_t l = size.limbs; l >= 1; --l) {
    choices.push_back({l, planner.choose("keyswitch", l, [&](const rlwe::KeySwitchShape& shape) {
                         return key_switch_program(context->parameters(), shape, l);
                       })});
  }
  return choices;
}

void write_choices(std::ostream& out, const std::vector<ExplainedChoice>& choices) {
  Table table({"limb_count, candidate", "predicted", "of the cheapest"});
  for (const auto& [limb_count, candidates] : choices) {
    const double cheapest = candidates.front().predicted_seconds;
    std::string number = fmt::format("{}", limb_count);
    for (const auto& [shape, seconds] : candidates) {
      table.add_row({fmt::format("{:>4}  {}", std::exchange(number, ""), to_string(shape)),
                     format_seconds(seconds), fmt::format("{:.2f}", seconds / cheapest)});
    }
  }
  out << "method/digit_size+special/largest limb_count, klss: /block_size\n\n";
  table.write(out);
}

}  // namespace heliodor::cli
