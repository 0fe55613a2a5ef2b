// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
#include "heliodor/base/error.h"
#include "heliodor/cli/run_rtl.h"

namespace heliodor::cli {

std::unique_ptr<program::Target> make_rtl_target(std::string_view name) {
  throw Error(ErrorCode::unavailable, "no RTL of target '" + std::string(name) +
                                          "' in this build: configure with "
                                          "-DHELIODOR_RTL_TARGETS=ON, which needs Verilator");
}

}  // namespace heliodor::cli
