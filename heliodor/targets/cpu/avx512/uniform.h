// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The rejection step of the uniform kernel of AVX-512.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heliodor::cpu::avx512 {

/// Writes the words below q, each masked by `mask` first, to result in order; at most `room` of
/// them, and nothing beyond. Returns their number. count is a multiple of 8.
std::size_t take_below(std::uint64_t q, std::uint64_t mask, const std::uint64_t* words,
                       std::size_t count, std::uint64_t* result, std::size_t room) noexcept;

}  // namespace heliodor::cpu::avx512
