// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// How many clocks a session of the complete core takes when neither side stalls. Exact, not an
// estimate: the model and the RTL take as many (relinearize_model_test.cpp,
// rtl/top/heliodor_bv_relinearize_tb.cpp).
#pragma once

#include <cstdint>

#include "heliodor/targets/stream/relinearize_frames.h"

namespace heliodor::stream {

struct RelinearizeCycles {
  std::uint64_t total = 0;  ///< from the first word offered to the last result taken, inclusive
  std::uint64_t words = 0;  ///< taken in that time; the other clocks wait
  std::uint64_t transforms = 0;  ///< clocks of them in which a transform ran
};

/// Requires a shape within bounds. Costs some operations for each transform of two groups.
RelinearizeCycles relinearize_cycles(const RelinearizeShape& shape);

}  // namespace heliodor::stream
