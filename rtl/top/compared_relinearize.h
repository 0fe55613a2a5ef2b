// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// The Verilated complete core and its model side by side, and as a target.

#pragma once

#include <memory>

#include "Vheliodor_bv_relinearize.h"
#include "heliodor/targets/stream/relinearize_model.h"
#include "heliodor/targets/stream/relinearize_target.h"
#include "rtl/top/compared_core.h"

namespace heliodor::rtl_bench {

using ComparedRelinearize = ComparedCore<Vheliodor_bv_relinearize, stream::RelinearizeModel>;

inline stream::RelinearizeTarget relinearize_rtl_target() {
  return {"stream:relinearize-rtl", [] {
            return std::make_unique<stream::ClockedTransport>(
                std::make_unique<ComparedRelinearize>(), stream::RelinearizeTarget::kPatience);
          }};
}

}  // namespace heliodor::rtl_bench
