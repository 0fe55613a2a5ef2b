// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

// The Verilated session core and its model side by side.

#pragma once

#include "Vheliodor_bv_session.h"
#include "heliodor/targets/stream/session_model.h"
#include "rtl/top/compared_core.h"

namespace heliodor::rtl_bench {

using ComparedSession = ComparedCore<Vheliodor_bv_session, stream::SessionModel>;

}  // namespace heliodor::rtl_bench
