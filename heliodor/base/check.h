// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Preconditions of exactness. In builds with HELIODOR_CHECKED (presets checked, dev, asan) they
// throw Error{range_violation}; elsewhere they cost nothing and do not evaluate their arguments.
// Code that is noexcept is checked by its caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heliodor::base {

/// Throws Error{range_violation} unless every word is below `bound`. The message names `what`, the
/// first offending index, its word and the bound: "ntt input: word 17 is 123, bound 97".
void check_range(const char* what, std::span<const std::uint64_t> words, std::uint64_t bound);

}  // namespace heliodor::base

#ifdef HELIODOR_CHECKED
/// Every word of the span must be below `bound`.
#define HELIODOR_CHECK_RANGE(what, words, bound) ::heliodor::base::check_range(what, words, bound)
#else
#define HELIODOR_CHECK_RANGE(what, words, bound) static_cast<void>(0)
#endif
