// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// BankedScratchpad: on-chip memory, a cell of `word_bits` bits for each row and bank. An access
// moves at most one word (of a wide limb: two cells in two rows) through each bank. Cells know
// whether they were ever written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heliodor/targets/machine/layout.h"
#include "heliodor/targets/machine/micro_op.h"

namespace heliodor::machine {

/// The words of one chunk of a limb, as one access reaches them.
struct Access {
  Row first = 0;      ///< of the limb
  bool wide = false;  ///< two rows for each chunk
  std::uint32_t chunk = 0;
  std::uint32_t window = 0;
  bool linear = false;  ///< the limb lies without the xor of layout.h: words are in order of banks
};

class BankedScratchpad {
 public:
  /// Banks are as many as a chunk of the layout has words.
  BankedScratchpad(std::uint32_t rows, const Layout& layout, std::uint32_t word_bits);

  /// words[l] is lane l. Nothing, or why it cannot be: a word was never written.
  /// Requires the limb's rows to exist and words.size() == chunk_words().
  std::optional<std::string> read(const Access& access, std::span<std::uint64_t> words) const;

  /// Requires the same. Bits that the cells cannot hold are lost.
  void write(const Access& access, std::span<const std::uint64_t> words) noexcept;

  /// Reads words from anywhere in a limb in linear layout, in one access: words[b] comes from bank
  /// b, lane l asks for index indices[l]. Two lanes that ask one bank are a conflict.
  /// Requires indices.size() == words.size() == chunk_words(), each below the degree.
  std::optional<std::string> gather(Row first, bool wide, std::span<const std::uint32_t> indices,
                                    std::span<std::uint64_t> words);

 private:
  /// Where the lanes of an access lie: lane l in cell base + spread(wiring[l]) with the bank xored.
  struct Route {
    std::size_t base;
    std::uint32_t bank_xor;
    std::span<const std::uint32_t> wiring;
  };

  Route route(const Access& access) const noexcept;
  std::size_t cell(const Route& route, bool wide, std::size_t lane) const noexcept;
  std::uint64_t load(std::size_t cell, bool wide, bool& written) const noexcept;
  std::string unwritten(std::size_t cell, bool wide) const;

  Layout layout_;
  std::uint32_t bank_mask_;
  std::uint32_t word_bits_;
  std::uint64_t word_mask_;
  std::vector<std::uint64_t> cells_;                // by row and bank
  std::vector<std::vector<std::uint32_t>> wiring_;  // by window and lane: row and bank, chunk 0
  std::vector<std::uint32_t> asked_by_;             // by bank, in a gather: lane + 1
};

}  // namespace heliodor::machine
