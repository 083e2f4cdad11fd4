#include "base/phase.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "base/parallel.h"
#include "base/silent_progress.h"
#include "base/stop.h"
#include "base/supervised.h"

namespace thicket::phase_test {
namespace {

using ::testing::ElementsAre;

// Writes down what it is told, and by which thread.
class Listener : public Progress {
 public:
  void Begin(std::string_view phase, uint64_t total) override {
    Note("begin " + std::string(phase) + " " + std::to_string(total));
  }
  void Advance(uint64_t steps) override {
    sum += steps;
    Note("");
  }
  void End() override { Note("end"); }

  std::vector<std::string> said;
  uint64_t sum = 0;
  bool by_others = false;

 private:
  void Note(const std::string& text) {
    by_others = by_others || std::this_thread::get_id() != thread_;
    if (!text.empty()) said.push_back(text);
  }

  std::thread::id thread_ = std::this_thread::get_id();
};

TEST(Phase, ReportsToTheProgressOfTheWorkAroundIt) {
  Listener listener;
  const Status status = Supervised(listener, []() -> Status {
    Phase phase("verify", 10);
    phase.Advance();
    phase.Advance(4);
    return {};
  });
  EXPECT_TRUE(status.ok());
  EXPECT_THAT(listener.said, ElementsAre("begin verify 10", "end"));
  EXPECT_EQ(listener.sum, 5U);
}

TEST(Phase, ShowsNothingWhereNobodyLooks) {
  Phase phase("verify");
  phase.Advance(7);
}

TEST(Phase, EndsAlsoWhereTheWorkIsStopped) {
  Listener listener;
  const Status status = Supervised(listener, [&]() -> Status {
    const Phase phase("search");
    listener.Cancel();
    StopPoint();
    return {};
  });
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(listener.said, ElementsAre("begin search 0", "end"));
  // Later work belongs to nobody.
  const Phase later("later");
  EXPECT_EQ(listener.said.size(), 2U);
}

TEST(Phase, IsAdvancedByAllThreadsAndReportedByOne) {
  Listener listener;
  Parallel parallel(4);
  ASSERT_TRUE(Supervised(listener, [&]() -> Status {
                Phase phase("mining", 10000);
                parallel.For(10000, 1, [&](size_t, size_t) { phase.Advance(); });
                phase.Advance(0);
                return {};
              }).ok());
  EXPECT_EQ(listener.sum, 10000U);
  EXPECT_FALSE(listener.by_others);
}

TEST(Phase, OfAPartIsNotSeen) {
  Listener listener;
  ASSERT_TRUE(Supervised(listener, [&]() -> Status {
                SilentProgress part(listener);
                {
                  const ProgressScope unseen(part);
                  Phase phase("verify", 3);
                  phase.Advance(3);
                }
                Phase phase("experiment", 2);
                phase.Advance();
                return {};
              }).ok());
  EXPECT_THAT(listener.said, ElementsAre("begin experiment 2", "end"));
  EXPECT_EQ(listener.sum, 1U);
}

TEST(WorkFailure, IsTheErrorOfTheWork) {
  Progress progress;
  const Result<int> result = Supervised(progress, []() -> Result<int> {
    throw WorkFailure{{ErrorCode::kIo, "the disk must be there, but is not", "look for it", ""}};
  });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kIo);
  EXPECT_EQ(result.error().message, "the disk must be there, but is not");
}

TEST(WorkFailure, OfAThreadIsTheErrorOfTheWork) {
  Progress progress;
  Parallel parallel(3);
  const Status status = Supervised(progress, [&]() -> Status {
    parallel.For(100, 1, [](size_t begin, size_t) {
      if (begin == 50) throw WorkFailure{{ErrorCode::kIo, "gone", "", ""}};
    });
    return {};
  });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "gone");
}

}  // namespace
}  // namespace thicket::phase_test
