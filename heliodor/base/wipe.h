// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that held secrets is overwritten with zeros before it goes back. LimbArena::wipe does so
// for limbs, SecretVector for everything else.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace heliodor::base {

/// Zeros `bytes` bytes in a way the compiler may not remove.
void wipe(void* memory, std::size_t bytes) noexcept;

template <typename T>
void wipe(std::span<T> values) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  wipe(values.data(), values.size_bytes());
}

/// Zeros each block before it gives it back.
template <typename T>
struct WipingAllocator {
  static_assert(std::is_trivially_copyable_v<T>);
  using value_type = T;

  WipingAllocator() = default;
  template <typename U>
  explicit(false) WipingAllocator(const WipingAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) { return std::allocator<T>().allocate(count); }
  void deallocate(T* block, std::size_t count) noexcept {
    wipe(block, count * sizeof(T));
    std::allocator<T>().deallocate(block, count);
  }

  bool operator==(const WipingAllocator&) const = default;
};

/// A vector whose elements leave no trace, whether it grows, is assigned over or dies.
template <typename T>
using SecretVector = std::vector<T, WipingAllocator<T>>;

}  // namespace heliodor::base
