// SPDX-FileCopyrightText: Heliodor contributors
// SPDX-License-Identifier: Apache-2.0

#include "heliodor/base/thread_pool.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "heliodor/base/error.h"

namespace heliodor::base {
namespace {

constexpr unsigned kSizes[] = {1, 2, 3, 8};

/// Lets TBB run eight threads on any machine, so that the pools of these tests are as large as they
/// say even where there are fewer CPUs.
class ThreadPoolOfEightTest : public testing::Test {
 private:
  tbb::global_control limit_{tbb::global_control::max_allowed_parallelism, 8};
};

std::vector<int> calls_per_index(ThreadPool& pool, std::size_t count) {
  std::vector<std::atomic<int>> calls(count);
  pool.parallel_for(count, [&calls](std::size_t i) { ++calls[i]; });
  return {calls.begin(), calls.end()};
}

TEST_F(ThreadPoolOfEightTest, every_index_is_called_once) {
  for (const unsigned size : kSizes) {
    ThreadPool pool(size);
    ASSERT_EQ(pool.size(), size);
    for (const std::size_t count : {0u, 1u, 2u, 7u, 1000u}) {
      EXPECT_EQ(calls_per_index(pool, count), std::vector<int>(count, 1));
    }
  }
}

TEST(ThreadPoolTest, size_one_runs_in_order_on_the_caller) {
  ThreadPool pool(1);
  std::vector<std::size_t> order;
  pool.parallel_for(100, [&, caller = std::this_thread::get_id()](std::size_t i) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(i);
  });
  std::vector<std::size_t> expected(100);
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  EXPECT_EQ(order, expected);
}

TEST_F(ThreadPoolOfEightTest, at_most_size_bodies_run_at_once) {
  for (const unsigned size : kSizes) {
    ThreadPool pool(size);
    std::atomic<unsigned> running = 0;
    std::atomic<unsigned> most = 0;
    pool.parallel_for(200, [&](std::size_t) {
      const unsigned now = ++running;
      for (unsigned seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
      }
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      --running;
    });
    EXPECT_LE(most, size);
  }
}

TEST_F(ThreadPoolOfEightTest, two_threads_work_at_once) {
  ThreadPool pool(2);
  // Each body waits for the other, so that one thread alone would run into the deadline.
  std::atomic<int> arrived = 0;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  pool.parallel_for(2, [&](std::size_t) {
    ++arrived;
    while (arrived < 2 && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::yield();
    }
    EXPECT_EQ(arrived, 2);
  });
}

TEST_F(ThreadPoolOfEightTest, an_exception_reaches_the_caller_and_the_pool_lives_on) {
  for (const unsigned size : kSizes) {
    ThreadPool pool(size);
    try {
      pool.parallel_for(100, [](std::size_t i) {
        if (i == 37) {
          throw Error(ErrorCode::mismatch, "index 37");
        }
      });
      FAIL() << "nothing was thrown with " << size << " threads";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::mismatch);
      EXPECT_STREQ(error.what(), "index 37");
    }
    EXPECT_EQ(calls_per_index(pool, 50), std::vector<int>(50, 1));
  }
}

TEST(ThreadPoolTest, an_empty_function_throws) {
  ThreadPool pool(2);
  EXPECT_THROW(pool.parallel_for(5, nullptr), std::bad_function_call);
}

TEST_F(ThreadPoolOfEightTest, nested_loops_finish) {
  for (const unsigned size : kSizes) {
    ThreadPool pool(size);
    std::atomic<int> calls = 0;
    pool.parallel_for(20, [&](std::size_t) {
      pool.parallel_for(20,
                        [&](std::size_t) { pool.parallel_for(3, [&](std::size_t) { ++calls; }); });
    });
    EXPECT_EQ(calls, 1200);
  }
}

TEST_F(ThreadPoolOfEightTest, a_body_that_waits_for_a_nested_loop_is_not_interrupted_by_a_sibling) {
  ThreadPool pool(8);
  std::atomic<int> interruptions = 0;
  // A sibling can interrupt only a thread that waits for stolen work, hence uneven bodies and
  // rounds.
  for (int round = 0; round < 30; ++round) {
    pool.parallel_for(64, [&](std::size_t) {
      thread_local bool inside = false;
      interruptions += inside ? 1 : 0;
      inside = true;
      pool.parallel_for(8, [](std::size_t i) {
        std::this_thread::sleep_for(std::chrono::microseconds(i == 7 ? 400 : 20));
      });
      inside = false;
    });
  }
  EXPECT_EQ(interruptions, 0);
}

TEST_F(ThreadPoolOfEightTest, two_pools_serve_two_threads_at_once) {
  ThreadPool first(2);
  ThreadPool second(3);
  std::vector<int> calls_first;
  std::vector<int> calls_second;
  std::thread other([&] { calls_second = calls_per_index(second, 5000); });
  calls_first = calls_per_index(first, 5000);
  other.join();
  EXPECT_EQ(calls_first, std::vector<int>(5000, 1));
  EXPECT_EQ(calls_second, std::vector<int>(5000, 1));
}

TEST_F(ThreadPoolOfEightTest, a_body_may_use_another_pool) {
  ThreadPool outer(2);
  ThreadPool inner(2);
  std::atomic<int> calls = 0;
  outer.parallel_for(10,
                     [&](std::size_t) { inner.parallel_for(10, [&](std::size_t) { ++calls; }); });
  EXPECT_EQ(calls, 100);
}

TEST_F(ThreadPoolOfEightTest, one_pool_serves_many_threads_at_once) {
  ThreadPool pool(2);
  std::vector<std::vector<int>> calls(6);
  std::vector<std::thread> threads;
  threads.reserve(calls.size());
  for (std::vector<int>& mine : calls) {
    threads.emplace_back([&pool, &mine] { mine = calls_per_index(pool, 500); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const std::vector<int>& mine : calls) {
    EXPECT_EQ(mine, std::vector<int>(500, 1));
  }
}

TEST(ThreadPoolTest, more_threads_than_processors_work_without_a_message) {
  testing::internal::CaptureStderr();
  ThreadPool pool(1024);
  EXPECT_EQ(calls_per_index(pool, 100), std::vector<int>(100, 1));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ThreadPoolTest, sizes_are_checked) {
  EXPECT_GE(ThreadPool(0).size(), 1u);
  EXPECT_EQ(ThreadPool(1024).size(), 1024u);
  try {
    ThreadPool pool(1025);
    FAIL() << "1025 threads were accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_range);
    EXPECT_STREQ(error.what(), "threads 1025 exceeds 1024");
  }
}

}  // namespace
}  // namespace heliodor::base
