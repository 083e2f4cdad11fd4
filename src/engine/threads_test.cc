// Threads come from the caller, in everything that a program may ask for.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "engine/assess.h"
#include "engine/records.h"

namespace thicket::threads_test {
namespace {

namespace fs = std::filesystem;

size_t ThreadsOfProcess() {
  return static_cast<size_t>(std::distance(fs::directory_iterator("/proc/self/task"), {}));
}

// How many threads there were at most while the work showed how far it was.
class CountsThreads final : public Progress {
 public:
  void Begin(std::string_view /*phase*/, uint64_t /*total*/) override { Look(); }
  void Advance(uint64_t /*steps*/) override { Look(); }
  size_t beside() const { return most_ - before_; }

 private:
  void Look() { most_ = std::max(most_, ThreadsOfProcess()); }

  size_t before_ = ThreadsOfProcess();
  size_t most_ = before_;
};

constexpr char kPolicy[] = R"(
version: 1
record:
  class: basket
  children:
    - class: item
      at: items
      quasi: {item: {taxonomy: items.csv}}
privacy: )";

class ThreadsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists("/proc/self/task")) GTEST_SKIP() << "the system does not tell";
    for (int i = 0; i < 40; ++i) {
      text_ += R"({"items":[{"item":"i)" + std::to_string(i % 4) + R"("},{"item":"i9"}]})" + "\n";
    }
  }

  static LoadedPolicy PolicyWith(const std::string& privacy) {
    PolicyParts parts;
    parts.taxonomies["items.csv"] = "i0;*\ni1;*\ni2;*\ni3;*\ni9;*\n";
    auto policy = LoadPolicyText(kPolicy + privacy + "\n", parts);
    EXPECT_TRUE(policy.ok()) << policy.error().message;
    return *policy;
  }

  RecordSet Records(const LoadedPolicy& policy, RecordsAs as) {
    Progress progress;
    auto records = ParseRecords(policy, text_, as, progress);
    EXPECT_TRUE(records.ok()) << records.error().message;
    return *records;
  }

  // `work` is given a number of threads and a progress, and says whether all went well.
  template <typename Work>
  static void ExpectThreads(const Work& work) {
    for (const int threads : {1, 2, 4}) {
      CountsThreads progress;
      ASSERT_TRUE(work(threads, progress)) << threads;
      EXPECT_EQ(progress.beside(), static_cast<size_t>(threads - 1));
    }
  }

  std::string text_;
};

TEST_F(ThreadsTest, OfARun) {
  const LoadedPolicy policy = PolicyWith("{k: 2}");
  ExpectThreads([&](int threads, Progress& progress) {
    return AnonymizeText(policy, text_, {.seed = 1, .threads = threads}, progress).ok();
  });
}

TEST_F(ThreadsTest, OfTheVerifier) {
  const LoadedPolicy policy = PolicyWith("{k: 2, m: 2, n: 0}");
  const RecordSet published = Records(policy, RecordsAs::kPublished);
  ExpectThreads([&](int threads, Progress& progress) {
    const auto report = VerifyRecords(policy, published, nullptr, progress, threads);
    return report.ok() && report->holds;
  });
  const std::string path =
      (fs::path(::testing::TempDir()) / std::to_string(getpid())).string() + "_threads.jsonl";
  std::ofstream(path) << text_;
  ExpectThreads([&](int threads, Progress& progress) {
    const auto report = VerifyFile(policy, path, "", progress, threads);
    return report.ok() && report->holds;
  });
  std::remove(path.c_str());
}

TEST_F(ThreadsTest, OfMeasuring) {
  const LoadedPolicy policy = PolicyWith("{k: 2}");
  const RecordSet original = Records(policy, RecordsAs::kOriginal);
  const RecordSet published = Records(policy, RecordsAs::kPublished);
  for (const bool mining : {false, true}) {
    ExpectThreads([&](int threads, Progress& progress) {
      EvaluateOptions options;
      options.queries = !mining;
      options.mining = mining;
      options.threads = threads;
      return EvaluateRecords(policy, published, original, options, progress).ok();
    });
  }
}

TEST_F(ThreadsTest, AnAttackNeedsOne) {
  const LoadedPolicy policy = PolicyWith("{k: 2}");
  CountsThreads progress;
  ASSERT_TRUE(AttackRecords(policy, Records(policy, RecordsAs::kPublished),
                            Records(policy, RecordsAs::kOriginal), {.labels = 2}, progress)
                  .ok());
  EXPECT_EQ(progress.beside(), 0U);
}

}  // namespace
}  // namespace thicket::threads_test
