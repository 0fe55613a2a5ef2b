// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The loops of RateLoops (cpu/rate_loops.h) on 512-bit registers: vpmadd52luq, vpaddq, and loads.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heliodor::cpu::avx512 {

void multiply_52(std::size_t rounds) noexcept;
void add_64(std::size_t rounds) noexcept;
std::uint64_t read_words(const std::uint64_t* words, std::size_t count) noexcept;

}  // namespace heliodor::cpu::avx512
