#include "io/file/paths.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "io/test_policy.h"

namespace thicket::paths_test {
namespace {

using testing::TemporaryFolder;

class PathsTest : public ::testing::Test {
 protected:
  PathsTest() : at_(folder_.path() + "/") {
    folder_.File("a", "text");
    EXPECT_EQ(mkdir((at_ + "sub").c_str(), 0700), 0);
    EXPECT_EQ(symlink("sub", (at_ + "way").c_str()), 0);
    EXPECT_EQ(symlink("../a", (at_ + "sub/to-a").c_str()), 0);
    EXPECT_EQ(link((at_ + "a").c_str(), (at_ + "hard").c_str()), 0);
    EXPECT_EQ(symlink("sub/later", (at_ + "to-later").c_str()), 0);
    EXPECT_EQ(symlink("loop", (at_ + "loop").c_str()), 0);
  }

  bool Same(const std::string& a, const std::string& b) const {
    return Identify(at_ + a) == Identify(at_ + b);
  }

  TemporaryFolder folder_;
  std::string at_;
};

TEST_F(PathsTest, AFileIsTheSameUnderEveryName) {
  for (const char* name :
       {"a", "./a", "sub/../a", "way/../a", "sub/to-a", "way/to-a", "hard", "a/", ".//a"}) {
    EXPECT_TRUE(Same("a", name)) << name;
  }
  for (const char* name : {"b", "sub", "sub/a", "A", "a/b"}) EXPECT_FALSE(Same("a", name)) << name;
}

TEST_F(PathsTest, AFileThatIsNotThereYetIsTheSameUnderEveryName) {
  for (const char* name : {"sub/later", "way/later", "sub/./later", "sub/new/../later",
                           "sub/later/", "to-later", "way/../to-later"}) {
    EXPECT_TRUE(Same("sub/later", name)) << name;
  }
  for (const char* name : {"later", "sub/Later", "sub/later/x", "loop"}) {
    EXPECT_FALSE(Same("sub/later", name)) << name;
  }
  EXPECT_TRUE(Same("new/folder/x", "new/other/../folder/x"));
  EXPECT_FALSE(Same("new/folder/x", "new/x"));
}

TEST_F(PathsTest, ARelativePathIsWhatTheWorkingFolderMakesOfIt) {
  char before[4096];
  ASSERT_NE(getcwd(before, sizeof before), nullptr);
  ASSERT_EQ(chdir((at_ + "sub").c_str()), 0);
  EXPECT_EQ(Identify("../a"), Identify(at_ + "a"));
  EXPECT_EQ(Identify("new"), Identify(at_ + "way/new"));
  ASSERT_EQ(chdir(before), 0);
}

TEST_F(PathsTest, ADescriptorIsItsFile) {
  const int file = open((at_ + "hard").c_str(), O_RDONLY);
  ASSERT_GE(file, 0);
  EXPECT_EQ(IdentifyDescriptor(file), Identify(at_ + "a"));
  close(file);
  EXPECT_FALSE(IdentifyDescriptor(file).has_value());
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(IdentifyDescriptor(ends[0]).has_value());
  close(ends[0]);
  close(ends[1]);
}

TEST_F(PathsTest, WhatLiesInAFolderLiesInItUnderEveryName) {
  folder_.File("sub/inside", "");
  EXPECT_EQ(symlink("sub/inside", (at_ + "to-inside").c_str()), 0);
  for (const char* folder : {"sub", "way", "sub/."}) {
    const FileIdentity identity = Identify(at_ + folder);
    for (const char* name : {"sub/inside", "way/inside", "to-inside", "sub/new", "way/new/x",
                             "to-later", "sub/../way/new"}) {
      EXPECT_TRUE(LiesIn(at_ + name, identity)) << name;
    }
    for (const char* name : {"a", "sub/to-a", "sub", "way", "new", "sub/../new"}) {
      EXPECT_FALSE(LiesIn(at_ + name, identity)) << name;
    }
  }
  EXPECT_TRUE(LiesIn(at_ + "new/x/y", Identify(at_ + "new")));
  EXPECT_FALSE(LiesIn(at_ + "newer/x", Identify(at_ + "new")));
}

}  // namespace
}  // namespace thicket::paths_test
