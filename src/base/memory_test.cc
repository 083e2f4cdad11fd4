#include "base/memory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace thicket::memory_test {
namespace {

namespace fs = std::filesystem;

TEST(Memory, SizesAreReadInPowersOf1024) {
  EXPECT_EQ(ParseSize("0"), 0U);
  EXPECT_EQ(ParseSize("123"), 123U);
  EXPECT_EQ(ParseSize("5B"), 5U);
  EXPECT_EQ(ParseSize("64K"), uint64_t{64} << 10);
  EXPECT_EQ(ParseSize("500M"), uint64_t{500} << 20);
  EXPECT_EQ(ParseSize("4g"), uint64_t{4} << 30);
  EXPECT_EQ(ParseSize("4GB"), uint64_t{4} << 30);
  EXPECT_EQ(ParseSize("4GiB"), uint64_t{4} << 30);
  EXPECT_EQ(ParseSize("1T"), uint64_t{1} << 40);
}

TEST(Memory, WhatIsNoSizeIsRefused) {
  for (const char* text : {"", "G", "-1", "4X", "4Gi", "1.5G", "4 G", "99999999999G", "1e9"}) {
    EXPECT_EQ(ParseSize(text), std::nullopt) << text;
  }
}

TEST(Memory, SizesAreWrittenInWords) {
  EXPECT_EQ(SizeText(0), "0 bytes");
  EXPECT_EQ(SizeText(1), "1 byte");
  EXPECT_EQ(SizeText(1023), "1023 bytes");
  EXPECT_EQ(SizeText(uint64_t{100} << 20), "100 MiB");
  EXPECT_EQ(SizeText(uint64_t{3} << 29), "1.5 GiB");
}

TEST(Memory, WhatIsHeldGrowsWithWhatIsUsed) {
  const uint64_t before = HeldMemory();
  ASSERT_GT(before, 0U);
  const std::vector<char> much(size_t{64} << 20, 'x');
  EXPECT_GE(HeldMemory(), before + (uint64_t{48} << 20)) << much[7];
}

TEST(Memory, BeyondTheLimitIsAnErrorOfTheData) {
  Progress progress;
  EXPECT_TRUE(CheckMemory(progress, "x.jsonl", uint64_t{1} << 60).ok()) << "no limit was set";
  progress.set_max_memory(HeldMemory() + (uint64_t{1} << 30));
  EXPECT_TRUE(CheckMemory(progress, "x.jsonl").ok());
  const Status status = CheckMemory(progress, "x.jsonl", uint64_t{2} << 30);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kData);
  EXPECT_EQ(status.error().message.rfind("x.jsonl: what is held while reading must fit into", 0),
            0U);
  EXPECT_FALSE(CheckMemory(progress, "x.jsonl", ~uint64_t{0}).ok());
}

// A /proc and a /sys of its own.
class FakeSystem : public testing::Test {
 protected:
  FakeSystem() {
    std::string path = (fs::temp_directory_path() / "thicket-memory-XXXXXX").string();
    root_ = mkdtemp(path.data());
    Write("/proc/meminfo", "MemTotal: 8000 kB\nMemFree: 10 kB\nMemAvailable:    4000 kB\n");
  }
  ~FakeSystem() override { fs::remove_all(root_); }
  void Write(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  std::string root_;
};

TEST_F(FakeSystem, TheMachineHasWhatIsAvailable) {
  EXPECT_EQ(AvailableMemory(root_), 4000U * 1024);
}

TEST_F(FakeSystem, AContainerHasTheLeastLimitOfItsGroupAndThoseAbove) {
  Write("/proc/self/cgroup", "0::/a/b\n");
  Write("/sys/fs/cgroup/a/b/memory.max", "max\n");
  EXPECT_EQ(AvailableMemory(root_), 4000U * 1024);
  Write("/sys/fs/cgroup/a/memory.max", "1000000\n");
  EXPECT_EQ(AvailableMemory(root_), 1000000U);
  Write("/sys/fs/cgroup/a/b/memory.max", "500000\n");
  EXPECT_EQ(AvailableMemory(root_), 500000U);
}

TEST_F(FakeSystem, AContainerThatSeesOnlyItselfHasTheLimitAtItsTop) {
  Write("/proc/self/cgroup", "0::/\n");
  Write("/sys/fs/cgroup/memory.max", "700000\n");
  EXPECT_EQ(AvailableMemory(root_), 700000U);
}

TEST_F(FakeSystem, ControlGroupsOfVersion1CountAsWell) {
  Write("/proc/self/cgroup", "5:devices:/x\n4:memory:/host/only\n0::/\n");
  Write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "600000\n");
  EXPECT_EQ(AvailableMemory(root_), 600000U);
  Write("/sys/fs/cgroup/memory/host/only/memory.limit_in_bytes", "300000\n");
  EXPECT_EQ(AvailableMemory(root_), 300000U);
}

}  // namespace
}  // namespace thicket::memory_test
