// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// What RelinearizeModel holds and computes: pages, digits and sums of two ciphertexts. When each
// step happens is the sequencer's and the parser's business; here a step is done as a whole.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "heliodor/targets/stream/internal/relinearize_parser.h"
#include "heliodor/targets/stream/internal/relinearize_sequencer.h"

namespace heliodor::stream::internal {

class RelinearizeMemories {
 public:
  RelinearizeMemories();

  void transform(const PageJob& job, const RelinearizeParser& parser);
  /// Coefficients of a page become a digit, centred.
  void store(const PageJob& job, const RelinearizeParser& parser);
  /// A digit goes into a page, lifted to the job's limb.
  void load(const PageJob& job, const RelinearizeParser& parser);
  /// A payload word; `page` is that of its fill or pass. Returns {c1, c0} for an odd word, else 0.
  std::uint64_t word(const PayloadWord& word, std::uint32_t page, const RelinearizeParser& parser);

 private:
  using Polynomial = std::vector<std::uint32_t>;
  template <typename Entry>
  using Pair = std::array<Entry, kGroupSize>;

  const Polynomial& twiddles(const RelinearizeProfile& profile, std::uint32_t log_degree);
  void multiply_add(const PayloadWord& word, std::uint32_t page, std::uint64_t q);
  std::uint64_t result(const PayloadWord& word, std::uint64_t q) const;

  std::array<Pair<Polynomial>, kPages> pages_;
  std::array<Pair<std::vector<std::int32_t>>, kRelinearizeMaxLimbs> digits_;
  std::array<Pair<Polynomial>, 2> sums_;  // by component
  std::uint64_t own_ = 0, even_ = 0;
  // The table of the last transform.
  RelinearizeProfile table_of_;
  Polynomial table_;
};

}  // namespace heliodor::stream::internal
