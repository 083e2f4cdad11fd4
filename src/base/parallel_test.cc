#include "base/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace thicket {
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
  EXPECT_EQ(Parallel(1).threads(), 1);
  EXPECT_EQ(Parallel(3).threads(), 3);
  EXPECT_GE(Parallel().threads(), 1);
}

}  // namespace
}  // namespace thicket
