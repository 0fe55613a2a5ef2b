// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What `heliodor params` answers: the parameters that the library chooses for requirements, what
// they carry, and why they are what they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heliodor/rlwe/keyswitch/key_switch.h"
#include "heliodor/rlwe/parameters.h"

namespace heliodor::cli {

/// What is not given is the library's default.
struct ParameterRequest {
  std::string scheme = "bgv";  ///< bgv, bfv or ckks
  std::size_t depth = 1;
  rlwe::SecurityLevel security = rlwe::SecurityLevel::bits128;
  std::optional<std::uint64_t> degree = {};
  std::optional<std::size_t> digits = {};
  std::optional<rlwe::KeySwitchMethod> method = {};  ///< bv: keys without special primes
  // bgv, bfv
  std::optional<std::uint64_t> t = {};  ///< 65537 without
  std::optional<std::size_t> summands = {};
  // ckks
  std::optional<unsigned> scale_bits = {}, integer_bits = {};
  std::optional<unsigned> precision = {};  ///< bits of each slot at the end, in the worst case
};

/// After so many products in a row, in the worst case.
struct LevelRow {
  std::size_t products;
  std::size_t limb_count;
  double log_q;
  double budget;                    ///< bits
  std::optional<double> precision;  ///< bits; ckks
};

/// Limbs alone; a file adds some hundred bytes.
struct ObjectSize {
  std::string object;
  std::uint64_t in_memory;  ///< bytes
  std::uint64_t in_file;    ///< bytes; keys from a seed, without the half that it gives
};

struct ChosenParameters {
  ParameterRequest request;
  rlwe::Parameters parameters;
  std::optional<std::uint64_t> t;
  std::optional<unsigned> scale_bits;
  std::size_t slots;  ///< 0 where t gives none
  std::vector<LevelRow> levels;
  std::vector<ObjectSize> sizes;
  std::vector<std::string> reasons;  ///< one line each
};

/// Throws Error{out_of_range} for an unknown scheme, options of another scheme, and requirements
/// that no parameters meet; Error{insecure} for a degree that is too small.
ChosenParameters choose_parameters(const ParameterRequest& request);

}  // namespace heliodor::cli
