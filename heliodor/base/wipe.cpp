// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/wipe.h"

#include <sodium.h>

namespace heliodor::base {

void wipe(void* memory, std::size_t bytes) noexcept { sodium_memzero(memory, bytes); }

}  // namespace heliodor::base
