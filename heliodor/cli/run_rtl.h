// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// `heliodor run --rtl`: streaming cores as their Verilated RTL instead of their models. Built with
// HELIODOR_RTL_TARGETS the definition is rtl/top/rtl_targets.cpp, otherwise run_rtl_absent.cpp.
#pragma once

#include <memory>
#include <string_view>

#include "heliodor/program/target.h"

namespace heliodor::cli {

/// The RTL of "stream:session" or "stream:relinearize". Throws Error{unavailable} for other names,
/// and for all names in a build without the RTL.
std::unique_ptr<program::Target> make_rtl_target(std::string_view name);

}  // namespace heliodor::cli
