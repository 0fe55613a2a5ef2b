// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0
//
// A pool of threads owned by a context, never global. Results of our programs do not depend on its
// size.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace heliodor::base {

class ThreadPool {
 public:
  /// `threads` includes the caller; 0 means one per available CPU. Of more threads than CPUs only
  /// as many as CPUs run. Throws Error{out_of_range} above 1,024.
  explicit ThreadPool(unsigned threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned size() const noexcept;

  /// Calls body(i) once for every i in [0, count), in any order, on at most size() threads, and
  /// returns when all are done. With size() 1 the calls happen in order on the caller's thread. The
  /// first exception is rethrown here; calls that have not begun by then are left out.
  /// Safe to call from several threads and from inside a body, whose thread runs no other iteration
  /// of the outer loop meanwhile. The bodies of two pools must not call each other in a circle.
  void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heliodor::base
