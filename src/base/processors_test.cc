#include "base/processors.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "base/parallel.h"

namespace thicket::processors_test {
namespace {

namespace fs = std::filesystem;

// A /proc and a /sys of its own; what the machine has is that of the test. Limits are below that only if it has more than
// one processor, so what is expected is the least of both.
class Processors : public testing::Test {
 protected:
  Processors() {
    std::string path = (fs::temp_directory_path() / "thicket-processors-XXXXXX").string();
    root_ = mkdtemp(path.data());
    all_ = UsableProcessors(root_);
  }
  ~Processors() override { fs::remove_all(root_); }
  void Write(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  // What is found where the machine would have given `limit`.
  void Expect(size_t limit) const { EXPECT_EQ(UsableProcessors(root_), std::min(limit, all_)); }

  std::string root_;
  size_t all_ = 0;
};

constexpr size_t kNoLimit = 1'000'000;

TEST_F(Processors, AreThoseOfTheMachineWhereNothingLimitsThem) {
  EXPECT_GE(all_, 1U);
  EXPECT_LE(all_, std::max(1U, std::thread::hardware_concurrency()));
  Write("/proc/self/cgroup", "0::/a\n");
  Write("/sys/fs/cgroup/a/cpu.max", "max 100000\n");
  Expect(kNoLimit);
}

TEST_F(Processors, AreThoseThatTheThreadMayRunOn) {
  std::thread([&] {
    cpu_set_t before;
    ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    int first = 0;
    while (!CPU_ISSET(first, &before)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(UsableProcessors(root_), 1U);
    EXPECT_EQ(Parallel().threads(), 1U);
    EXPECT_EQ(Parallel(3).threads(), 3U) << "who asks for threads gets them";
  }).join();
}

TEST_F(Processors, AQuotaCountsInWholeProcessors) {
  Write("/proc/self/cgroup", "0::/a\n");
  for (const auto& [quota, limit] : {std::pair("200000 100000", 2U), std::pair("150000 100000", 1U),
                                     std::pair("50000 100000", 1U), std::pair("1000 250", 4U)}) {
    Write("/sys/fs/cgroup/a/cpu.max", quota);
    Expect(limit);
  }
}

TEST_F(Processors, TheLeastQuotaOfAGroupAndThoseAboveHolds) {
  Write("/proc/self/cgroup", "0::/a/b\n");
  Write("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  Expect(kNoLimit);
  Write("/sys/fs/cgroup/a/cpu.max", "100000 100000\n");
  Expect(1);
  Write("/sys/fs/cgroup/a/cpu.max", "max 100000\n");
  Write("/sys/fs/cgroup/cpu.max", "100000 100000\n");
  Expect(1);
  fs::remove(root_ + "/sys/fs/cgroup/cpu.max");
  Write("/sys/fs/cgroup/a/b/cpu.max", "10000 100000\n");
  Expect(1);
}

TEST_F(Processors, AContainerThatSeesOnlyItselfHasTheQuotaAtItsTop) {
  Write("/proc/self/cgroup", "0::/host/only\n");
  Write("/sys/fs/cgroup/cpu.max", "100000 100000\n");
  Expect(1);
}

TEST_F(Processors, ControlGroupsOfVersion1CountAsWell) {
  Write("/proc/self/cgroup", "5:cpuset:/x\n4:cpu,cpuacct:/a/b\n0::/\n");
  Write("/sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us", "-1\n");
  Write("/sys/fs/cgroup/cpu/a/b/cpu.cfs_period_us", "100000\n");
  Expect(kNoLimit);
  Write("/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "100000\n");
  Write("/sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
  Expect(1);
}

TEST_F(Processors, WhatIsNoQuotaLimitsNothing) {
  Write("/proc/self/cgroup", "nonsense\n0:\n0::/a\n7:cpu:/b\n");
  for (const char* text : {"", "x y", "100000", "0 100000", "100000 0", "-5 100000"}) {
    Write("/sys/fs/cgroup/a/cpu.max", text);
    Write("/sys/fs/cgroup/cpu/b/cpu.cfs_quota_us", text);
    Write("/sys/fs/cgroup/cpu/b/cpu.cfs_period_us", "");
    Expect(kNoLimit);
  }
}

}  // namespace
}  // namespace thicket::processors_test
