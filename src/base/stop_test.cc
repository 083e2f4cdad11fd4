#include "base/stop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/parallel.h"

namespace thicket::stop_test {
namespace {

TEST(StopPoint, DoesNothingWhereNobodyCanStopTheWork) {
  Progress progress;
  progress.Cancel();
  EXPECT_NO_THROW(StopPoint());
}

TEST(StopPoint, TurnsCancelledWorkIntoInterrupted) {
  Progress progress;
  auto resource = std::make_shared<int>(7);
  const Result<int> result = Stoppable(progress, [&]() -> Result<int> {
    const std::vector<std::shared_ptr<int>> held(1, resource);
    StopPoint();
    EXPECT_EQ(resource.use_count(), 2);
    progress.Cancel();
    StopPoint();
    ADD_FAILURE() << "the work must not go on";
    return *held.front();
  });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kInterrupted);
  EXPECT_EQ(resource.use_count(), 1);
  EXPECT_NO_THROW(StopPoint());
}

TEST(StopPoint, DoesNothingInAnUnstoppableScope) {
  Progress progress;
  progress.Cancel();
  const Status status = Stoppable(progress, []() -> Status {
    const UnstoppableScope scope;
    StopPoint();
    return {};
  });
  EXPECT_TRUE(status.ok());
}

TEST(StopPoint, StopsTheLoopsOfAllThreads) {
  Parallel parallel(3);
  Progress progress;
  std::atomic<size_t> rounds = 0;
  const Status status = Stoppable(progress, [&]() -> Status {
    parallel.For(size_t{1} << 40, size_t{1} << 20, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        StopPoint();
        if (++rounds == 1000) progress.Cancel();
      }
    });
    return {};
  });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kInterrupted);
  // The threads are as good as new, and belong to nobody's progress.
  std::atomic<int> calls = 0;
  parallel.For(10, 1, [&](size_t, size_t) {
    StopPoint();
    ++calls;
  });
  EXPECT_EQ(calls, 10);
}

class Part : public Progress {
 public:
  explicit Part(Progress& whole) : Progress(&whole) {}
};

TEST(Progress, OfAPartIsCancelledWithTheWhole) {
  Progress whole;
  Part part(whole);
  EXPECT_FALSE(part.cancelled());
  whole.Cancel();
  EXPECT_TRUE(part.cancelled());
}

}  // namespace
}  // namespace thicket::stop_test
