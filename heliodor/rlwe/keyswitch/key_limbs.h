// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The limbs of keys in the order of declare_key (key_switch.h), for SharedBinding::limbs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heliodor/rlwe/keys.h"
#include "heliodor/rlwe/keyswitch/klss_key.h"

namespace heliodor::rlwe {

using LimbSpans = std::vector<std::span<const std::uint64_t>>;

/// For a program of bv or hybrid at `limb_count`; seeded: the halves b_j alone. Throws
/// Error{out_of_range} above the gadget's max_limb_count.
LimbSpans key_limbs(const EvaluationKey& key, std::size_t limb_count,
                    KeyForm form = KeyForm::stored);

/// For a program of klss. Error as above.
LimbSpans key_limbs(const KlssKey& key, std::size_t limb_count);

}  // namespace heliodor::rlwe
