#include "engine/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/assess.h"
#include "engine/convert.h"
#include "engine/levels.h"
#include "engine/taxonomies.h"
#include "generate/generate.h"
#include "io/test_policy.h"

namespace thicket::records_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kPolicy[] = R"(
version: 1
record:
  class: student
  id: student_id
  drop: [name]
  quasi:
    birth_year: {ranges: [5, 10, 20]}
  sensitive:
    gpa: {levels: {min: 0, max: 4, sensitive: low}}
  children:
    - class: course
      at: courses
      quasi: {code: {taxonomy: course.csv}}
      sensitive: {grade: {}}
privacy: {l: 2}
)";

PolicyParts Parts() {
  ValueTree course = ValueTree::Mapping();
  ValueTree& root = course.Set("*", ValueTree::Mapping());
  root.Set("CS", ValueTree::List({"CS1", "CS2"}));
  root.Set("MA", ValueTree::List({"MA1", "MA2"}));
  PolicyParts parts;
  parts.taxonomies.emplace("course.csv", std::move(course));
  return parts;
}

LoadedPolicy StudentPolicy() {
  auto policy = LoadPolicyText(kPolicy, Parts());
  EXPECT_TRUE(policy.ok()) << policy.error().message;
  return *policy;
}

// Student i of the tests: as text, and pushed.
struct Course {
  std::string code;
  std::string grade;
};
std::string YearOf(int i) { return std::to_string(1990 + i % 7); }
std::string GpaOf(int i) { return std::to_string(1 + i % 3) + ".5"; }
std::vector<Course> CoursesOf(int i) {
  std::vector<Course> courses = {{i % 2 == 0 ? "CS1" : "CS2", i % 3 == 0 ? "A" : "B"}};
  if (i % 3 != 0) courses.push_back({i % 2 == 0 ? "MA1" : "MA2", i % 2 == 0 ? "C" : "A"});
  return courses;
}

std::string Jsonl(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "{\"student_id\": \"S" + std::to_string(i) +
            "\", \"name\": \"N\", \"birth_year\": " + YearOf(i) + ", \"gpa\": " + GpaOf(i) +
            ", \"courses\": [";
    bool first = true;
    for (const auto& [code, grade] : CoursesOf(i)) {
      text += std::string(first ? "" : ", ") + "{\"code\": \"" + code + "\", \"grade\": \"" +
              grade + "\"}";
      first = false;
    }
    text += "]}\n";
  }
  return text;
}

Status Push(int i, RecordBuilder& builder) {
  using Kind = RecordValue::Kind;
  THICKET_TRY(builder.BeginRecord());
  THICKET_TRY(builder.Set("student_id", {.text = "S" + std::to_string(i)}));
  THICKET_TRY(builder.Set("name", {.text = "N"}));
  THICKET_TRY(builder.Set("birth_year", {.kind = Kind::kNumber, .text = YearOf(i)}));
  THICKET_TRY(builder.Set("gpa", {.kind = Kind::kNumber, .text = GpaOf(i)}));
  for (const auto& [code, grade] : CoursesOf(i)) {
    THICKET_TRY(builder.OpenVertex("course"));
    THICKET_TRY(builder.Set("code", {.text = code}));
    THICKET_TRY(builder.Set("grade", {.text = grade}));
    THICKET_TRY(builder.CloseVertex());
  }
  return builder.EndRecord();
}

Result<RecordSet> Pushed(const LoadedPolicy& policy, int count, RecordsAs as, Progress& progress) {
  RecordBuilder builder(policy, as, progress);
  for (int i = 0; i < count; ++i) THICKET_TRY(Push(i, builder));
  return std::move(builder).Finish();
}

// All that can be pulled out of a vertex, as one line.
std::string Describe(const RecordVertex& vertex) {
  std::string text = vertex.class_name() + "(";
  for (size_t i = 0; i < vertex.value_count(); ++i) {
    if (i > 0) text += ",";
    const RecordValue value = vertex.value(i);
    if (value.kind == RecordValue::Kind::kNone) continue;
    if (value.kind == RecordValue::Kind::kText) text += "'";
    text += std::string(value.text);
  }
  text += ")";
  for (const RecordVertex& child : vertex.children()) text += "[" + Describe(child) + "]";
  return text;
}

std::vector<std::string> Describe(const RecordSet& records) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < records.size(); ++i) lines.push_back(Describe(records.root(i)));
  return lines;
}

class RecordsTest : public ::testing::Test {
 protected:
  RecordSet Original(int count) {
    auto records = Pushed(policy_, count, RecordsAs::kOriginal, progress_);
    EXPECT_TRUE(records.ok()) << records.error().message;
    return *records;
  }

  const LoadedPolicy policy_ = StudentPolicy();
  Progress progress_;
};

TEST_F(RecordsTest, WhatIsPushedIsPulledOut) {
  const RecordSet records = Original(2);
  EXPECT_THAT(Describe(records),
              ElementsAre("student(1990,1.5)[course('CS1,'A)]",
                          "student(1991,2.5)[course('CS2,'B)][course('MA2,'A)]"));
  EXPECT_EQ(records.vertices(), 5U);
  const RecordVertex second = records.root(1);
  EXPECT_EQ(second.Find("birth_year").text, "1991");
  EXPECT_EQ(second.Find("birth_year").kind, RecordValue::Kind::kNumber);
  EXPECT_EQ(second.Find("name").kind, RecordValue::Kind::kNone);
  EXPECT_EQ(second.size(), 3U);
  EXPECT_THAT(records.warnings(), SizeIs(0));
}

TEST_F(RecordsTest, PushedRecordsAndTextAreTheSame) {
  const auto text = ParseRecords(policy_, Jsonl(20), RecordsAs::kOriginal, progress_);
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_EQ(Describe(Original(20)), Describe(*text));
}

TEST_F(RecordsTest, TheSameSeedPublishesTheSamePushedOrAsText) {
  RunOptions options;
  options.seed = 7;
  options.with_class = true;
  const auto text = AnonymizeText(policy_, Jsonl(40), options, progress_);
  ASSERT_TRUE(text.ok()) << text.error().message;
  const auto expected = ParseRecords(policy_, text->data, RecordsAs::kPublished, progress_);
  ASSERT_TRUE(expected.ok()) << expected.error().message;
  const auto result = AnonymizeRecords(policy_, Original(40), options, progress_);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(Describe(result->records), Describe(*expected));
  EXPECT_EQ(result->report.utility.lm, text->report.utility.lm);
  EXPECT_TRUE(result->report.guarantee.verified);
  EXPECT_EQ(result->report.peak_rss_bytes, 0U);
  for (size_t i = 0; i < expected->size(); ++i) {
    EXPECT_TRUE(expected->class_number(i).has_value());
    EXPECT_EQ(result->records.class_number(i), expected->class_number(i));
  }
}

TEST_F(RecordsTest, AnonymizesWhatOthersStillRead) {
  const RecordSet original = Original(20);
  const std::vector<std::string> before = Describe(original);
  const auto result = AnonymizeRecords(policy_, original, {}, progress_);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(Describe(original), before);
}

TEST_F(RecordsTest, RandomNumbersMayComeFromTheCaller) {
  const auto run = [&](uint64_t first) {
    uint64_t state = first;
    RunOptions options;
    options.random = [&state] {
      return state = state * 6364136223846793005ULL + 1442695040888963407;
    };
    auto result = AnonymizeRecords(policy_, Original(40), options, progress_);
    EXPECT_TRUE(result.ok());
    EXPECT_NE(state, first);
    return Describe(result->records);
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_NE(run(1), run(2));
}

TEST_F(RecordsTest, AssessesRecordsInMemory) {
  const RecordSet original = Original(40);
  const auto result = AnonymizeRecords(policy_, original, {}, progress_);
  ASSERT_TRUE(result.ok()) << result.error().message;
  const auto verified = VerifyRecords(policy_, result->records, &original, progress_);
  ASSERT_TRUE(verified.ok()) << verified.error().message;
  EXPECT_TRUE(verified->holds) << verified->ToText();
  EXPECT_EQ(verified->truthful, true);
  const auto alone = VerifyRecords(policy_, result->records, nullptr, progress_, 1);
  ASSERT_TRUE(alone.ok());
  EXPECT_TRUE(alone->holds);
  EXPECT_FALSE(alone->truthful.has_value());

  const auto evaluated =
      EvaluateRecords(policy_, result->records, original, UsualMetrics(policy_), progress_);
  ASSERT_TRUE(evaluated.ok()) << evaluated.error().message;
  EXPECT_NEAR(evaluated->loss->lm, result->report.utility.lm, 1e-12);
  const auto attacked = AttackRecords(policy_, result->records, original, {}, progress_);
  ASSERT_TRUE(attacked.ok()) << attacked.error().message;
  EXPECT_EQ(attacked->outcomes.front().published.found_share, 0);
  const auto levels = LevelsOfRecords(policy_, original, progress_);
  ASSERT_TRUE(levels.ok()) << levels.error().message;
  EXPECT_EQ(levels->attributes.front().path, "gpa");
}

TEST_F(RecordsTest, TheLinkLeadsBackWhereItIsAskedFor) {
  const RecordSet original = Original(30);
  auto result = AnonymizeRecords(policy_, original, {.seed = 5, .link = true}, progress_);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_TRUE(result->report.output.link);
  ASSERT_THAT(result->link, SizeIs(result->records.size()));
  for (size_t i = 0; i < result->link.size(); ++i) {
    EXPECT_EQ(result->records.root(i).Find("gpa").text,
              original.root(result->link[i]).Find("gpa").text);
  }
  auto verified = VerifyRecords(policy_, result->records, &original, progress_, 0, &result->link);
  ASSERT_TRUE(verified.ok()) << verified.error().message;
  EXPECT_TRUE(verified->holds);
  EXPECT_TRUE(verified->linked);

  auto text = AnonymizeText(policy_, Jsonl(30), {.seed = 5, .link = true}, progress_);
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_EQ(text->link, result->link);
  EXPECT_TRUE(text->report.output.link);
  text = AnonymizeText(policy_, Jsonl(30), {.seed = 5}, progress_);
  EXPECT_THAT(text->link, SizeIs(0));
  EXPECT_FALSE(text->report.output.link);

  // Two people whose grades differ.
  RecordLink wrong = result->link;
  std::rotate(wrong.begin(), wrong.begin() + 1, wrong.end());
  verified = VerifyRecords(policy_, result->records, &original, progress_, 0, &wrong);
  ASSERT_TRUE(verified.ok());
  EXPECT_FALSE(verified->holds);
  wrong.pop_back();
  verified = VerifyRecords(policy_, result->records, &original, progress_, 0, &wrong);
  ASSERT_FALSE(verified.ok());
  EXPECT_EQ(verified.error().code, ErrorCode::kData);
}

TEST_F(RecordsTest, TheCheckSeesRecordsThatArePublishedAsTheyAre) {
  // What is original is no publication, whoever calls it one.
  RecordBuilder builder(policy_, RecordsAs::kPublished, progress_);
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(builder.BeginRecord().ok());
    ASSERT_TRUE(builder.Set("birth_year", {.text = YearOf(i)}).ok());
    ASSERT_TRUE(builder.Set("gpa", {.text = GpaOf(i)}).ok());
    ASSERT_TRUE(builder.EndRecord().ok());
  }
  const auto records = std::move(builder).Finish();
  ASSERT_TRUE(records.ok());
  const auto verified = VerifyRecords(policy_, *records, nullptr, progress_);
  ASSERT_TRUE(verified.ok()) << verified.error().message;
  EXPECT_FALSE(verified->holds);
}

TEST_F(RecordsTest, ConvertsRecordsInMemory) {
  const auto whole = Pushed(policy_, 5, RecordsAs::kWhole, progress_);
  ASSERT_TRUE(whole.ok()) << whole.error().message;
  const auto xml = ConvertRecords(policy_, *whole, "xml", progress_);
  ASSERT_TRUE(xml.ok()) << xml.error().message;
  EXPECT_THAT(xml->data, HasSubstr("S4"));
  const auto policy = LoadPolicyText(xml->policy, Parts());
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  const auto again = ParseRecords(*policy, xml->data, RecordsAs::kOriginal, progress_);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->size(), 5U);
  const auto tables = ConvertRecords(policy_, *whole, "tables", progress_);
  ASSERT_FALSE(tables.ok());
  EXPECT_EQ(tables.error().code, ErrorCode::kUsage);
  EXPECT_FALSE(ConvertRecords(policy_, Original(5), "xml", progress_).ok());
}

TEST_F(RecordsTest, StoresRecordsAsFilesTablesAndDatabases) {
  const testing::TemporaryFolder folder;
  PolicyParts parts = Parts();
  parts.name = folder.path() + "/policy.yaml";
  const auto policy = LoadPolicyText(kPolicy, parts);
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  for (const std::string to : {"jsonl", "tables", "sqlite"}) {
    const auto whole = Pushed(*policy, 5, RecordsAs::kWhole, progress_);
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    const std::string path = folder.path() + "/" + to;
    parts.name = path + ".yaml";
    const auto stored =
        StoreRecords(*policy, *whole, {.to = to, .output = path, .policy = parts.name}, progress_);
    ASSERT_TRUE(stored.ok()) << stored.error().message;
    EXPECT_EQ(stored->records, 5U);
    std::ostringstream text;
    text << std::ifstream(parts.name).rdbuf();
    const auto described = LoadPolicyText(text.str(), parts);
    ASSERT_TRUE(described.ok()) << described.error().message;
    const auto again = ReadRecords(*described, "", RecordsAs::kWhole, progress_);
    ASSERT_TRUE(again.ok()) << again.error().message;
    ASSERT_EQ(again->size(), 5U);
    EXPECT_EQ(again->root(4).Find("student_id").text, "S4");
    EXPECT_EQ(again->vertices(), whole->vertices());
  }
  const std::string other = folder.path() + "/other";
  EXPECT_FALSE(
      StoreRecords(policy_, Original(5), {.to = "tables", .output = other}, progress_).ok());
}

TEST_F(RecordsTest, FormatsRecords) {
  const auto text = FormatRecords(policy_, Original(1), progress_);
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_EQ(*text,
            "{\"birth_year\":1990,\"gpa\":1.5,\"courses\":[{\"code\":\"CS1\",\"grade\":\"A\"}]}\n");
}

TEST_F(RecordsTest, TellsTheClassesOfAPolicy) {
  const std::vector<RecordClass> classes = ClassesOf(policy_);
  ASSERT_THAT(classes, SizeIs(2));
  EXPECT_EQ(classes[1].name, "course");
  EXPECT_EQ(classes[1].at, "courses");
  EXPECT_EQ(classes[0].attributes[0].name, "student_id");
  EXPECT_EQ(classes[0].attributes[0].role, RecordClass::Role::kId);
}

TEST_F(RecordsTest, DataErrorsHaveRecordAndPath) {
  RecordBuilder builder(policy_, RecordsAs::kOriginal, progress_, "students");
  ASSERT_TRUE(Push(0, builder).ok());
  ASSERT_TRUE(builder.BeginRecord().ok());
  const Status twice = builder.Set("student_id", {.text = "S0"});
  ASSERT_FALSE(twice.ok());
  EXPECT_EQ(twice.error().code, ErrorCode::kData);
  EXPECT_EQ(twice.error().place.file, "students");
  EXPECT_EQ(twice.error().place.record, 2U);
  EXPECT_EQ(twice.error().place.path, "student_id");
  EXPECT_EQ(twice.error().value, "S0");
  EXPECT_THAT(twice.error().message, Not(HasSubstr("S0")));

  RecordBuilder other(policy_, RecordsAs::kOriginal, progress_);
  ASSERT_TRUE(Push(0, other).ok());
  ASSERT_TRUE(other.BeginRecord().ok());
  ASSERT_TRUE(other.Set("student_id", {.text = "S1"}).ok());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(other.OpenVertex("course").ok());
    ASSERT_TRUE(other.Set("code", {.text = i == 2 ? "XX9" : "CS1"}).ok());
    ASSERT_TRUE(other.CloseVertex().ok());
  }
  ASSERT_TRUE(other.EndRecord().ok());
  auto records = std::move(other).Finish();
  ASSERT_TRUE(records.ok()) << records.error().message;
  const auto result = AnonymizeRecords(policy_, std::move(*records), {}, progress_);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kData);
  EXPECT_EQ(result.error().place.record, 2U);
  EXPECT_EQ(result.error().place.path, "courses[2].code");
  EXPECT_EQ(result.error().value, "XX9");
  EXPECT_THAT(result.error().message, HasSubstr("records: record 2: courses[2].code: "));
}

TEST_F(RecordsTest, ErrorsOfTextHaveLineColumnAndPath) {
  const auto json = ParseRecords(policy_, "{\"student_id\": 1}\n{\"student_id\" 2}\n",
                                 RecordsAs::kOriginal, progress_, "a.jsonl");
  ASSERT_FALSE(json.ok());
  EXPECT_EQ(json.error().place.file, "a.jsonl");
  EXPECT_EQ(json.error().place.line, 2U);
  EXPECT_GT(json.error().place.column, 0U);
  const auto plain = ParseRecords(policy_, "{\"student_id\": 1, \"courses\": [{\"code\": []}]}\n",
                                  RecordsAs::kOriginal, progress_, "a.jsonl");
  ASSERT_FALSE(plain.ok());
  EXPECT_EQ(plain.error().place.line, 1U);
  EXPECT_EQ(plain.error().place.path, "courses[0].code");
}

TEST_F(RecordsTest, CallsMustFit) {
  RecordBuilder builder(policy_, RecordsAs::kOriginal, progress_);
  EXPECT_EQ(builder.EndRecord().error().code, ErrorCode::kUsage);
  EXPECT_EQ(builder.OpenVertex("course").error().code, ErrorCode::kUsage);
  EXPECT_EQ(builder.Set("name", {}).error().code, ErrorCode::kUsage);
  ASSERT_TRUE(builder.BeginRecord().ok());
  EXPECT_EQ(builder.BeginRecord().error().code, ErrorCode::kUsage);
  EXPECT_EQ(builder.CloseVertex().error().code, ErrorCode::kUsage);
  const Status unknown = builder.OpenVertex("cuorse");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().hint, "did you mean course?");
  ASSERT_TRUE(builder.OpenVertex("course").ok());
  EXPECT_EQ(builder.EndRecord().error().code, ErrorCode::kUsage);
  EXPECT_EQ(std::move(builder).Finish().error().code, ErrorCode::kUsage);
}

TEST_F(RecordsTest, KeepsTheRulesOfEveryFormat) {
  RecordBuilder empty(policy_, RecordsAs::kOriginal, progress_);
  EXPECT_EQ(std::move(empty).Finish().error().code, ErrorCode::kData);

  RecordBuilder nameless(policy_, RecordsAs::kOriginal, progress_);
  ASSERT_TRUE(nameless.BeginRecord().ok());
  EXPECT_EQ(nameless.EndRecord().error().place.path, "student_id");

  RecordBuilder published(policy_, RecordsAs::kPublished, progress_);
  ASSERT_TRUE(published.BeginRecord().ok());
  EXPECT_EQ(published.Set("name", {.text = "N"}).error().code, ErrorCode::kPromise);

  RecordBuilder unnamed(policy_, RecordsAs::kOriginal, progress_);
  ASSERT_TRUE(Push(0, unnamed).ok());
  ASSERT_TRUE(unnamed.BeginRecord().ok());
  ASSERT_TRUE(unnamed.Set("student_id", {.text = "S1"}).ok());
  ASSERT_TRUE(unnamed.Set("email", {.text = "a@b"}).ok());
  ASSERT_TRUE(unnamed.Set("gpa", {.kind = RecordValue::Kind::kNone}).ok());
  ASSERT_TRUE(unnamed.EndRecord().ok());
  const auto records = std::move(unnamed).Finish();
  ASSERT_TRUE(records.ok()) << records.error().message;
  EXPECT_THAT(records->warnings(), ElementsAre("email: not named in the policy, left out"));
  EXPECT_EQ(records->root(1).Find("gpa").kind, RecordValue::Kind::kNone);

  RecordBuilder bytes(policy_, RecordsAs::kOriginal, progress_);
  ASSERT_TRUE(bytes.BeginRecord().ok());
  EXPECT_EQ(bytes.Set("gpa", {.text = "\xff"}).error().code, ErrorCode::kData);
}

TEST_F(RecordsTest, RecordsMustBeWhatTheyAreNeededAs) {
  const auto published = ParseRecords(policy_, "{\"gpa\": 1}\n", RecordsAs::kPublished, progress_);
  ASSERT_TRUE(published.ok());
  EXPECT_EQ(AnonymizeRecords(policy_, *published, {}, progress_).error().code, ErrorCode::kUsage);
  EXPECT_EQ(VerifyRecords(policy_, Original(4), nullptr, progress_).error().code,
            ErrorCode::kUsage);
  const auto other =
      LoadPolicyText("version: 1\nrecord: {class: a, quasi: {b: {mask: 1}}}\nprivacy: {k: 2}\n");
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(AnonymizeRecords(*other, Original(4), {}, progress_).error().code, ErrorCode::kUsage);
}

TEST_F(RecordsTest, ACancelledRunReturnsNothing) {
  RecordSet original = Original(40);
  progress_.Cancel();
  EXPECT_EQ(AnonymizeRecords(policy_, original, {}, progress_).error().code,
            ErrorCode::kInterrupted);
  RecordBuilder builder(policy_, RecordsAs::kOriginal, progress_);
  EXPECT_EQ(builder.BeginRecord().error().code, ErrorCode::kInterrupted);
}

TEST(PolicyPartsTest, TaxonomiesMustBeGivenAndNamed) {
  const auto missing = LoadPolicyText(kPolicy);
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error().message, HasSubstr("course.csv must be given with the policy"));
  PolicyParts parts = Parts();
  parts.taxonomies.emplace("curse.csv", "a;*\n");
  const auto unnamed = LoadPolicyText(kPolicy, parts);
  ASSERT_FALSE(unnamed.ok());
  EXPECT_EQ(unnamed.error().hint, "did you mean course.csv?");
  parts = {};
  parts.taxonomies.emplace("course.csv", "CS1;CS;*\nCS1;MA;*\n");
  const auto wrong = LoadPolicyText(kPolicy, parts);
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().place.file, "course.csv");
  EXPECT_EQ(wrong.error().place.line, 2U);
}

// k^(m,n)-anonymous records: labels move, and values become lists.
TEST(RecodedRecordsTest, ThePulledRecordsAreThoseOfTheText) {
  const auto policy = LoadPolicyText(R"(
version: 1
record:
  class: customer
  quasi: {nation: {mask: 2}}
  children:
    - class: order
      at: orders
      quasi: {price: {ranges: [10, 100]}}
      sensitive: {item: {}}
privacy: {k: 3, m: 2, n: 1}
)");
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += "{\"nation\": \"N" + std::to_string(i % 3) +
            "\", \"orders\": [{\"price\": " + std::to_string(i % 9) + ", \"item\": \"x" +
            std::to_string(i % 5) + "\"}, {\"price\": " + std::to_string(i % 40) +
            ", \"item\": \"y\"}]}\n";
  }
  Progress progress;
  RunOptions options;
  options.seed = 3;
  const auto as_text = AnonymizeText(*policy, text, options, progress);
  ASSERT_TRUE(as_text.ok()) << as_text.error().message;
  const auto expected = ParseRecords(*policy, as_text->data, RecordsAs::kPublished, progress);
  ASSERT_TRUE(expected.ok()) << expected.error().message;
  auto original = ParseRecords(*policy, text, RecordsAs::kOriginal, progress);
  ASSERT_TRUE(original.ok());
  const auto result = AnonymizeRecords(*policy, std::move(*original), options, progress);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(Describe(result->records), Describe(*expected));
}

TEST(GeneratedDataTest, NeedsNoFolder) {
  Progress progress;
  const auto demo = GenerateText("students", 30, 1, progress);
  ASSERT_TRUE(demo.ok()) << demo.error().message;
  const auto policy = LoadPolicyText(demo->policy, {.taxonomies = demo->taxonomies}, &progress);
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  const auto published = AnonymizeText(*policy, demo->data, {.seed = 1}, progress);
  ASSERT_TRUE(published.ok()) << published.error().message;
  EXPECT_TRUE(published->report.guarantee.verified);
}

TEST(TaxonomiesTest, MissingOnesAreNamedByTheirAttribute) {
  const auto missing = LoadPolicyText(kPolicy, {.name = "p"});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().place.file, "p");
  EXPECT_EQ(missing.error().place.path, "courses.code");
}

TEST(TaxonomiesTest, AreReadUnderTheCallersProgress) {
  Progress progress;
  progress.Cancel();
  EXPECT_EQ(LoadPolicyText(kPolicy, Parts(), &progress).error().code, ErrorCode::kInterrupted);
}

TEST(TaxonomiesTest, ChecksShowsAndBuildsText) {
  const auto summary = CheckTaxonomyText("CS305;CS3**;CS;*\nCS201;CS;*\n", "course");
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->leaves, 2U);
  EXPECT_EQ(summary->nodes, 5U);
  EXPECT_EQ(summary->levels, 3U);
  const auto picture = ShowTaxonomyText("a;*\nb;*\n", "letters", 0);
  ASSERT_TRUE(picture.ok());
  EXPECT_THAT(*picture, HasSubstr("*  (2 leaves)"));
  const auto built = BuildTaxonomyText("10115\n10117\n", "zip", {.mask = 1});
  ASSERT_TRUE(built.ok());
  EXPECT_EQ(*built, "10115;1011*;*\n10117;1011*;*\n");
  EXPECT_EQ(BuildTaxonomyText("1\n", "zip", {}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(BuildTaxonomyText("a\n", "zip", {.ranges = {5}}).error().place.file, "zip");
}

}  // namespace
}  // namespace thicket::records_test
