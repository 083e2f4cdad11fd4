#include "engine/tables.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "engine/records.h"
#include "engine/thicket.h"
#include "io/arrow/table_builder.h"

namespace thicket::tables_test {
namespace {

constexpr char kPolicy[] = R"(
version: 1
record:
  class: student
  id: id
  keep: [campus]
  quasi: {major: {mask: 2}}
  sensitive: {grade: {}}
  children:
    - class: course
      at: courses
      quasi: {code: {mask: 3}}
      keep: [points]
    - {class: tag, at: tags, quasi: {tag: {mask: 1}}}
privacy: {l: 2}
)";

LoadedPolicy ThePolicy() {
  const auto policy = LoadPolicyText(kPolicy);
  EXPECT_TRUE(policy.ok()) << policy.error().message;
  return *policy;
}

// Records as JSON; some have no courses, or no campus.
std::string Students(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += R"({"id":)" + std::to_string(i) + R"(,"major":"m)" + std::to_string(i % 4) + R"(",)";
    if (i % 5 > 0) text += R"("campus":)" + std::to_string(i % 3) + ".25,";
    text += R"("grade":")" + std::string(1, static_cast<char>('A' + i % 5)) + R"(","courses":[)";
    for (int j = 0; j < i % 3; ++j) {
      text += (j > 0 ? "," : "") + std::string(R"({"code":"c)") + std::to_string((i + j) % 7) +
              R"(","points":)" + std::to_string(j) + "}";
    }
    text += R"(],"tags":["t)" + std::to_string(i % 2) + "\"]}\n";
  }
  return text;
}

// Two students whom nothing can make diverse.
std::string SameGrades() {
  const std::string rest =
      R"(,"major":"m","campus":1,"grade":"A","courses":[{"code":"c","points":1}],"tags":["t"]})";
  return "{\"id\":1" + rest + "\n{\"id\":2" + rest + "\n";
}

RecordSet Parse(const LoadedPolicy& policy, const std::string& text) {
  Progress progress;
  auto records = ParseRecords(policy, text, RecordsAs::kOriginal, progress);
  EXPECT_TRUE(records.ok()) << records.error().message;
  return std::move(*records);
}

// The published table read by a stranger, as text.
std::string AsText(const LoadedPolicy& policy, const ArrowTable& table) {
  Progress progress;
  const auto records = ReadTable(policy, table, RecordsAs::kPublished, progress);
  EXPECT_TRUE(records.ok()) << records.error().message;
  const auto text = FormatRecords(policy, *records, progress);
  EXPECT_TRUE(text.ok());
  return *text;
}

TEST(Tables, PublishTheRecordsThatTextPublishes) {
  const LoadedPolicy policy = ThePolicy();
  const std::string text = Students(60);
  for (uint64_t seed = 1; seed < 6; ++seed) {
    RunOptions options;
    options.seed = seed;
    Progress progress;
    const auto expected = AnonymizeText(policy, text, options, progress);
    ASSERT_TRUE(expected.ok()) << expected.error().message;
    const auto found = AnonymizeTable(policy, Parse(policy, text), nullptr, options, progress);
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_TRUE(found->report.guarantee.verified);
    EXPECT_EQ(AsText(policy, found->table), expected->data);

    // The table that was published has the types of another one, and says the same.
    const auto again =
        AnonymizeTable(policy, Parse(policy, text), &found->table, options, progress);
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(*TableAsJson(again->table), *TableAsJson(found->table));
  }
}

TEST(Tables, NothingIsReturnedWhereThePromiseCannotBeKept) {
  Progress progress;
  const LoadedPolicy policy = ThePolicy();
  const auto result = AnonymizeTable(policy, Parse(policy, SameGrades()), nullptr, {}, progress);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kPromise);
}

TEST(Tables, AStopIsAnError) {
  Progress progress;
  const LoadedPolicy policy = ThePolicy();
  RecordSet records = Parse(policy, Students(60));
  progress.Cancel();
  const auto result = AnonymizeTable(policy, std::move(records), nullptr, {}, progress);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kInterrupted);
}

// Rows of persons, shuffled: as CSV, and as a table.
struct LongTable {
  std::string csv = "person,age,day,cost\n";
  std::optional<ArrowTable> table;
};

LongTable Visits() {
  TableBuilder builder;
  LongTable visits;
  for (int i = 0; i < 90; ++i) {
    const int person = i * 37 % 40;
    const std::string values[] = {"P" + std::to_string(person), std::to_string(20 + person % 7),
                                  "d" + std::to_string(i % 3), std::to_string(i % 5)};
    visits.csv += values[0] + "," + values[1] + "," + values[2] + "," + values[3] + "\n";
    EXPECT_TRUE(builder.BeginStruct().ok());
    const char* const names[] = {"person", "age", "day", "cost"};
    for (size_t column = 0; column < 4; ++column) {
      EXPECT_TRUE(builder.Key(names[column]).ok());
      const bool text = column % 2 == 0;
      EXPECT_TRUE(
          builder
              .Value({text ? TableValue::Kind::kText : TableValue::Kind::kInteger, values[column]})
              .ok());
    }
    builder.EndStruct();
  }
  auto table = std::move(builder).Finish();
  EXPECT_TRUE(table.ok());
  visits.table = std::move(*table);
  return visits;
}

TEST(Tables, RowsOfAPersonArePublishedAsThoseOfTheFile) {
  const LongTable visits = Visits();
  for (const char* privacy : {"{k: 2}", "{k: 3, l: 2}", "{k: 2, m: 2, n: 1}"}) {
    const auto policy = LoadPolicyText(std::string(R"(
version: 1
record:
  class: person
  group_by: person
  quasi: {age: {ranges: [5, 10]}}
  children: [{class: visit, quasi: {day: {mask: 1}}, sensitive: {cost: {}}}]
privacy: )") + privacy);
    ASSERT_TRUE(policy.ok()) << policy.error().message;
    RunOptions options;
    options.seed = 5;
    options.link = true;
    Progress progress;
    const auto expected = AnonymizeText(*policy, visits.csv, options, progress);
    ASSERT_TRUE(expected.ok()) << expected.error().message;
    auto records = ReadTable(*policy, *visits.table, RecordsAs::kOriginal, progress);
    ASSERT_TRUE(records.ok()) << records.error().message;
    EXPECT_EQ(records->size(), 40U);
    const auto found = AnonymizeTable(*policy, *records, &*visits.table, options, progress);
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_TRUE(found->report.guarantee.verified);
    EXPECT_EQ(AsText(*policy, found->table), expected->data) << privacy;
    EXPECT_EQ(found->link.size(), found->report.output.records);

    // The same from the file's records, which know no types.
    auto parsed = ParseRecords(*policy, visits.csv, RecordsAs::kOriginal, progress);
    ASSERT_TRUE(parsed.ok());
    const auto untyped = AnonymizeTable(*policy, *parsed, nullptr, options, progress);
    ASSERT_TRUE(untyped.ok()) << untyped.error().message;
    EXPECT_EQ(AsText(*policy, untyped->table), expected->data);
    EXPECT_TRUE(TableOfRecords(*policy, *records, progress).ok());
  }
}

}  // namespace
}  // namespace thicket::tables_test
