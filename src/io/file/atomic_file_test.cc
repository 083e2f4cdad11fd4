#include "io/file/atomic_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "io/file/source.h"
#include "io/test_policy.h"

namespace thicket::atomic_file_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TemporaryFolder;

std::vector<std::string> FilesIn(const std::string& folder) {
  std::vector<std::string> names;
  DIR* open = opendir(folder.c_str());
  while (const dirent* entry = readdir(open)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  closedir(open);
  return names;
}

mode_t ModeOf(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

TEST(AtomicFile, AppearsOnlyAtCommit) {
  const TemporaryFolder folder;
  const std::string target = folder.File("out", "before");
  auto file = AtomicFile::Create(target, 0644);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Write("new ").ok());
  ASSERT_TRUE((*file)->Write("text").ok());
  ASSERT_TRUE((*file)->Close().ok());
  EXPECT_EQ(*ReadAll(target), "before");
  EXPECT_EQ(*ReadAll((*file)->temporary_path()), "new text");
  EXPECT_EQ(ModeOf((*file)->temporary_path()), 0600U);
  ASSERT_TRUE((*file)->Commit().ok());
  EXPECT_EQ(*ReadAll(target), "new text");
  EXPECT_THAT(FilesIn(folder.path()), ElementsAre("out"));
}

TEST(AtomicFile, GivesTheModeWhateverTheMaskOfTheProcess) {
  const TemporaryFolder folder;
  for (const auto& [mode, mask] :
       {std::tuple(0644, 077), std::tuple(0640, 022), std::tuple(0600, 0)}) {
    const mode_t before = umask(static_cast<mode_t>(mask));
    auto file = AtomicFile::Create(folder.path() + "/out", static_cast<mode_t>(mode));
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE((*file)->Commit().ok());
    EXPECT_EQ(umask(before), static_cast<mode_t>(mask));
    EXPECT_EQ(ModeOf(folder.path() + "/out"), static_cast<mode_t>(mode));
  }
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
  const TemporaryFolder folder;
  {
    auto file = AtomicFile::Create(folder.path() + "/out", 0644);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE((*file)->Write("text").ok());
    ASSERT_TRUE((*file)->Close().ok());
    EXPECT_EQ(FilesIn(folder.path()).size(), 1U);
  }
  EXPECT_THAT(FilesIn(folder.path()), IsEmpty());
}

TEST(AtomicFile, CompressesByTheNameOfItsTarget) {
  const TemporaryFolder folder;
  for (const char* name : {"/a.gz", "/a.zst"}) {
    auto file = AtomicFile::Create(folder.path() + name, 0644);
    ASSERT_TRUE(file.ok());
    const std::string text(1000000, 'x');
    ASSERT_TRUE((*file)->Write(text).ok());
    ASSERT_TRUE((*file)->Close().ok());
    EXPECT_EQ(*ReadAll((*file)->temporary_path()), text);
    ASSERT_TRUE((*file)->Commit().ok());
    EXPECT_EQ(*ReadAll(folder.path() + name), text);
    struct stat status {};
    ASSERT_EQ(stat((folder.path() + name).c_str(), &status), 0);
    EXPECT_LT(status.st_size, 10000);
  }
}

TEST(AtomicFile, KeepsALinkAndReplacesWhatItPointsTo) {
  const TemporaryFolder folder;
  const std::string real = folder.File("real", "before");
  ASSERT_EQ(symlink("real", (folder.path() + "/link").c_str()), 0);
  auto file = AtomicFile::Create(folder.path() + "/link", 0644);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Write("after").ok());
  ASSERT_TRUE((*file)->Commit().ok());
  struct stat status {};
  ASSERT_EQ(lstat((folder.path() + "/link").c_str(), &status), 0);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
  EXPECT_EQ(*ReadAll(real), "after");
}

TEST(AtomicFile, RefusesALinkThatLeadsToNothing) {
  const TemporaryFolder folder;
  for (const char* target : {"nothing", "link"}) {
    const std::string link = folder.path() + "/link";
    ASSERT_EQ(symlink(target, link.c_str()), 0);
    const auto file = AtomicFile::Create(link, 0644);
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.error().code, ErrorCode::kIo);
    EXPECT_THAT(file.error().message,
                HasSubstr("/link: a link must lead to what is to be replaced"));
    EXPECT_THAT(FilesIn(folder.path()), ElementsAre("link"));
    ASSERT_EQ(unlink(link.c_str()), 0);
  }
}

TEST(AtomicFile, SaysWhetherItReplacesSomething) {
  const TemporaryFolder folder;
  for (const bool replaces : {false, true}) {
    auto file = AtomicFile::Create(folder.path() + "/out", 0644);
    ASSERT_TRUE(file.ok());
    EXPECT_EQ((*file)->Replaces(), replaces);
    EXPECT_FALSE((*file)->MayHaveAppeared());
    ASSERT_TRUE((*file)->Commit().ok());
    EXPECT_TRUE((*file)->MayHaveAppeared());
  }
}

TEST(AtomicFile, IsTakenBackOrStays) {
  const TemporaryFolder folder;
  const std::string target = folder.File("out", "before");
  for (const bool stays : {false, true}) {
    auto file = AtomicFile::Create(target, 0644);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE((*file)->Write("after").ok());
    ASSERT_TRUE((*file)->CommitForNow().ok());
    EXPECT_EQ(*ReadAll(target), "after");
    if (stays) {
      (*file)->Settle();
    } else {
      ASSERT_TRUE((*file)->TakeBack().ok());
    }
    EXPECT_EQ(*ReadAll(target), stays ? "after" : "before");
    EXPECT_THAT(FilesIn(folder.path()), ElementsAre("out"));
  }
}

TEST(AtomicFile, IsNoStandardStreamWhereThoseAreClosed) {
  const TemporaryFolder folder;
  const int saved = dup(STDIN_FILENO);
  close(STDIN_FILENO);
  auto file = AtomicFile::Create(folder.path() + "/out", 0644);
  const bool taken = fcntl(STDIN_FILENO, F_GETFD) >= 0;
  dup2(saved, STDIN_FILENO);
  close(saved);
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(taken);
  ASSERT_TRUE((*file)->Write("text").ok());
  ASSERT_TRUE((*file)->Commit().ok());
  EXPECT_EQ(*ReadAll(folder.path() + "/out"), "text");
}

TEST(AtomicFile, RefusesTargetsThatAreNoFiles) {
  const TemporaryFolder folder;
  const auto directory = AtomicFile::Create(folder.path(), 0644);
  ASSERT_FALSE(directory.ok());
  EXPECT_THAT(directory.error().message, HasSubstr("Is a directory"));
  const auto device = AtomicFile::Create("/dev/null", 0644);
  ASSERT_FALSE(device.ok());
  EXPECT_THAT(device.error().message, HasSubstr("must be a regular file"));
  const auto nowhere = AtomicFile::Create(folder.path() + "/none/out", 0644);
  ASSERT_FALSE(nowhere.ok());
  EXPECT_EQ(nowhere.error().code, ErrorCode::kIo);
  EXPECT_THAT(nowhere.error().message,
              HasSubstr("/none/out: cannot be written: No such file or directory"));
}

TEST(AtomicFile, RefusesADirectoryThatCannotBeWritten) {
  const auto file = AtomicFile::Create("/proc/out.jsonl", 0644);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().code, ErrorCode::kIo);
  EXPECT_THAT(file.error().message, HasSubstr("/proc/out.jsonl: cannot be written"));
}

TEST(AtomicFile, RemovesWhatItCouldNotWrite) {
  const TemporaryFolder folder;
  struct rlimit before {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit small = before;
  small.rlim_cur = 4096;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  auto file = AtomicFile::Create(folder.path() + "/out", 0644);
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status status = (*file)->Write(std::string(10000, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_THAT(status.error().message, HasSubstr("/out: cannot be written: File too large"));
  EXPECT_EQ(status.error().hint, "make room, or write somewhere else with -o");
  EXPECT_THAT(FilesIn(folder.path()), IsEmpty());
}

TEST(AtomicFile, CannotBeCommittedAfterAFailure) {
  const TemporaryFolder folder;
  const std::string target = folder.path() + "/out";
  auto file = AtomicFile::Create(target, 0644);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Write("text").ok());
  ASSERT_EQ(mkdir(target.c_str(), 0700), 0);
  EXPECT_FALSE((*file)->Commit().ok());
  ASSERT_EQ(rmdir(target.c_str()), 0);
  EXPECT_FALSE((*file)->Commit().ok());
  EXPECT_THAT(FilesIn(folder.path()), IsEmpty());
}

TEST(AtomicFile, HoldsStandardOutputBackUntilCommit) {
  const TemporaryFolder folder;
  const char* before = std::getenv("TMPDIR");
  const std::string saved_directory = before != nullptr ? before : "";
  setenv("TMPDIR", folder.path().c_str(), 1);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int saved = dup(STDOUT_FILENO);
  auto file = AtomicFile::Create("-", 0644);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Write("text").ok());
  ASSERT_TRUE((*file)->Close().ok());
  EXPECT_EQ(*ReadAll((*file)->temporary_path()), "text");
  EXPECT_EQ(*ReadAll((*file)->temporary_path()), "text");
  EXPECT_THAT(FilesIn(folder.path()), IsEmpty());
  dup2(ends[1], STDOUT_FILENO);
  const bool committed = (*file)->Commit().ok();
  dup2(saved, STDOUT_FILENO);
  close(saved);
  close(ends[1]);
  EXPECT_TRUE(committed);
  char buffer[16];
  EXPECT_EQ(read(ends[0], buffer, sizeof buffer), 4);
  EXPECT_EQ(std::string(buffer, 4), "text");
  close(ends[0]);
  if (before != nullptr) {
    setenv("TMPDIR", saved_directory.c_str(), 1);
  } else {
    unsetenv("TMPDIR");
  }
}

TEST(AtomicFile, RefusesStandardOutputThatIsClosed) {
  const int saved = dup(STDOUT_FILENO);
  close(STDOUT_FILENO);
  const auto file = AtomicFile::Create("-", 0644);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().code, ErrorCode::kIo);
  EXPECT_EQ(file.error().message, "standard output: cannot be written: Bad file descriptor");
}

}  // namespace
}  // namespace thicket::atomic_file_test
