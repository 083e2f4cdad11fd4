#include "base/parallel.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace thicket::parallel_test {
namespace {

TEST(Parallel, VisitsEveryIndexOnceOnAnyNumberOfThreads) {
  for (const int threads : {1, 2, 5}) {
    for (const size_t n : {size_t{0}, size_t{1}, size_t{7}, size_t{1000}, size_t{4097}}) {
      Parallel parallel(threads);
      std::vector<int> visits(n, 0);
      parallel.For(n, 64, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) ++visits[i];
      });
      EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), static_cast<std::ptrdiff_t>(n));
    }
  }
}

TEST(Parallel, DoesNotCallTheBodyForNothing) {
  std::atomic<int> calls = 0;
  Parallel(2).For(0, 1, [&](size_t, size_t) { ++calls; });
  EXPECT_EQ(calls, 0);
}

TEST(Parallel, CallsASmallRangeInOnePiece) {
  std::atomic<int> calls = 0;
  Parallel(4).For(10, 10, [&](size_t begin, size_t end) {
    ++calls;
    EXPECT_EQ(begin, 0U);
    EXPECT_EQ(end, 10U);
  });
  EXPECT_EQ(calls, 1);
}

TEST(Parallel, UsesTheThreadsItIsGiven) {
  EXPECT_EQ(Parallel(1).threads(), 1U);
  EXPECT_EQ(Parallel(3).threads(), 3U);
  EXPECT_GE(Parallel().threads(), 1U);
}

// Stacks that fit into no address space, as long as the object lives.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    pthread_getattr_default_np(&huge);
    pthread_attr_setstacksize(&huge, size_t{1} << 50);
    pthread_setattr_default_np(&huge);
    pthread_attr_destroy(&huge);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;
  ~NoMoreThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }

 private:
  pthread_attr_t before_;
};

TEST(Parallel, DoesTheWorkOnTheCallersThreadWhereNoOtherCanBeCreated) {
  const NoMoreThreads refused;
  Parallel parallel(8);
  EXPECT_EQ(parallel.threads(), 1U);
  std::vector<int> visits(1000, 0);
  parallel.For(visits.size(), 10, [&](size_t worker, size_t begin, size_t end) {
    EXPECT_EQ(worker, 0U);
    for (size_t i = begin; i < end; ++i) ++visits[i];
  });
  EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), 1000);
}

TEST(Parallel, NumbersItsWorkers) {
  Parallel parallel(3);
  std::vector<std::atomic<int>> busy(3);
  parallel.For(1000, 1, [&](size_t worker, size_t, size_t) {
    ASSERT_LT(worker, 3U);
    EXPECT_EQ(busy[worker].fetch_add(1), 0);
    busy[worker].fetch_sub(1);
  });
}

TEST(Parallel, RunsManyShortLoopsWithPausesBetween) {
  Parallel parallel(4);
  for (size_t loop = 0; loop < 3000; ++loop) {
    if (loop % 1000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::atomic<size_t> sum = 0;
    parallel.For(40, 4, [&](size_t begin, size_t end) { sum += end - begin; });
    ASSERT_EQ(sum, 40U);
  }
}

TEST(Parallel, ThrowsWhatABodyThrowsAndGoesOn) {
  Parallel parallel(3);
  const auto fail = [](size_t begin, size_t) {
    if (begin == 7) throw std::bad_alloc();
  };
  EXPECT_THROW(parallel.For(100, 1, fail), std::bad_alloc);
  std::atomic<int> calls = 0;
  parallel.For(10, 1, [&](size_t, size_t) { ++calls; });
  EXPECT_EQ(calls, 10);
}

// A loop of two ranges, of which the caller's waits for a worker to take the other.
template <typename Body>
void OnTheWorker(Parallel& parallel, const Body& body) {
  std::atomic<bool> began = false;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!began) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "the worker takes no part";
    parallel.For(2, 1, [&](size_t worker, size_t, size_t) {
      if (worker == 0) {
        const auto later = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
        while (!began && std::chrono::steady_clock::now() < later) std::this_thread::yield();
      } else if (!began.exchange(true)) {
        body();
      }
    });
  }
}

TEST(Parallel, LeavesOutAWorkerThatWasOffTheProcessorAndTakesItBack) {
  Parallel parallel(2);
  OnTheWorker(parallel, [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
  ASSERT_EQ(parallel.times_left_out(), 1U);
  const auto before = std::chrono::steady_clock::now();
  std::atomic<bool> took_part = false;
  parallel.For(2, 1, [&](size_t worker, size_t, size_t) {
    if (worker != 0) took_part = true;
    const auto later = std::chrono::steady_clock::now() + std::chrono::milliseconds(4);
    while (!took_part && std::chrono::steady_clock::now() < later) std::this_thread::yield();
  });
  // On a machine that takes longer, the worker may be back.
  if (std::chrono::steady_clock::now() - before < std::chrono::milliseconds(14)) {
    EXPECT_FALSE(took_part);
  }
  bool back = false;
  OnTheWorker(parallel, [&] { back = true; });
  EXPECT_TRUE(back);
}

TEST(Parallel, WaitsForAWorkerThatWorks) {
  // On a machine with other things to do a worker is interrupted now and then, but not each time.
  size_t times_waited = 0;
  for (int round = 0; round < 100 && times_waited == 0; ++round) {
    Parallel parallel(2);
    OnTheWorker(parallel, [] {
      const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
      while (std::chrono::steady_clock::now() < until) {
      }
    });
    if (parallel.times_left_out() == 0) ++times_waited;
  }
  EXPECT_EQ(times_waited, 1U);
}

TEST(Parallel, EndsAtOnceWhileAWorkerIsLeftOut) {
  // The machine may have other things to do, but not each time.
  auto took = std::chrono::steady_clock::duration::max();
  for (int round = 0; round < 5 && took > std::chrono::milliseconds(200); ++round) {
    auto parallel = std::make_unique<Parallel>(2);
    for (int i = 0; i < 6; ++i) {
      OnTheWorker(*parallel, [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
    }
    // Now it is left out for half a second, which it learns in the next loop.
    parallel->For(2, 1, [](size_t, size_t) {});
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto before = std::chrono::steady_clock::now();
    parallel.reset();
    took = std::chrono::steady_clock::now() - before;
  }
  EXPECT_LT(took, std::chrono::milliseconds(200));
}

}  // namespace
}  // namespace thicket::parallel_test
