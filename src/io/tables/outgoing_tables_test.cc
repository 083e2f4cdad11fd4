#include "io/tables/outgoing_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/tables/test_tables.h"

namespace thicket::outgoing_tables_test {
namespace {

using ::testing::ElementsAre;
using testing::ErrorOf;
using testing::JoinedPolicy;
using testing::ReadTexts;

const std::vector<std::string> kTexts = {
    "campus,ID,id,major,gpa\nN,s7,1,CS,3.5\n,s3,2,EE,\n",
    "SID,CID,grade,code\ns3,c1,A,EE1\ns7,c2,B,CS1\ns3,c3,,EE2\n", "title,CID\nx,c3\ny,c2\nz,c3\n",
    "tag,SID\nt,s3\n"};

// Every table as text: its columns, then its rows.
std::string Tables(OutgoingRecords& records, const WriteOptions& options) {
  OutgoingTables tables(records, options);
  std::string text;
  for (ClassId id = 0; id < 4; ++id) {
    text += tables.name(id) + ":";
    for (const OutgoingColumn& column : tables.columns(id)) text += " " + column.name;
    const Status done = tables.ForEachRow(id, [&](const std::vector<OutgoingValue>& row) {
      text += " |";
      for (const OutgoingValue& value : row) {
        text += value.kind == ValueKind::kNone ? " -" : " " + std::string(value.text);
      }
      return Status();
    });
    EXPECT_TRUE(done.ok());
    text += "\n";
  }
  return text;
}

TEST(OutgoingTables, HaveTheColumnsOfTheSourceAndRunningNumbersAsKeys) {
  const auto data = ReadTexts(JoinedPolicy(), kTexts);
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  DatasetRecords records(*data);
  EXPECT_EQ(Tables(records, {}),
            "students: campus ID major gpa | N 1 CS 3.5 | - 2 EE -\n"
            "courses: SID CID grade code | 1 1 B CS1 | 2 2 A EE1 | 2 3 - EE2\n"
            "books: title CID | y 1 | x 3 | z 3\n"
            "tags: tag SID | t 2\n");
}

TEST(OutgoingTables, HaveTheClassNumberLastInTheTableOfPersons) {
  const auto data = ReadTexts(JoinedPolicy(), kTexts);
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  DatasetRecords records(*data);
  OutgoingTables tables(records, {.with_class = true});
  EXPECT_EQ(tables.columns(0).back().name, "_class");
  EXPECT_EQ(tables.columns(1).size(), 4U);
}

TEST(OutgoingTables, BeginWithTheKeysWhereTheSourceHasNoTables) {
  auto data = ReadTexts(JoinedPolicy(), kTexts);
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  data->shape = SourceShape::Empty(4);
  DatasetRecords records(*data);
  OutgoingTables tables(records, {});
  std::vector<std::string> names;
  for (ClassId id = 0; id < 3; ++id) {
    for (const OutgoingColumn& column : tables.columns(id)) names.push_back(column.name);
  }
  EXPECT_THAT(names, ElementsAre("ID", "major", "gpa", "campus", "CID", "SID", "code", "grade",
                                 "CID", "title"));
  EXPECT_EQ(tables.columns(1)[2].role, OutgoingColumn::Role::kQuasi);
  EXPECT_EQ(tables.columns(1)[3].role, OutgoingColumn::Role::kOther);
}

TEST(OutgoingTables, StopAtTheFirstError) {
  const auto data = ReadTexts(JoinedPolicy(), kTexts);
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  DatasetRecords records(*data);
  OutgoingTables tables(records, {});
  int rows = 0;
  const Status done = tables.ForEachRow(1, [&](const std::vector<OutgoingValue>&) {
    ++rows;
    return Status(Interrupted());
  });
  EXPECT_FALSE(done.ok());
  EXPECT_EQ(rows, 1);
}

}  // namespace
}  // namespace thicket::outgoing_tables_test
