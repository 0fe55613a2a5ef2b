// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// When BGV drops a limb, and how far a chain of moduli reaches.
//
// Dropping q divides the phase B by q and adds a rounding error r (rlwe::mod_switch_error). What
// counts is B/Q, which must stay below 1/2.
//
// Results: if B >= q*r, dropping at most doubles B/Q and all that follows has one limb fewer.
// Operands of a product: phases A and B multiply to A*B modulo Q, or to (A/q + r)*(B/q + r) modulo
// Q/q if both drop first. That is less of its modulus if (A/q + r)*(B/q + r)*q < A*B; for A = B
// about B > r*sqrt(q).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "heliodor/rlwe/noise_growth.h"
#include "heliodor/schemes/bgv/parameters.h"

namespace heliodor::bgv {

/// Of a message with coefficients of at most t/2.
rlwe::NoiseBound message_bound(const Parameters& parameters);

/// Whether a result of this phase, of two parts, drops its last limb. Never the only one.
bool result_drops_limb(const rlwe::Parameters& parameters, rlwe::NoiseBound phase,
                       std::size_t limb_count);
/// Whether two operands of these phases do before they are multiplied.
bool operands_drop_limb(const rlwe::Parameters& parameters, rlwe::NoiseBound a, rlwe::NoiseBound b,
                        std::size_t limb_count);

/// e1, e2 coprime to t with e1*f1 = e2*f2 modulo t: what brings plaintext factors f1 and f2,
/// coprime to t, together at little noise. For a prime t |e1|, |e2| <= sqrt(t) (Thue's lemma, by
/// the Euclidean algorithm); in any case |e1|, |e2| <= t/2.
std::pair<std::int64_t, std::int64_t> balancing_multipliers(const slots::PlaintextModulus& t,
                                                            std::uint64_t f1, std::uint64_t f2);

/// The least room after 0, 1, .. `most` multiplications of supported_depth; fewer entries if it is
/// used up before.
std::vector<rlwe::NoiseBudget> noise_budgets(const Parameters& parameters, std::size_t summands,
                                             std::size_t most);

/// How many multiplications in a row, each of two sums of `summands` ciphertexts (publicly
/// encrypted or results of any depth before, rotated or not) and relinearized, stay below Q/2 with
/// the noisiest gadget, whatever the evaluator decides to drop on the way; at most `most`. Nothing
/// if not even fresh ciphertexts do.
std::optional<std::size_t> supported_depth(const Parameters& parameters, std::size_t summands,
                                           std::size_t most);

}  // namespace heliodor::bgv
