// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// LimbArena: memory for a fixed number of equally long limbs.
//
// Limb i starts 64-byte aligned and a further 17 cache lines (1,088 bytes) after the end of limb
// i-1. Limbs of a power-of-two length laid end to end would all start in the same set of the L1
// cache, and a kernel that reads more limbs in step than the cache has ways would evict every line
// before its second use; base conversion, which reads forty and more, then takes about twice as
// long. 17 is coprime to the number of sets (64 in a 32 KiB, 8-way cache), so that the starts of 64
// limbs fall into 64 different sets. Blocks of 1 MiB and more are backed by huge pages where the
// system grants them.
//
// Memory that is given back is kept for the next arena of its size, up to 128 MiB in the process:
// fresh pages cost as much as a pass over a limb. Checked builds keep none, so that sanitizers see
// every end of life.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heliodor::base {

/// What new limbs hold.
enum class Fill : std::uint8_t {
  zeros,
  nothing,  ///< words of earlier arenas (all ones in checked builds): for what is written next
};

class LimbArena {
 public:
  static constexpr std::size_t kAlignment = 64;
  static constexpr std::size_t kStaggerBytes = 1088;

  LimbArena() = default;
  /// `limb_count` limbs of `words` 64-bit words. Throws Error{out_of_memory} if the system refuses,
  /// and Error{out_of_range} if the size in bytes overflows std::ptrdiff_t.
  LimbArena(std::size_t limb_count, std::size_t words, Fill fill = Fill::zeros);
  ~LimbArena();
  /// A moved-from arena is empty.
  LimbArena(LimbArena&& other) noexcept;
  LimbArena& operator=(LimbArena&& other) noexcept;
  LimbArena(const LimbArena&) = delete;
  LimbArena& operator=(const LimbArena&) = delete;

  std::size_t limb_count() const noexcept { return limb_count_; }
  std::size_t words() const noexcept { return words_; }
  std::size_t bytes() const noexcept { return bytes_; }  ///< taken from the system

  /// Requires index < limb_count().
  std::span<std::uint64_t> limb(std::size_t index) noexcept;
  std::span<const std::uint64_t> limb(std::size_t index) const noexcept;

  /// Overwrites everything with zeros in a way the compiler may not remove: for arenas that held
  /// secrets.
  void wipe() noexcept;

 private:
  std::uint64_t* base_ = nullptr;
  std::size_t limb_count_ = 0;
  std::size_t words_ = 0;
  std::size_t stride_ = 0;  // words from one limb's start to the next
  std::size_t bytes_ = 0;
};

}  // namespace heliodor::base
