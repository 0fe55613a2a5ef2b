// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/cli/internal/workload_options.h"

#include "heliodor/cli/internal/commands.h"

namespace heliodor::cli {

void WorkloadOptions::add_to(CLI::App& command) {
  const auto add = [&](const char* name, std::optional<std::size_t>& value, const char* help) {
    command.add_option(name, value, help)->check(whole_number())->option_text("COUNT");
  };
  add("--limbs", limbs, "Limbs of Q; sources of baseconv");
  add("--special", special, "Limbs of P; targets of baseconv");
  add("--digits", digits, "Digits of keyswitch; terms of dot");
}

WorkloadSize WorkloadOptions::applied_to(WorkloadSize usual) const {
  usual.limbs = limbs.value_or(usual.limbs);
  usual.special = special.value_or(usual.special);
  usual.digits = digits.value_or(usual.digits);
  return usual;
}

}  // namespace heliodor::cli
