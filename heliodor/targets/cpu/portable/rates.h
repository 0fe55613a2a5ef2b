// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The loops of RateLoops (cpu/rate_loops.h) in standard C++: products of two words, additions, and
// loads.
#pragma once

#include "heliodor/targets/cpu/rate_loops.h"

namespace heliodor::cpu::portable {

const RateLoops& rate_loops();

}  // namespace heliodor::cpu::portable
