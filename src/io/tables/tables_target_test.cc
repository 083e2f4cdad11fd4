#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "io/dataset_io.h"
#include "io/tables/test_tables.h"

namespace thicket::tables_target_test {
namespace {

using testing::Changed;
using testing::Describe;
using ::testing::ElementsAre;
using testing::ErrorOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::JoinedPolicy;
using testing::ReadTexts;
using testing::TemporaryFolder;

using Classes = std::vector<VertexClass>;

const std::vector<std::string> kTexts = {"ID;id;major;gpa;campus\ns7;1;\"C;S\";3.5;N\ns3;2;EE;;\n",
                                         "SID,CID,grade,code\ns3,c1,A,EE1\ns7,c2,B,CS1\n",
                                         "title,CID\nx,c1\n", "tag,SID\n"};

std::string ContentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> FilesIn(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

mode_t ModeOf(const std::string& path) {
  struct stat status {};
  stat(path.c_str(), &status);
  return status.st_mode & 07777;
}

class TablesTargetTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto data = ReadTexts(policy_, kTexts);
    ASSERT_TRUE(data.ok()) << ErrorOf(data);
    data_ = std::move(*data);
  }

  Result<std::unique_ptr<DataTarget>> Create(mode_t mode = 0644) {
    return DataTarget::Create(policy_, {.path = target_, .schema = "", .mode = mode, .mask = 027});
  }
  // Writes the data and reads it back; null if that fails.
  std::unique_ptr<DataTarget> Written(mode_t mode = 0644) {
    auto target = Create(mode);
    if (!target.ok()) return nullptr;
    DatasetRecords records(data_);
    Progress progress;
    EXPECT_TRUE((*target)->Write(records, {}, progress).ok());
    const auto again = (*target)->ReadBack(progress);
    EXPECT_TRUE(again.ok()) << ErrorOf(again);
    EXPECT_EQ(again.ok() ? Describe(*again) : "", Describe(data_));
    return std::move(*target);
  }
  std::string CreateError() {
    const auto target = Create();
    return target.ok() ? "no error" : target.error().message;
  }

  Policy policy_ = JoinedPolicy();
  Dataset data_;
  TemporaryFolder folder_;
  std::string target_ = folder_.path() + "/out";
};

TEST_F(TablesTargetTest, WritesOneFilePerTable) {
  const auto target = Written();
  ASSERT_TRUE(target);
  EXPECT_FALSE(std::filesystem::exists(target_));
  ASSERT_TRUE(target->Commit().ok());
  EXPECT_THAT(FilesIn(target_),
              ElementsAre("books.csv", "courses.csv", "students.csv", "tags.csv"));
  EXPECT_EQ(ContentOf(target_ + "/students.csv"), "ID;major;gpa;campus\n1;\"C;S\";3.5;N\n2;EE;;\n");
  EXPECT_EQ(ContentOf(target_ + "/courses.csv"), "SID,CID,grade,code\n1,1,B,CS1\n2,2,A,EE1\n");
  EXPECT_EQ(ContentOf(target_ + "/books.csv"), "title,CID\nx,2\n");
  EXPECT_EQ(ContentOf(target_ + "/tags.csv"), "tag,SID\n");
  EXPECT_THAT(FilesIn(folder_.path()), ElementsAre("out"));
}

TEST_F(TablesTargetTest, CompressesTablesWhoseNamesSaySo) {
  policy_ = Changed(policy_, [](Classes& classes) {
    classes[0].table = "students.csv.gz";
    classes[1].table = "courses.zst";
  });
  const auto target = Written();
  ASSERT_TRUE(target);
  ASSERT_TRUE(target->Commit().ok());
  EXPECT_EQ(ContentOf(target_ + "/students.csv.gz").substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(ContentOf(target_ + "/courses.zst").substr(0, 2), "\x28\xb5");
  Progress progress;
  const auto again = ReadDataset(policy_, target_, ReadAs::kPublished, progress);
  ASSERT_TRUE(again.ok()) << ErrorOf(again);
  EXPECT_EQ(Describe(*again), Describe(data_));
}

TEST_F(TablesTargetTest, LeavesNothingWithoutCommit) {
  Written().reset();
  EXPECT_THAT(FilesIn(folder_.path()), IsEmpty());
}

TEST_F(TablesTargetTest, LetsOnlyTheOwnerSeeWhatIsBeingWritten) {
  const auto target = Written();
  const std::vector<std::string> files = FilesIn(folder_.path());
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(ModeOf(folder_.path() + "/" + files[0]), 0700U);
}

TEST_F(TablesTargetTest, GivesFolderAndFilesTheirModes) {
  for (const auto& [mode, folder, file] :
       {std::tuple(0644, 0750, 0640), std::tuple(0600, 0700, 0600)}) {
    const auto target = Written(static_cast<mode_t>(mode));
    ASSERT_TRUE(target);
    ASSERT_TRUE(target->Commit().ok());
    EXPECT_EQ(ModeOf(target_), static_cast<mode_t>(folder));
    EXPECT_EQ(ModeOf(target_ + "/books.csv"), static_cast<mode_t>(file));
  }
}

TEST_F(TablesTargetTest, ReplacesAnEmptyFolderAndAnEarlierVersion) {
  std::filesystem::create_directory(target_);
  for (int version = 0; version < 2; ++version) {
    const auto target = Written();
    ASSERT_TRUE(target);
    if (version == 1) {
      std::ofstream(target_ + "/books.csv") << "old";
      EXPECT_EQ(ContentOf(target_ + "/books.csv"), "old");
    }
    ASSERT_TRUE(target->Commit().ok());
    EXPECT_EQ(ContentOf(target_ + "/books.csv"), "title,CID\nx,2\n");
    EXPECT_THAT(FilesIn(folder_.path()), ElementsAre("out"));
  }
}

TEST_F(TablesTargetTest, FollowsALinkToTheFolder) {
  std::filesystem::create_directory(folder_.path() + "/real");
  std::filesystem::create_symlink("real", target_);
  const auto target = Written();
  ASSERT_TRUE(target);
  ASSERT_TRUE(target->Commit().ok());
  EXPECT_TRUE(std::filesystem::is_symlink(target_));
  EXPECT_EQ(FilesIn(folder_.path() + "/real").size(), 4U);
}

TEST_F(TablesTargetTest, TakesAPathThatEndsWithASlash) {
  target_ += "/";
  const auto target = Written();
  ASSERT_TRUE(target);
  ASSERT_TRUE(target->Commit().ok());
  EXPECT_EQ(FilesIn(target_).size(), 4U);
}

TEST_F(TablesTargetTest, RefusesAFolderThatHoldsOtherThings) {
  std::filesystem::create_directory(target_);
  folder_.File("out/notes.txt", "mine");
  EXPECT_THAT(CreateError(), HasSubstr("out: must be a new folder, or hold nothing but the tables, "
                                       "but holds other files"));
  std::filesystem::remove(target_ + "/notes.txt");
  std::filesystem::create_directory(target_ + "/books.csv");
  EXPECT_THAT(CreateError(), HasSubstr("but holds books.csv, which is no file"));
  EXPECT_EQ(Create().error().code, ErrorCode::kUsage);
}

TEST_F(TablesTargetTest, LooksAgainBeforeItReplacesAFolder) {
  std::filesystem::create_directory(target_);
  auto target = Written();
  ASSERT_TRUE(target);
  folder_.File("out/notes.txt", "mine");
  EXPECT_FALSE(target->Commit().ok());
  target.reset();
  EXPECT_THAT(FilesIn(folder_.path()), ElementsAre("out"));
  EXPECT_THAT(FilesIn(target_), ElementsAre("notes.txt"));
}

TEST_F(TablesTargetTest, RefusesAFileAndAPlaceThatIsNotThere) {
  folder_.File("out", "mine");
  EXPECT_THAT(CreateError(), HasSubstr("out: must be a folder for the tables, but is none"));
  target_ = folder_.path() + "/none/out";
  EXPECT_THAT(CreateError(), HasSubstr("none/out: cannot be written: No such file"));
}

TEST_F(TablesTargetTest, RefusesTablesThatLeadOutOfTheFolderOrShareAFile) {
  for (const std::string& table :
       {std::string("../books"), std::string(".."), std::string("a/b"), std::string("a\0b", 3)}) {
    policy_ = Changed(JoinedPolicy(), [&](Classes& classes) { classes[2].table = table; });
    EXPECT_EQ(CreateError(),
              "policy.yaml: a table must be the name of a file in the folder, but one of them is a "
              "path");
    Progress progress;
    const auto data = ReadDataset(policy_, folder_.path(), ReadAs::kOriginal, progress);
    EXPECT_EQ(data.error().code, ErrorCode::kUsage);
  }
  policy_ = Changed(JoinedPolicy(), [](Classes& classes) { classes[2].table = "courses.csv"; });
  EXPECT_EQ(CreateError(),
            "policy.yaml: every table must be a file of its own, but courses and courses.csv are "
            "both courses.csv");
}

TEST_F(TablesTargetTest, StopsWhenTheUserWantsTo) {
  auto target = Create();
  ASSERT_TRUE(target.ok());
  DatasetRecords records(data_);
  Progress progress;
  progress.Cancel();
  EXPECT_EQ((*target)->Write(records, {}, progress).error().code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace thicket::tables_target_test
