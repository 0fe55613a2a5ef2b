// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/formats/trace/internal/fhetch_ring.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

#include "heliodor/base/error.h"
#include "heliodor/program/verifier.h"
#include "heliodor/ring/primes.h"

namespace heliodor::formats::trace::internal {

using base::Position;

namespace {

constexpr std::uint64_t kSentinel = std::numeric_limits<std::uint64_t>::max();

}  // namespace

FhetchRing::FhetchRing(std::optional<std::uint64_t> degree) : degree_(degree) {
  if (degree_) ring::Modulus::check_degree(*degree_);
}

void FhetchRing::parse_count(LineReader& line) {
  const Position place = line.place();
  const std::uint64_t count = line.number("the number of moduli");
  line.expect_end();
  if (table_size_ != 0) throw Fault{place, "the number of moduli is stated twice"};
  if (count < 2 || count > program::kMaxModuli + 1) {
    throw Fault{place, fmt::format("modulus_count {} is not from 2, with the sentinel, to {}",
                                   count, program::kMaxModuli + 1)};
  }
  table_size_ = count;
}

void FhetchRing::parse_modulus(LineReader& line) {
  line.expect('[');
  const Position index_place = line.place();
  const std::uint64_t index = line.number("the index of a modulus");
  line.expect(']');
  const Position place = line.place();
  // Other readers take digits without 0x for hexadecimal too.
  const std::uint64_t value = line.hexadecimal("the modulus");
  line.expect_end();
  if (table_size_ == 0) throw Fault{index_place, "modulus_count must come first"};
  if (index != entry_count() || has_table()) {
    const std::string expected =
        has_table() ? "no further modulus" : fmt::format("m[{}]", entry_count());
    throw Fault{index_place, fmt::format("m[{}] is out of order, expected {}", index, expected)};
  }
  if (index == 0) {
    if (value != kSentinel) {
      throw Fault{place, fmt::format("m[0] is 0x{:X}, not the sentinel 0x{:X}", value, kSentinel)};
    }
    sentinel_seen_ = true;
    return;
  }
  if (value < 2) throw Fault{place, fmt::format("the modulus {} is below 2", value)};
  if (std::ranges::find(values_, value) != values_.end()) {
    throw Fault{place, fmt::format("the modulus 0x{:X} stands in the table twice", value)};
  }
  values_.push_back(value);
  entries_.push_back({place, {}, {}});
}

void FhetchRing::require_table(const Position& place) const {
  if (has_table()) return;
  if (table_size_ == 0) throw Fault{place, "modulus_count is missing"};
  throw Fault{place,
              fmt::format("the table of moduli ends after {} of {}", entry_count(), table_size_)};
}

void FhetchRing::state_degree(std::uint64_t degree, const Position& place) {
  if (degree_ && *degree_ != degree) {
    throw Fault{place, fmt::format("degree {} contradicts degree {}", degree, *degree_)};
  }
  degree_ = degree;
  try {
    ring::Modulus::check_degree(degree);
  } catch (const Error& error) {
    throw Fault{place, error.what()};
  }
}

void FhetchRing::state_root(std::uint32_t modulus, const std::optional<Argument>& omega,
                            const Position& place) {
  Entry& entry = entries_[modulus];
  if (!omega) {
    if (!entry.rootless) entry.rootless = place;
    return;
  }
  if (!entry.root) entry.root = omega;
  if (entry.root->value != omega->value) {
    throw Fault{omega->place,
                fmt::format("omega {} contradicts omega {} of another transform modulo {}",
                            omega->value, entry.root->value, values_[modulus])};
  }
}

std::optional<std::uint32_t> FhetchRing::number(const Argument& m) const {
  if (m.value >= table_size_) {
    throw Fault{m.place, fmt::format("m={} is not below modulus_count {}", m.value, table_size_)};
  }
  if (m.value == 0) return std::nullopt;
  return static_cast<std::uint32_t>(m.value - 1);
}

std::uint32_t FhetchRing::real_number(const Argument& m) const {
  if (const auto index = number(m)) return *index;
  throw Fault{m.place, "m=0 is the sentinel: only copies, zeros and automorphisms may have it"};
}

std::vector<ring::Modulus> FhetchRing::make_moduli() const {
  if (!degree_) {
    throw Fault{{},
                "the degree of the ring is missing: neither a comment nor an automorphism "
                "states it"};
  }
  std::vector<ring::Modulus> moduli;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    try {
      moduli.push_back(make_modulus(values_[i], entries_[i]));
    } catch (const Error& error) {
      throw Fault{entries_[i].place, error.what()};
    }
  }
  return moduli;
}

ring::Modulus FhetchRing::make_modulus(std::uint64_t q, const Entry& entry) const {
  const ring::Modulus usual(q, *degree_);
  if (!entry.root || entry.root->value == usual.psi()) return usual;
  const std::uint64_t root = entry.root->value;
  if (root >= q || !ring::is_primitive_root(root, q, *degree_)) {
    throw Fault{entry.root->place,
                fmt::format("omega {} is not a primitive root of order {} modulo {}", root,
                            2 * *degree_, q)};
  }
  if (entry.rootless) {
    throw Fault{*entry.rootless,
                fmt::format("without omega the root is {}, another transform modulo {} states {}",
                            usual.psi(), q, root)};
  }
  return {q, *degree_, root};
}

}  // namespace heliodor::formats::trace::internal
