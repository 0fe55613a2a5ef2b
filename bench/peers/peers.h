// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The operations of `heliodor bench ops` as other libraries do them: the same degree, about as many
// bits of Q, as many digits where it lets one choose. Limbs are as wide as ours, but for OpenFHE's
// BFV, which has its own.
#pragma once

#include <vector>

#include "heliodor/cli/bench_operations.h"

namespace heliodor::peers {

/// OpenFHE's operations on the set: FIXEDMANUAL, no security level, scaling primes of at most 59
/// bits. Empty where it has no such set.
std::vector<cli::Operation> openfhe_operations(const cli::OperationSet& set);

/// SEAL's: one special prime, as it always has. No BGV set without special primes.
std::vector<cli::Operation> seal_operations(const cli::OperationSet& set);

}  // namespace heliodor::peers
