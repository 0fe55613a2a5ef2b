// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Readers of traces that may be hostile, for the corpus test and the fuzzer.
#pragma once

#include <string_view>

namespace heliodor::vectors {

// Whether the text is a trace. What is imported must verify, and be exported again where it can be:
// std::logic_error if not.

/// A degree that the text does not state is 16.
bool read_fhetch(std::string_view text);

/// One modulus, 193, and registers of 16 words.
bool read_p_isa(std::string_view text);

}  // namespace heliodor::vectors
