#include "io/file/commit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "io/file/source.h"
#include "io/test_policy.h"

namespace thicket::commit_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TemporaryFolder;

// Data that appears, fails, or does one of the two without anybody knowing which.
class FakeTarget final : public DataTarget {
 public:
  enum class Outcome { kAppears, kFails, kUnknown, kThrows };
  FakeTarget(Outcome outcome, std::string report) : outcome_(outcome), report_(std::move(report)) {}

  Status Write(OutgoingRecords&, const WriteOptions&, Progress&) override { return {}; }
  Result<Dataset> ReadBack(Progress&) override { return Dataset(); }
  bool Replaces() const override { return false; }
  Status Commit() override {
    report_when_committed_ = ReadAll(report_).ok() ? *ReadAll(report_) : "";
    if (outcome_ == Outcome::kThrows) throw std::bad_alloc();
    if (outcome_ == Outcome::kAppears) return {};
    return Error{ErrorCode::kIo, "the data failed", "", ""};
  }
  bool MayHaveAppeared() const override {
    return outcome_ == Outcome::kAppears || outcome_ == Outcome::kUnknown;
  }

  const std::string& report_when_committed() const { return report_when_committed_; }

 private:
  Outcome outcome_;
  std::string report_;
  std::string report_when_committed_;
};

class CommitTest : public ::testing::Test {
 protected:
  std::unique_ptr<AtomicFile> Written(const std::string& path, const std::string& text) {
    auto file = AtomicFile::Create(path, 0600);
    EXPECT_TRUE(file.ok());
    EXPECT_TRUE((*file)->Write(text).ok());
    return std::move(*file);
  }

  static std::array<AtomicFile*, 1> Only(const std::unique_ptr<AtomicFile>& file) {
    return {file.get()};
  }

  // What is in the folder: "name=content".
  std::vector<std::string> Files() const {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      files.push_back(entry.path().filename().string() + "=" +
                      (entry.is_directory() ? "folder" : *ReadAll(entry.path().string())));
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  TemporaryFolder folder_;
  std::string report_ = folder_.path() + "/report";
  FilePlan plan_;
};

TEST_F(CommitTest, TheReportIsThereWhenTheDataAppears) {
  folder_.File("report", "old");
  auto report = Written(report_, "new");
  FakeTarget data(FakeTarget::Outcome::kAppears, report_);
  ASSERT_TRUE(CommitBehind(Only(report), data, plan_).ok());
  EXPECT_EQ(data.report_when_committed(), "new");
  EXPECT_THAT(Files(), ElementsAre("report=new"));
}

TEST_F(CommitTest, TheOldReportReturnsWhenTheDataFails) {
  folder_.File("report", "old");
  struct stat before {};
  ASSERT_EQ(stat(report_.c_str(), &before), 0);
  {
    auto report = Written(report_, "new");
    FakeTarget data(FakeTarget::Outcome::kFails, report_);
    const Status status = CommitBehind(Only(report), data, plan_);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().message, "the data failed");
    EXPECT_EQ(data.report_when_committed(), "new");
  }
  struct stat after {};
  ASSERT_EQ(stat(report_.c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_THAT(Files(), ElementsAre("report=old"));
}

TEST_F(CommitTest, ANewReportGoesWhenTheDataFails) {
  auto report = Written(report_, "new");
  FakeTarget data(FakeTarget::Outcome::kFails, report_);
  ASSERT_FALSE(CommitBehind(Only(report), data, plan_).ok());
  report.reset();
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_F(CommitTest, TheNewReportStaysWhenNobodyKnowsWhetherTheDataAppeared) {
  folder_.File("report", "old");
  auto report = Written(report_, "new");
  FakeTarget data(FakeTarget::Outcome::kUnknown, report_);
  ASSERT_FALSE(CommitBehind(Only(report), data, plan_).ok());
  report.reset();
  EXPECT_THAT(Files(), ElementsAre("report=new"));
}

TEST_F(CommitTest, TheOldReportReturnsWhenAnExceptionPasses) {
  folder_.File("report", "old");
  auto report = Written(report_, "new");
  FakeTarget data(FakeTarget::Outcome::kThrows, report_);
  EXPECT_THROW((void)CommitBehind(Only(report), data, plan_), std::bad_alloc);
  report.reset();
  EXPECT_THAT(Files(), ElementsAre("report=old"));
}

TEST_F(CommitTest, OfSeveralFilesBeforeTheDataAllReturnWhenTheDataFails) {
  folder_.File("link", "old");
  for (const bool fails : {true, false}) {
    auto link = Written(folder_.path() + "/link", "new");
    auto report = Written(report_, "new");
    FakeTarget data(fails ? FakeTarget::Outcome::kFails : FakeTarget::Outcome::kAppears, report_);
    EXPECT_EQ(CommitBehind(std::array{link.get(), report.get()}, data, plan_).ok(), !fails);
    EXPECT_EQ(data.report_when_committed(), "new");
    link.reset();
    report.reset();
    if (fails) {
      EXPECT_THAT(Files(), ElementsAre("link=old"));
    } else {
      EXPECT_THAT(Files(), ElementsAre("link=new", "report=new"));
    }
  }
}

TEST_F(CommitTest, TheDataStaysAwayWhenTheReportFails) {
  auto report = Written(report_, "new");
  ASSERT_EQ(mkdir(report_.c_str(), 0700), 0);
  FakeTarget data(FakeTarget::Outcome::kAppears, report_);
  const Status status = CommitBehind(Only(report), data, plan_);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message, HasSubstr("/report: cannot be written: Is a directory"));
  EXPECT_EQ(data.report_when_committed(), "");
  report.reset();
  EXPECT_THAT(Files(), ElementsAre("report=folder"));
}

TEST_F(CommitTest, OfSeveralFilesAllAppearOrNone) {
  folder_.File("a", "old");
  for (const bool fails : {true, false}) {
    std::vector<std::unique_ptr<AtomicFile>> files;
    files.push_back(Written(folder_.path() + "/a", "new"));
    files.push_back(Written(folder_.path() + "/b", "new"));
    files.push_back(Written(folder_.path() + "/c", "new"));
    if (fails) {
      ASSERT_EQ(mkdir((folder_.path() + "/c").c_str(), 0700), 0);
    }
    EXPECT_EQ(CommitAll(files, plan_).ok(), !fails);
    files.clear();
    if (fails) {
      EXPECT_THAT(Files(), ElementsAre("a=old", "c=folder"));
      std::filesystem::remove(folder_.path() + "/c");
    } else {
      EXPECT_THAT(Files(), ElementsAre("a=new", "b=new", "c=new"));
    }
  }
}

TEST_F(CommitTest, ThePlanIsCheckedAgainWhenTheFirstFileIsThere) {
  plan_.Write(report_, "the report");
  plan_.Write(folder_.path() + "/link", "the output");
  ASSERT_TRUE(plan_.Check().ok());
  auto report = Written(report_, "new");
  ASSERT_EQ(symlink("report", (folder_.path() + "/link").c_str()), 0);
  FakeTarget data(FakeTarget::Outcome::kAppears, report_);
  const Status status = CommitBehind(Only(report), data, plan_);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().message, HasSubstr("must not replace the report"));
  EXPECT_EQ(data.report_when_committed(), "");
}

}  // namespace
}  // namespace thicket::commit_test
