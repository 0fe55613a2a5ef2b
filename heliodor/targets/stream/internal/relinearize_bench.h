// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The complete core that a test binary tests, under the same bench as the session core.
#pragma once

#include <memory>

#include "heliodor/targets/stream/internal/relinearize_data.h"
#include "heliodor/targets/stream/internal/session_bench.h"

namespace heliodor::stream::internal {

/// Each binary that lists relinearize_scenarios.cpp or relinearize_failures.cpp defines it.
std::unique_ptr<SessionCore> make_relinearize_core_under_test();

}  // namespace heliodor::stream::internal
