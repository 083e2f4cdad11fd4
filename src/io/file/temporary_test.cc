#include "io/file/temporary.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "io/file/atomic_file.h"
#include "io/test_policy.h"

namespace thicket::temporary_test {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

std::string NewPath(const TemporaryFolder& folder, const std::string& stem) {
  Random random = Random::Secure();
  return TemporaryPath(folder.path(), stem, random);
}

std::string MakeFile(const std::string& path) {
  std::ofstream(path) << "private";
  return path;
}

TEST(Temporary, TheNextRunToATargetRemovesWhatAKilledOneLeft) {
  const TemporaryFolder folder;
  const std::string left = MakeFile(NewPath(folder, "out.db"));
  const std::string journal = MakeFile(NewPath(folder, "out.db") + "-journal");
  const std::string tables = NewPath(folder, "out.db");
  fs::create_directory(tables);
  MakeFile(tables + "/visits.csv");
  auto file = AtomicFile::Create(folder.path() + "/out.db", 0644);
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(fs::exists(left));
  EXPECT_FALSE(fs::exists(journal));
  EXPECT_FALSE(fs::exists(tables));
  EXPECT_TRUE(fs::exists((*file)->temporary_path()));
}

TEST(Temporary, LinksInAFolderAreNotFollowed) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() + "/kept");
  const std::string kept = MakeFile(folder.path() + "/kept/a.csv");
  const std::string left = NewPath(folder, "out");
  fs::create_directory(left);
  ASSERT_EQ(symlink((folder.path() + "/kept").c_str(), (left + "/inner").c_str()), 0);
  RemoveLeftovers(folder.path(), "out");
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(kept));
}

TEST(Temporary, WhatALivingRunWritesStays) {
  const TemporaryFolder folder;
  auto living = AtomicFile::Create(folder.path() + "/out.csv", 0644);
  ASSERT_TRUE(living.ok());
  ASSERT_TRUE((*living)->Write("whole").ok());
  auto other = AtomicFile::Create(folder.path() + "/out.csv", 0644);
  ASSERT_TRUE(other.ok());
  EXPECT_TRUE(fs::exists((*living)->temporary_path()));
  EXPECT_TRUE((*living)->Commit().ok());
  EXPECT_TRUE((*other)->Commit().ok());
}

TEST(Temporary, NamesThatOnlyLookAlikeStay) {
  const TemporaryFolder folder;
  const std::string other_target = MakeFile(NewPath(folder, "other.csv"));
  const std::string beginning = MakeFile(NewPath(folder, "out.csv.gz"));
  const std::string longer = MakeFile(NewPath(folder, "out.csv") + "x");
  const std::string by_hand = MakeFile(folder.path() + "/.out.csv.thicket-mine.tmp");
  RemoveLeftovers(folder.path(), "out.csv");
  for (const std::string& path : {other_target, beginning, longer, by_hand}) {
    EXPECT_TRUE(fs::exists(path)) << path;
  }
}

TEST(Temporary, LinksAreNotFollowed) {
  const TemporaryFolder folder;
  const std::string precious = MakeFile(folder.path() + "/precious");
  const std::string link = NewPath(folder, "out.csv");
  ASSERT_EQ(symlink(precious.c_str(), link.c_str()), 0);
  const std::string tables = NewPath(folder, "out.csv");
  fs::create_directory(folder.path() + "/kept");
  MakeFile(folder.path() + "/kept/a.csv");
  ASSERT_EQ(symlink((folder.path() + "/kept").c_str(), tables.c_str()), 0);
  RemoveLeftovers(folder.path(), "out.csv");
  EXPECT_TRUE(fs::exists(precious));
  EXPECT_TRUE(fs::exists(folder.path() + "/kept/a.csv"));
}

TEST(Temporary, WhatBelongsToSomebodyElseStays) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const TemporaryFolder folder;
  const std::string theirs = MakeFile(NewPath(folder, "out.csv"));
  ASSERT_EQ(chown(theirs.c_str(), 12345, 12345), 0);
  RemoveLeftovers(folder.path(), "out.csv");
  EXPECT_TRUE(fs::exists(theirs));
}

TEST(Temporary, ANameThatAnotherRunTookForALeftoverIsNotClaimed) {
  const TemporaryFolder folder;
  const std::string path = NewPath(folder, "out.csv");
  const int fd = open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  ASSERT_GE(fd, 0);
  RemoveLeftovers(folder.path(), "out.csv");
  LiveTemporary live;
  EXPECT_FALSE(live.Claim(path, fd));
  close(fd);
}

// In a process of its own: afterwards nothing can be claimed any more.
TEST(TemporaryDeathTest, AllThatIsBeingWrittenCanBeRemovedAtOnce) {
  const TemporaryFolder folder;
  const std::string target = folder.path() + "/out.csv";
  EXPECT_EXIT(
      {
        const auto file = AtomicFile::Create(target, 0644);
        const bool removed = RemoveTemporaries();
        _exit(file.ok() && removed && !fs::exists((*file)->temporary_path()) ? 7 : 1);
      },
      ::testing::ExitedWithCode(7), "");
  EXPECT_EXIT(
      {
        const auto file = AtomicFile::Create(target, 0644);
        CommitScope commit;
        commit.Done();
        const bool removed = RemoveTemporaries();
        const bool is_there = fs::exists((*file)->temporary_path());
        unlink((*file)->temporary_path().c_str());
        _exit(!removed && is_there ? 7 : 1);
      },
      ::testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace thicket::temporary_test
