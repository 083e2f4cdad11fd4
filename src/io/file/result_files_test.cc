#include "io/file/result_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace thicket::result_files_test {
namespace {

namespace fs = std::filesystem;

class ResultFilesTest : public ::testing::Test {
 protected:
  ResultFilesTest() { fs::remove_all(folder_); }
  ~ResultFilesTest() override { fs::remove_all(folder_); }

  static std::string Content(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  size_t Count() const {
    const fs::directory_iterator files(folder_ / "in");
    return static_cast<size_t>(std::distance(begin(files), end(files)));
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / "result_files_test";
  ResultFiles files_{(folder_ / "in").string(), {"a.csv", "a.md"}};
};

TEST_F(ResultFilesTest, AllOfThemAppearWithTheirPermissions) {
  FilePlan plan;
  files_.AddTo(plan);
  ASSERT_TRUE(files_.CreateFolder().ok());
  ASSERT_TRUE(files_.Write({"x,y\n", "# x\n"}, 0600, plan).ok());
  EXPECT_EQ(Content(folder_ / "in" / "a.csv"), "x,y\n");
  EXPECT_EQ(Content(folder_ / "in" / "a.md"), "# x\n");
  struct stat status = {};
  ASSERT_EQ(stat((folder_ / "in" / "a.md").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(Count(), 2U);
}

TEST_F(ResultFilesTest, WhereOneCannotAppearNoneDoes) {
  FilePlan plan;
  files_.AddTo(plan);
  ASSERT_TRUE(files_.CreateFolder().ok());
  fs::create_directories(folder_ / "in" / "a.md" / "full");
  const Status written = files_.Write({"x,y\n", "# x\n"}, 0600, plan);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::kIo);
  EXPECT_FALSE(fs::exists(folder_ / "in" / "a.csv"));
  EXPECT_EQ(Count(), 1U);
}

TEST_F(ResultFilesTest, AFolderThatCannotBeCreatedIsSaid) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "in") << "a file";
  const Status created = files_.CreateFolder();
  ASSERT_FALSE(created.ok());
  EXPECT_EQ(created.error().code, ErrorCode::kIo);
  EXPECT_THAT(created.error().message, ::testing::HasSubstr("must be there or be created"));
}

TEST_F(ResultFilesTest, FoldersThatStayEmptyGoAgain) {
  fs::create_directories(folder_);
  {
    ResultFiles files((folder_ / "in" / "deep" / "").string(), {"a.csv"});
    ASSERT_TRUE(files.CreateFolder().ok());
    EXPECT_TRUE(fs::exists(folder_ / "in" / "deep"));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
  // What was there before stays, and so does what holds something.
  fs::create_directories(folder_ / "there");
  {
    ResultFiles files((folder_ / "there").string(), {"a.csv"});
    ASSERT_TRUE(files.CreateFolder().ok());
    ResultFiles full((folder_ / "in" / "deep").string(), {"a.csv"});
    ASSERT_TRUE(full.CreateFolder().ok());
    ASSERT_TRUE(full.Write({"x"}, 0600, FilePlan()).ok());
  }
  EXPECT_TRUE(fs::exists(folder_ / "there"));
  EXPECT_TRUE(fs::exists(folder_ / "in" / "deep" / "a.csv"));
}

TEST_F(ResultFilesTest, WithoutAFolderNothingIsWritten) {
  ResultFiles nowhere("", {"a.csv"});
  FilePlan plan;
  nowhere.AddTo(plan);
  EXPECT_TRUE(nowhere.CreateFolder().ok());
  EXPECT_TRUE(nowhere.Write({"x"}, 0600, plan).ok());
  EXPECT_FALSE(fs::exists("a.csv"));
}

}  // namespace
}  // namespace thicket::result_files_test
