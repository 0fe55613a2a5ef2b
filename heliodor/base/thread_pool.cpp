// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/thread_pool.h"

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "heliodor/base/error.h"

namespace heliodor::base {
namespace {

constexpr unsigned kMaxThreads = 1024;

/// The threads that TBB runs at most in this process: one per CPU of its affinity mask, unless the
/// application has set another limit.
unsigned process_limit() {
  return static_cast<unsigned>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

unsigned resolve_size(unsigned threads) {
  if (threads > kMaxThreads) {
    throw Error(ErrorCode::out_of_range,
                fmt::format("threads {} exceeds {}", threads, kMaxThreads));
  }
  return threads == 0 ? process_limit() : threads;
}

}  // namespace

struct ThreadPool::State {
  // TBB prints a warning when an arena asks for more threads than it will run.
  explicit State(unsigned threads)
      : size(threads), arena(static_cast<int>(std::min(threads, process_limit()))) {}

  unsigned size;
  tbb::task_arena arena;  // creates no thread before its first use
};

ThreadPool::ThreadPool(unsigned threads) : state_(std::make_unique<State>(resolve_size(threads))) {}

ThreadPool::~ThreadPool() = default;

unsigned ThreadPool::size() const noexcept { return state_->size; }

void ThreadPool::parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (state_->size == 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      body(i);
    }
    return;
  }
  state_->arena.execute([&] {
    // Isolated: a thread that waits here takes no other loop's body meanwhile, so that a body which
    // calls parallel_for is never interrupted by a sibling on its own stack.
    tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::size_t{0}, count, body); });
  });
}

}  // namespace heliodor::base
