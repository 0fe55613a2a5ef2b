// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heliodor/cli/internal/choose_parameters.h"

namespace heliodor::cli {

/// Why each of the parameters is what it is: one line for N, Q, P, digits, security, slots and
/// noise. `log_qp_below`: what half the degree would need; nothing if it cannot do it, or is none.
std::vector<std::string> explain_parameters(const ChosenParameters& chosen,
                                            std::optional<double> log_qp_below);

}  // namespace heliodor::cli
