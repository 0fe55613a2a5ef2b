// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Things of which some are known to be equal and some are known: disjoint sets (Galler and Fischer,
// CACM 1964) with at most one fact for each set.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace heliodor::formats::trace::internal {

template <typename Fact>
class Classes {
 public:
  /// One more thing, in a class of its own, of which nothing is known. Things count from 0.
  void add() {
    parents_.push_back(static_cast<std::uint32_t>(parents_.size()));
    facts_.emplace_back();
  }

  /// What is known of a thing and all that equal it.
  const std::optional<Fact>& fact(std::uint32_t thing) { return facts_[root(thing)]; }

  /// Whether it does not contradict what is known; kept if so.
  bool set(std::uint32_t thing, Fact fact) {
    std::optional<Fact>& known = facts_[root(thing)];
    if (!known) known = fact;
    return *known == fact;
  }

  /// Two things are equal, as set().
  bool join(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t from = root(b);
    const std::uint32_t to = root(a);
    if (facts_[from] && !set(to, *facts_[from])) return false;
    parents_[from] = to;
    return true;
  }

  /// The thing that stands for its class; another one may after a join().
  std::uint32_t root(std::uint32_t thing) {
    while (parents_[thing] != thing) {
      parents_[thing] = parents_[parents_[thing]];
      thing = parents_[thing];
    }
    return thing;
  }

 private:
  std::vector<std::uint32_t> parents_;
  std::vector<std::optional<Fact>> facts_;
};

}  // namespace heliodor::formats::trace::internal
