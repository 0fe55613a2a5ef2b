// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/limb_arena.h"

#include <fmt/format.h>
#include <sodium.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <mutex>
#include <new>
#include <utility>

#include "heliodor/base/error.h"

namespace heliodor::base {
namespace {

constexpr std::size_t kMaxBytes = std::numeric_limits<std::ptrdiff_t>::max();
constexpr std::size_t kMaxWords =
    (kMaxBytes - LimbArena::kStaggerBytes - LimbArena::kAlignment) / sizeof(std::uint64_t);
constexpr std::size_t kHugePage = std::size_t{1} << 21;
constexpr std::size_t kMapFrom = kHugePage / 2;  // smaller blocks come from the heap
constexpr std::size_t kLargestPage = 65536;      // of x86-64 and aarch64, huge pages apart

constexpr std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

/// Bytes from one limb's start to the next; throws if `limb_count` of them do not fit.
std::size_t stride_bytes(std::size_t limb_count, std::size_t words) {
  if (words > kMaxWords) {
    throw Error(ErrorCode::out_of_range, fmt::format("words {} exceeds {}", words, kMaxWords));
  }
  const std::size_t stride =
      round_up(words * sizeof(std::uint64_t), LimbArena::kAlignment) + LimbArena::kStaggerBytes;
  if (limb_count > kMaxBytes / stride) {
    throw Error(ErrorCode::out_of_range, fmt::format("limb_count {} exceeds {} for {} words each",
                                                     limb_count, kMaxBytes / stride, words));
  }
  return stride;
}

/// What to take for `bytes`. An end that fills half a huge page gets a whole one; less is left to
/// ordinary pages, so that at most 1 MiB is wasted.
std::size_t block_bytes(std::size_t bytes) {
  if (bytes < kMapFrom) {
    return bytes;
  }
  return round_up(bytes, bytes % kHugePage >= kMapFrom ? kHugePage : kLargestPage);
}

/// `bytes` zeros on a huge page's boundary, or nullptr. The surplus needed to find one is given
/// back.
void* map_zeros(std::size_t bytes) noexcept {
  void* const mapped =
      mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) {
    return nullptr;
  }
  char* const start = static_cast<char*>(mapped);
  const std::size_t past_boundary = reinterpret_cast<std::uintptr_t>(start) % kHugePage;
  const std::size_t before = past_boundary == 0 ? 0 : kHugePage - past_boundary;
  char* const block = start + before;
  if (before > 0) {
    munmap(start, before);
  }
  if (before < kHugePage) {
    munmap(block + bytes, kHugePage - before);
  }
#ifdef MADV_HUGEPAGE
  madvise(block, bytes, MADV_HUGEPAGE);  // a wish: refusal costs time, not correctness
#endif
  return block;
}

void* heap_block(std::size_t bytes) noexcept {
  return ::operator new (bytes, std::align_val_t{LimbArena::kAlignment}, std::nothrow);
}

void release(void* block, std::size_t bytes) noexcept {
  if (bytes >= kMapFrom) {
    munmap(block, bytes);
  } else {
    ::operator delete (block, std::align_val_t{LimbArena::kAlignment});
  }
}

/// Blocks that wait for another arena of their size, the oldest first.
class KeptBlocks {
 public:
  /// A block of this size, or nullptr.
  void* take(std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = count_; i-- > 0;) {
      if (blocks_[i].bytes != bytes) continue;
      return remove(i).start;
    }
    return nullptr;
  }

  void keep(void* start, std::size_t bytes) noexcept {
    if (bytes < kKeepFrom || bytes > kKeptBytes) return release(start, bytes);
    const std::lock_guard lock(mutex_);
    while (count_ == blocks_.size() || bytes_ + bytes > kKeptBytes) {
      const Block oldest = remove(0);
      release(oldest.start, oldest.bytes);
    }
    blocks_[count_++] = {start, bytes};
    bytes_ += bytes;
  }

 private:
  struct Block {
    void* start;
    std::size_t bytes;
  };

  static constexpr std::size_t kKeptBytes = std::size_t{128} << 20;
  static constexpr std::size_t kKeepFrom = std::size_t{128} << 10;  // the heap keeps smaller ones

  Block remove(std::size_t i) noexcept {
    const Block block = blocks_[i];
    std::copy(blocks_.begin() + i + 1, blocks_.begin() + count_, blocks_.begin() + i);
    --count_;
    bytes_ -= block.bytes;
    return block;
  }

  std::mutex mutex_;
  std::array<Block, 64> blocks_{};
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

#ifdef HELIODOR_CHECKED
constexpr bool kKeepsBlocks = false;
#else
constexpr bool kKeepsBlocks = true;
#endif

/// Never destroyed: arenas of other static objects may end later.
KeptBlocks& kept_blocks() {
  static auto& blocks = *new KeptBlocks;
  return blocks;
}

/// `bytes` bytes as `fill` says, or nullptr.
void* take(std::size_t bytes, Fill fill) {
  void* block = kKeepsBlocks ? kept_blocks().take(bytes) : nullptr;
  const bool fresh_pages = block == nullptr && bytes >= kMapFrom;
  if (block == nullptr) block = fresh_pages ? map_zeros(bytes) : heap_block(bytes);
  if (block == nullptr) return nullptr;
  if (fill == Fill::zeros && !fresh_pages) std::memset(block, 0, bytes);
  if (fill == Fill::nothing && !kKeepsBlocks) std::memset(block, 0xff, bytes);
  return block;
}

void give_back(void* block, std::size_t bytes) noexcept {
  if (kKeepsBlocks) return kept_blocks().keep(block, bytes);
  release(block, bytes);
}

}  // namespace

LimbArena::LimbArena(std::size_t limb_count, std::size_t words, Fill fill)
    : limb_count_(limb_count), words_(words) {
  const std::size_t stride = stride_bytes(limb_count, words);
  stride_ = stride / sizeof(std::uint64_t);
  bytes_ = block_bytes(limb_count * stride);
  if (bytes_ == 0) {
    return;
  }
  void* const block = take(bytes_, fill);
  if (block == nullptr) {
    throw Error(ErrorCode::out_of_memory,
                fmt::format("the system refuses {} bytes for {} limbs of {} words", bytes_,
                            limb_count, words));
  }
  base_ = static_cast<std::uint64_t*>(block);
}

LimbArena::~LimbArena() {
  if (base_ != nullptr) {
    give_back(base_, bytes_);
  }
}

LimbArena::LimbArena(LimbArena&& other) noexcept
    : base_(std::exchange(other.base_, nullptr)),
      limb_count_(std::exchange(other.limb_count_, 0)),
      words_(std::exchange(other.words_, 0)),
      stride_(std::exchange(other.stride_, 0)),
      bytes_(std::exchange(other.bytes_, 0)) {}

LimbArena& LimbArena::operator=(LimbArena&& other) noexcept {
  LimbArena taken(std::move(other));
  std::swap(base_, taken.base_);
  std::swap(limb_count_, taken.limb_count_);
  std::swap(words_, taken.words_);
  std::swap(stride_, taken.stride_);
  std::swap(bytes_, taken.bytes_);
  return *this;
}

std::span<std::uint64_t> LimbArena::limb(std::size_t index) noexcept {
  return {base_ + index * stride_, words_};
}

std::span<const std::uint64_t> LimbArena::limb(std::size_t index) const noexcept {
  return {base_ + index * stride_, words_};
}

void LimbArena::wipe() noexcept {
  if (base_ != nullptr) {
    sodium_memzero(base_, limb_count_ * stride_ * sizeof(std::uint64_t));
  }
}

}  // namespace heliodor::base
