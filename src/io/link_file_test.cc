#include "io/link_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/file/source.h"
#include "io/test_policy.h"

namespace thicket::link_file_test {
namespace {

using ::testing::ElementsAre;
using testing::TemporaryFolder;

class LinkFileTest : public ::testing::Test {
 protected:
  Result<std::vector<RecordId>> Read(const std::string& text) {
    folder_.File("link.csv", text);
    return ReadLink(path_, published_, original_, progress_);
  }
  // Without the folder.
  std::string ErrorOf(const std::string& text) {
    const auto read = Read(text);
    if (read.ok()) return "none";
    EXPECT_EQ(read.error().code, ErrorCode::kData);
    return read.error().message.substr(folder_.path().size() + 1);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.path() + "/link.csv";
  Progress progress_;
  size_t published_ = 3;
  size_t original_ = 5;
};

TEST_F(LinkFileTest, WhatIsWrittenIsReadBack) {
  const std::vector<RecordId> certificate = {4, 0, 2};
  auto file = AtomicFile::Create(path_, 0600);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(WriteLink(**file, certificate).ok());
  ASSERT_TRUE((*file)->Commit().ok());
  EXPECT_EQ(*ReadAll(path_), "published,original\n1,5\n2,1\n3,3\n");
  const auto read = ReadLink(path_, published_, original_, progress_);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, certificate);
}

TEST_F(LinkFileTest, ALinkOfManyRecordsIsReadBack) {
  published_ = original_ = 20'000;
  std::vector<RecordId> certificate;
  for (RecordId record = 20'000; record > 0; --record) certificate.push_back(record - 1);
  auto file = AtomicFile::Create(path_ + ".gz", 0600);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(WriteLink(**file, certificate).ok());
  ASSERT_TRUE((*file)->Commit().ok());
  const auto read = ReadLink(path_ + ".gz", published_, original_, progress_);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, certificate);
}

TEST_F(LinkFileTest, RowsMayStandInAnyOrderAndEndAsOnOtherSystems) {
  const auto read = Read("\xef\xbb\xbfpublished,original\r\n3,1\r\n1,2\r\n2,4");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_THAT(*read, ElementsAre(1, 3, 0));
}

TEST_F(LinkFileTest, RefusesWhatIsNoLinkBetweenTheTwo) {
  const std::string head = "published,original\n";
  EXPECT_EQ(ErrorOf(""), "link.csv:1: must name the columns published,original, but is empty");
  EXPECT_EQ(ErrorOf("1,2\n"), "link.csv:1: must name the columns published,original, but does not");
  for (const std::string row : {"1", "1,2,3", "", "\xff"}) {
    if (row.empty()) continue;
    EXPECT_EQ(ErrorOf(head + row + "\n"),
              "link.csv:2: must have two record numbers with a comma between them, but has not");
  }
  EXPECT_EQ(ErrorOf(head + std::string(5000, '1')),
            "link.csv:2: must have two record numbers with a comma between them, but has not");
  for (const std::string number : {"0", "4", "-1", "x", "", "1.0", " 1", "99999999999999999999"}) {
    EXPECT_EQ(ErrorOf(head + number + ",2\n"),
              "link.csv:2: published: must be the number of a record, from 1 to 3, but is not");
  }
  EXPECT_EQ(ErrorOf(head + "1,6\n"),
            "link.csv:2: original: must be the number of a record, from 1 to 5, but is not");
  EXPECT_EQ(ErrorOf(head + "1,1\n2,2\n1,3\n"),
            "link.csv:4: every published record must be here once, but this one is in line 2, too");
  EXPECT_EQ(
      ErrorOf(head + "1,1\n2,2\n3,1\n"),
      "link.csv:4: no original record may stand behind two published ones, but this one is in "
      "line 2, too");
  EXPECT_EQ(ErrorOf(head + "2,1\n"),
            "link.csv: every published record must be here once, but 2 of 3 are not (the first is "
            "record 1)");
}

}  // namespace
}  // namespace thicket::link_file_test
