// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "tests/formats/allocation_meter.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> largest_block{0};
std::atomic<std::size_t> alive{0};
std::atomic<std::size_t> alive_at_start{0};
std::atomic<std::size_t> most_alive{0};

/// Null if there is none.
void* allocate(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) noexcept {
  const std::size_t rounded = (std::max<std::size_t>(size, 1) + alignment - 1) & ~(alignment - 1);
  void* const block = std::aligned_alloc(alignment, rounded);
  if (block == nullptr) return nullptr;
  const std::size_t usable = malloc_usable_size(block);
  largest_block = std::max(largest_block.load(), size);
  alive += usable;
  most_alive = std::max(most_alive.load(), alive.load());
  return block;
}

void release(void* block) noexcept {
  if (block != nullptr) alive -= malloc_usable_size(block);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) {
  if (void* const block = allocate(size)) return block;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* block, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { release(block); }
void operator delete(void* block) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept { release(block); }
void operator delete[](void* block, std::size_t /*size*/) noexcept { release(block); }

namespace heliodor::vectors {

AllocationMeter::AllocationMeter() {
  largest_block = 0;
  alive_at_start = alive.load();
  most_alive = alive.load();
}

std::size_t AllocationMeter::largest() const noexcept { return largest_block; }

std::size_t AllocationMeter::peak() const noexcept { return most_alive - alive_at_start; }

}  // namespace heliodor::vectors
