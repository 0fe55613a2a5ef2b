// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// The layout is linear over GF(2): the place of (chunk, lane) is that of (chunk, 0) with that of
// (0, lane) xored in, and their rows have no bits in common. So a window is one fixed wiring
// between lanes and banks, and each chunk one constant that is xored to it.
#include "heliodor/targets/machine/banked_scratchpad.h"

#include <fmt/format.h>

#include <algorithm>

namespace heliodor::machine {
namespace {

/// In cells that were never written: moduli have at most 60 bits, so no word looks like this.
constexpr std::uint64_t kUnwritten = ~std::uint64_t{0};
static_assert(ring::Modulus::kMaxBits < 64);

}  // namespace

BankedScratchpad::BankedScratchpad(std::uint32_t rows, const Layout& layout,
                                   std::uint32_t word_bits)
    : layout_(layout),
      bank_mask_(layout.chunk_words() - 1),
      word_bits_(std::min(word_bits, ring::Modulus::kMaxBits)),
      word_mask_((std::uint64_t{1} << word_bits_) - 1),
      cells_(std::size_t{rows} << layout.chunk_bits, kUnwritten),
      wiring_(layout.windows(), std::vector<std::uint32_t>(layout.chunk_words())),
      asked_by_(layout.chunk_words()) {
  for (std::uint32_t window = 0; window < layout.windows(); ++window) {
    for (std::uint32_t lane = 0; lane < layout.chunk_words(); ++lane) {
      const std::uint32_t index = layout.index(window, 0, lane);
      const std::uint32_t chunk = index >> layout.chunk_bits;
      wiring_[window][lane] = index ^ layout.fold(chunk);
    }
  }
}

BankedScratchpad::Route BankedScratchpad::route(const Access& access) const noexcept {
  const std::uint32_t index = layout_.index(access.window, access.chunk, 0);
  const std::uint32_t chunk = index >> layout_.chunk_bits;
  const std::size_t row = access.first + (std::size_t{chunk} << (access.wide ? 1 : 0));
  const std::uint32_t bank = (index & bank_mask_) ^ layout_.fold(chunk);
  return {row << layout_.chunk_bits, access.linear ? 0 : bank, wiring_[access.window]};
}

std::size_t BankedScratchpad::cell(const Route& route, bool wide, std::size_t lane) const noexcept {
  const std::uint32_t place = route.wiring[lane];
  const std::size_t row = std::size_t{place & ~bank_mask_} << (wide ? 1 : 0);
  return route.base + (row | ((place & bank_mask_) ^ route.bank_xor));
}

std::uint64_t BankedScratchpad::load(std::size_t cell, bool wide, bool& written) const noexcept {
  std::uint64_t word = cells_[cell];
  written = written && word != kUnwritten;
  if (wide) {
    const std::uint64_t high = cells_[cell + layout_.chunk_words()];
    written = written && high != kUnwritten;
    word |= high << word_bits_;
  }
  return word;
}

std::string BankedScratchpad::unwritten(std::size_t cell, bool wide) const {
  if (wide && cells_[cell] != kUnwritten) cell += layout_.chunk_words();
  return fmt::format("bank {} of row {} is read before it is written", cell & bank_mask_,
                     cell >> layout_.chunk_bits);
}

std::optional<std::string> BankedScratchpad::read(const Access& access,
                                                  std::span<std::uint64_t> words) const {
  const Route lanes = route(access);
  bool written = true;
  for (std::size_t lane = 0; lane < words.size(); ++lane) {
    words[lane] = load(cell(lanes, access.wide, lane), access.wide, written);
  }
  if (written) return {};
  for (std::size_t lane = 0;; ++lane) {
    const std::size_t place = cell(lanes, access.wide, lane);
    bool this_written = true;
    load(place, access.wide, this_written);
    if (!this_written) return unwritten(place, access.wide);
  }
}

void BankedScratchpad::write(const Access& access, std::span<const std::uint64_t> words) noexcept {
  const Route lanes = route(access);
  for (std::size_t lane = 0; lane < words.size(); ++lane) {
    const std::size_t place = cell(lanes, access.wide, lane);
    cells_[place] = words[lane] & word_mask_;
    if (access.wide) {
      cells_[place + layout_.chunk_words()] = (words[lane] >> word_bits_) & word_mask_;
    }
  }
}

std::optional<std::string> BankedScratchpad::gather(Row first, bool wide,
                                                    std::span<const std::uint32_t> indices,
                                                    std::span<std::uint64_t> words) {
  std::fill(asked_by_.begin(), asked_by_.end(), 0);
  for (std::uint32_t lane = 0; lane < indices.size(); ++lane) {
    const std::uint32_t bank = indices[lane] & bank_mask_;
    const std::uint32_t other = asked_by_[bank];
    if (other != 0) {
      return fmt::format("lanes {} and {} need bank {} in one access", other - 1, lane, bank);
    }
    asked_by_[bank] = lane + 1;
    const std::uint32_t chunk = indices[lane] >> layout_.chunk_bits;
    const std::size_t row = first + (std::size_t{chunk} << (wide ? 1 : 0));
    const std::size_t place = row << layout_.chunk_bits | bank;
    bool written = true;
    words[bank] = load(place, wide, written);
    if (!written) return unwritten(place, wide);
  }
  return {};
}

}  // namespace heliodor::machine
