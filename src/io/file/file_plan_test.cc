#include "io/file/file_plan.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "io/test_policy.h"

namespace thicket::file_plan_test {
namespace {

using testing::TemporaryFolder;

class FilePlanTest : public ::testing::Test {
 protected:
  FilePlanTest() : at_(folder_.path() + "/") {}

  std::string Checked(const FilePlan& plan) const {
    const Status status = plan.Check();
    if (status.ok()) return "good";
    std::string message = status.error().message;
    for (size_t found = 0; (found = message.find(at_)) != std::string::npos;) {
      message.erase(found, at_.size());
    }
    return message;
  }

  TemporaryFolder folder_;
  std::string at_;
};

TEST_F(FilePlanTest, NoOutputIsAnInputOrAnotherOutput) {
  folder_.File("in", "");
  FilePlan plan;
  plan.Read(at_ + "in", "the input");
  plan.Write(at_ + "out", "the output");
  plan.Write("", "nothing");
  EXPECT_EQ(Checked(plan), "good");
  FilePlan onto_input = plan;
  onto_input.Write(at_ + "./in", "the report");
  EXPECT_EQ(Checked(onto_input),
            "./in: the report must not replace the input, but this is the same file");
  FilePlan onto_output = plan;
  onto_output.Write(at_ + "x/../out", "the report");
  EXPECT_EQ(Checked(onto_output),
            "x/../out: the report must not replace the output, but this is the same file");
}

TEST_F(FilePlanTest, StandardOutputIsOneOutputOnly) {
  FilePlan plan;
  plan.Write("-", "the output");
  EXPECT_EQ(Checked(plan), "good");
  plan.Write("-", "the policy");
  EXPECT_EQ(Checked(plan),
            "standard output: the policy must not replace the output, but this is the same file");
}

TEST_F(FilePlanTest, AFolderIsReplacedWithAllThatIsInIt) {
  FilePlan plan;
  plan.WriteData(Format::kTables, at_ + "out", "the output");
  plan.Write(at_ + "report", "the report");
  EXPECT_EQ(Checked(plan), "good");
  FilePlan input_in_it = plan;
  input_in_it.Read(at_ + "out/in", "the input");
  EXPECT_EQ(Checked(input_in_it),
            "out: the output must not replace the input, but that is in this folder");
  plan.Write(at_ + "out/sub/report", "the second report");
  EXPECT_EQ(Checked(plan),
            "out: the output must not replace the second report, but that is in this folder");
}

TEST_F(FilePlanTest, WhatSqliteKeepsBesideADatabaseIsKept) {
  folder_.File("real.db", "");
  ASSERT_EQ(symlink("real.db", (at_ + "in.db").c_str()), 0);
  Policy policy;
  policy.input.format = Format::kSqlite;
  for (const char* name : {"real.db-wal", "real.db-shm", "in.db-journal"}) {
    FilePlan plan;
    plan.ReadData(policy, at_ + "in.db", "the input");
    plan.Write(at_ + name, "the report");
    EXPECT_EQ(Checked(plan),
              std::string(name) +
                  ": the report must not replace what SQLite keeps beside the input, "
                  "but this is the same file");
  }
  FilePlan plan;
  plan.WriteData(Format::kSqlite, at_ + "out.db", "the output");
  plan.Write(at_ + "out.db-wal", "the report");
  EXPECT_EQ(Checked(plan),
            "out.db-wal: the report must not replace what SQLite keeps beside the output, but this "
            "is the same file");
}

TEST_F(FilePlanTest, TwoNewNamesThatBecomeOneFileAreFoundWhenOneIsThere) {
  FilePlan plan;
  plan.Write(at_ + "out", "the output");
  plan.Write(at_ + "OUT", "the report");
  EXPECT_EQ(Checked(plan), "good");
  // As on a file system that ignores case.
  folder_.File("OUT", "");
  ASSERT_EQ(link((at_ + "OUT").c_str(), (at_ + "out").c_str()), 0);
  EXPECT_EQ(Checked(plan),
            "OUT: the report must not replace the output, but this is the same file");
}

}  // namespace
}  // namespace thicket::file_plan_test
