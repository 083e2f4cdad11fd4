// Long tables in Arrow's layout: held against the CSV file with the same rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "io/arrow/arrow_json.h"
#include "io/arrow/arrow_reader.h"
#include "io/arrow/arrow_writer.h"
#include "io/arrow/table_builder.h"
#include "io/dataset_sink.h"
#include "io/test_policy.h"

namespace thicket::arrow_groups_test {
namespace {

using testing::Describe;
using testing::ErrorOf;
using ::testing::HasSubstr;
using testing::Read;
using Kind = TableValue::Kind;

// person(born | | town) with row(code | grade | points); name and note are dropped.
Policy GroupPolicy() {
  const auto policy = ParsePolicy(R"(version: 1
record:
  class: p
  group_by: id
  drop: [name]
  keep: [town]
  quasi: {born: {mask: 1}}
  children:
    - {class: row, drop: [note], quasi: {code: {mask: 1}}, sensitive: {grade: {}}, keep: [points]}
privacy: {k: 2}
)",
                                  "policy.yaml");
  EXPECT_TRUE(policy.ok());
  EXPECT_EQ(policy->input.format, Format::kCsv);
  return *policy;
}

using Row = std::vector<std::string>;

ArrowTable TableOf(const Row& header, const std::vector<Row>& rows, Kind kind = Kind::kText) {
  TableBuilder builder;
  for (const Row& row : rows) {
    EXPECT_TRUE(builder.BeginStruct().ok());
    for (size_t i = 0; i < header.size(); ++i) {
      EXPECT_TRUE(builder.Key(header[i]).ok());
      EXPECT_TRUE(builder.Value({row[i].empty() ? Kind::kNone : kind, row[i]}).ok());
    }
    builder.EndStruct();
  }
  auto table = std::move(builder).Finish();
  EXPECT_TRUE(table.ok());
  return std::move(*table);
}

std::string CsvOf(const Row& header, const std::vector<Row>& rows) {
  std::string text;
  const auto add = [&](const Row& row) {
    for (size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "," : "") + row[i];
    text += '\n';
  };
  add(header);
  for (const Row& row : rows) add(row);
  return text;
}

Result<Dataset> ReadTable(const ArrowTable& table, ReadAs as = ReadAs::kOriginal) {
  const Policy policy = GroupPolicy();
  Progress progress;
  DatasetSink sink(policy, "table", as);
  THICKET_TRY(ReadArrow(table, progress, sink));
  return std::move(sink).Finish();
}

// Columns in any order, persons with any number of rows anywhere, missing values, rows without values.
TEST(ArrowGroups, AreTheRecordsOfTheCsvFileWithTheSameRows) {
  Random random = Random::Seeded(7);
  for (int round = 0; round < 60; ++round) {
    Row header = {"id", "born", "town", "name", "code", "grade", "points", "note"};
    Row of_person[5];
    for (size_t i = header.size(); i > 1; --i) std::swap(header[i - 1], header[random.Below(i)]);
    std::vector<Row> rows;
    const auto value = [&](uint64_t kinds) {
      const uint64_t drawn = random.Below(kinds + 1);
      return drawn == 0 ? std::string() : std::string(1, static_cast<char>('a' + drawn));
    };
    for (Row& person : of_person) person = {value(2), value(2)};
    for (uint64_t count = 1 + random.Below(12); count > 0; --count) {
      const uint64_t who = random.Below(5);
      Row row;
      for (const std::string& name : header) {
        row.push_back(name == "id"     ? "S" + std::to_string(who)
                      : name == "born" ? of_person[who][0]
                      : name == "town" ? of_person[who][1]
                                       : value(random.Below(3)));
      }
      rows.push_back(std::move(row));
    }
    const ArrowTable table = TableOf(header, rows);
    const auto expected = Read(GroupPolicy(), CsvOf(header, rows));
    const auto found = ReadTable(table);
    ASSERT_TRUE(expected.ok() && found.ok()) << ErrorOf(expected) << ErrorOf(found);
    ASSERT_EQ(Describe(*found), Describe(*expected));

    // Written by either, the same rows in the same order of columns, and read back the same records.
    DatasetRecords records(*found);
    const auto written = WriteArrow(GroupPolicy(), records, {}, &table);
    ASSERT_TRUE(written.ok());
    std::string csv;
    DatasetRecords of_csv(*expected);
    ASSERT_TRUE(WriteRecords(GroupPolicy(), of_csv, {}, [&](std::string_view bytes) {
                  csv += bytes;
                  return Status();
                }).ok());
    const auto again = ReadTable(*written, ReadAs::kPublished);
    const auto csv_again = Read(GroupPolicy(), csv, ReadAs::kPublished);
    ASSERT_TRUE(again.ok() && csv_again.ok()) << ErrorOf(again) << ErrorOf(csv_again);
    EXPECT_EQ(Describe(*again), Describe(*expected));
    EXPECT_EQ(again->findings.size(), csv_again->findings.size());
    EXPECT_EQ(*ArrowAsJson(*written, 100, "t"),
              *ArrowAsJson(*WriteArrow(GroupPolicy(), of_csv, {}, nullptr), 100, "t"));
  }
}

TEST(ArrowGroups, NumbersKeepTheirTypeAndPersonsGetNewOnes) {
  const ArrowTable table = TableOf(
      {"id", "born", "town", "code", "grade", "points"},
      {{"17", "1961", "3", "5", "1", "10"}, {"17", "1961", "3", "6", "2", "20"}}, Kind::kInteger);
  const auto data = ReadTable(table);
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), "p(1961,3){row(5,1,10)row(6,2,20)}\n");
  DatasetRecords records(*data);
  WriteOptions with_class;
  with_class.with_class = true;
  const auto written = WriteArrow(GroupPolicy(), records, with_class, &table);
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(*ArrowAsJson(*written, 9, "t"),
            R"({"id":1,"born":"1961","town":3,"code":"5","grade":1,"points":10,"_class":0})"
            "\n"
            R"({"id":1,"born":"1961","town":3,"code":"6","grade":2,"points":20,"_class":0})"
            "\n");
}

TEST(ArrowGroups, MessagesSayWhichRow) {
  const Row header = {"id", "born", "town", "code", "grade", "points"};
  const auto error = [&](const std::vector<Row>& rows, ReadAs as = ReadAs::kOriginal) {
    return ErrorOf(ReadTable(TableOf(header, rows), as));
  };
  EXPECT_EQ(error({{"a", "1", "t", "x", "A", "1"}, {"a", "2", "t", "x", "A", "1"}}),
            "table: row 2: born: every row of a person must have the same value here as the first "
            "(row 1), but this one has another [put the column into the class under children, or "
            "correct the data]");
  EXPECT_EQ(error({{"a", "1", "t", "x", "A", "1"}, {"", "2", "t", "x", "A", "1"}}),
            "table: row 2: id: every row must say whose it is, but this one does not [complete the "
            "data, or remove the row]");
  EXPECT_THAT(error({{"7", "1", "t", "x", "A", "1"}}, ReadAs::kPublished),
              HasSubstr("table: row 1: id: published data must have the running number"));
  EXPECT_THAT(ErrorOf(ReadTable(TableOf({"ID", "born"}, {{"a", "1"}}))),
              HasSubstr("table: id: the column that group_by names must be there, but is not ["));
  EXPECT_THAT(ErrorOf(ReadTable(TableOf({"id", "born"}, {{"a", "1"}}))),
              HasSubstr("town: every attribute of the policy must occur in the data"));
  EXPECT_THAT(ErrorOf(ReadTable(TableOf({"id", "name", "born", "town", "code", "grade", "points"},
                                        {{"1", "Ann", "1", "t", "x", "A", "1"}}),
                                ReadAs::kPublished)),
              HasSubstr("table: row 1: name: published data must not hold a dropped attribute"));
}

TEST(ArrowGroups, ColumnsMustBePlain) {
  TableBuilder builder;
  ASSERT_TRUE(builder.BeginStruct().ok());
  ASSERT_TRUE(builder.Key("id").ok());
  ASSERT_TRUE(builder.Value({Kind::kInteger, "1"}).ok());
  ASSERT_TRUE(builder.Key("born").ok());
  ASSERT_TRUE(builder.BeginList().ok());
  ASSERT_TRUE(builder.Value({Kind::kInteger, "1"}).ok());
  builder.EndList();
  builder.EndStruct();
  const auto table = std::move(builder).Finish();
  ASSERT_TRUE(table.ok());
  EXPECT_THAT(ErrorOf(ReadTable(*table)),
              HasSubstr("table: born: must hold plain values, but holds"));
}

// A published person without rows has one row without values, and no other.
TEST(ArrowGroups, PublishedRowsLookAlike) {
  const Row header = {"id", "born", "town", "code", "grade", "points"};
  const auto findings = [&](const std::vector<Row>& rows) {
    const auto data = ReadTable(TableOf(header, rows), ReadAs::kPublished);
    EXPECT_TRUE(data.ok()) << ErrorOf(data);
    return data.ok() ? data->findings.size() : 0;
  };
  const Row full = {"1", "1", "t", "x", "A", "1"};
  const Row empty = {"1", "1", "t", "", "", ""};
  EXPECT_EQ(findings({full, full, {"2", "1", "t", "", "", ""}}), 0U);
  EXPECT_EQ(findings({full, empty}), 1U);
  EXPECT_EQ(findings({empty, full}), 1U);
}

}  // namespace
}  // namespace thicket::arrow_groups_test
