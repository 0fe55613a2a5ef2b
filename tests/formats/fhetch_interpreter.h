// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Executes a FHETCH trace line by line, by the definitions in niobium-fhetch's fhetch_api.h and
// with the plainest arithmetic there is: what imported and exported programs are compared with. It
// knows nothing of LimbPrograms, takes well-formed traces only, and throws std::runtime_error
// otherwise.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace heliodor::vectors {

using Words = std::vector<std::uint64_t>;

/// The words of the input with a name: the quoted one of a comment that declares it, else "%7".
using InputWords = std::function<Words(const std::string& name)>;

/// The outputs that comments declare, and under "%7" what each name stands for at the end.
std::map<std::string, Words> interpret_fhetch(const std::string& trace, std::uint64_t degree,
                                              const InputWords& inputs);

}  // namespace heliodor::vectors
