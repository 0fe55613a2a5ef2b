// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a FHETCH trace says of its ring: the table of moduli, the roots that transforms state, and
// the degree, which may become known only at the end. Every method that is told something throws
// Fault where that contradicts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "heliodor/formats/trace/internal/line_reader.h"
#include "heliodor/ring/modulus.h"

namespace heliodor::formats::trace::internal {

/// A number with a name, "k=5".
struct Argument {
  std::uint64_t value;
  base::Position place;
};

class FhetchRing {
 public:
  /// Throws Error{out_of_range} for a degree that cannot be.
  explicit FhetchRing(std::optional<std::uint64_t> degree);

  /// What follows the word in "modulus_count 3".
  void parse_count(LineReader& line);
  /// What follows the letter in "m[1] 0x61".
  void parse_modulus(LineReader& line);
  /// Whether all moduli are there; else require_table() throws.
  bool has_table() const noexcept { return table_size_ != 0 && entry_count() == table_size_; }
  void require_table(const base::Position& place) const;

  void state_degree(std::uint64_t degree, const base::Position& place);
  /// The omega of a transform at `place`, or that it has none.
  void state_root(std::uint32_t modulus, const std::optional<Argument>& omega,
                  const base::Position& place);

  /// Values without the sentinel: the modulus with index k in the trace is number k - 1.
  const std::vector<std::uint64_t>& values() const noexcept { return values_; }
  /// The number of a modulus; nothing for the sentinel.
  std::optional<std::uint32_t> number(const Argument& m) const;
  /// As number(), but the sentinel is a fault.
  std::uint32_t real_number(const Argument& m) const;

  /// With the roots that transforms state, else with the smallest, as OpenFHE's default is.
  std::vector<ring::Modulus> make_moduli() const;

 private:
  struct Entry {  // of values_
    base::Position place;
    std::optional<Argument> root;
    std::optional<base::Position> rootless;  // a transform that states none
  };

  std::uint64_t entry_count() const noexcept { return values_.size() + (sentinel_seen_ ? 1 : 0); }
  ring::Modulus make_modulus(std::uint64_t q, const Entry& entry) const;

  std::optional<std::uint64_t> degree_;
  std::uint64_t table_size_ = 0;  // with the sentinel; 0 before the line that states it
  bool sentinel_seen_ = false;
  std::vector<std::uint64_t> values_;
  std::vector<Entry> entries_;
};

}  // namespace heliodor::formats::trace::internal
