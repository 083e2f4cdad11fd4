#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "io/test_policy.h"

namespace thicket::json_reader_test {
namespace {

using testing::Describe;
using ::testing::ElementsAre;
using testing::ErrorOf;
using ::testing::HasSubstr;
using testing::Read;
using ::testing::StartsWith;
using testing::StudentPolicy;

// Has every name of the policy.
const std::string kFull =
    R"({"id":1,"name":"x","major":"CS","gpa":3.50,"campus":true,"courses":[{"code":"CS1","grade":"A",)"
    R"("books":[{"title":"b"}]}],"tags":["t"],"address":{"city":"c"}})"
    "\n";
const std::string kFullText =
    "student('CS',3.50,true){course('CS1','A'){book('b')}tag('t')address('c')}\n";

std::string JsonlError(const std::string& lines) {
  return ErrorOf(Read(StudentPolicy(), lines, ReadAs::kOriginal));
}

// The error of a second record, after one that is good.
std::string SecondError(const std::string& line) { return JsonlError(kFull + line + "\n"); }

TEST(Jsonl, KeepsValuesAsTheyStandInTheSource) {
  const auto data =
      Read(StudentPolicy(), kFull + R"({"id":2,"major":1e+05,"gpa":-0.0,"campus":"\u00e9\n"})");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), kFullText + "student(1e+05,-0.0,'é\n')\n");
}

TEST(Jsonl, SkipsBlankLinesAndTakesByteOrderMarkAndCarriageReturns) {
  const auto data = Read(StudentPolicy(), "\xef\xbb\xbf\r\n" + kFull.substr(0, kFull.size() - 1) +
                                              "\r\n \t\n {\"id\":2,\"major\":\"EE\"} ");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), kFullText + "student('EE',-,-)\n");
  EXPECT_EQ(data->forest.line(0), 2U);
  EXPECT_EQ(data->forest.line(1), 4U);
  EXPECT_TRUE(data->has_lines);
}

TEST(Jsonl, TakesNullAndAbsentChildrenAsNone) {
  const auto data = Read(
      StudentPolicy(), kFull + R"({"id":2,"courses":null,"tags":[],"address":null,"major":null})");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), kFullText + "student(-,-,-)\n");
}

TEST(Jsonl, TakesNullAmongPlainValuesAsAMissingValue) {
  const auto data = Read(StudentPolicy(), kFull + R"({"id":2,"tags":[null,5,"x",false]})");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), kFullText + "student(-,-,-){tag(-)tag(5)tag('x')tag(false)}\n");
}

TEST(Jsonl, KnowsHowEachClassStandsInTheSource) {
  const auto data = Read(StudentPolicy(), kFull);
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_THAT(data->shape.plain, ElementsAre(false, false, false, true, false));
  EXPECT_THAT(data->shape.single, ElementsAre(false, false, false, false, true));
  const auto mixed = Read(StudentPolicy(), kFull + R"({"id":2,"address":[{"city":"d"}]})");
  ASSERT_TRUE(mixed.ok()) << ErrorOf(mixed);
  EXPECT_FALSE(mixed->shape.single[4]);
}

TEST(Jsonl, GroupsSiblingsByClassWhateverTheOrderOfKeys) {
  const auto data =
      Read(StudentPolicy(), kFull + R"({"tags":["a"],"courses":[{"books":[],"code":1}],"id":2})");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), kFullText + "student(-,-,-){course(1,-)tag('a')}\n");
}

TEST(Jsonl, ReadsLinesThatAreLongerThanItsWindow) {
  const std::string text(3 << 20, 'y');
  const auto data =
      Read(StudentPolicy(), kFull + R"({"id":2,"major":")" + text + "\"}\n" + R"({"id":3})");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), kFullText + "student('" + text + "',-,-)\nstudent(-,-,-)\n");
}

TEST(Jsonl, WarnsOncePerPathThatThePolicyDoesNotName) {
  const auto data = Read(StudentPolicy(),
                         kFull + R"({"id":2,"x":{"deep":[1]},"courses":[{"room":1},{"room":2}]})");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  ASSERT_EQ(data->warnings.size(), 2U);
  EXPECT_EQ(data->warnings[0].message, "x: not named in the policy, left out");
  EXPECT_EQ(data->warnings[1].message, "courses.room: not named in the policy, left out (2 times)");
}

TEST(Jsonl, LocatesBrokenJson) {
  EXPECT_EQ(SecondError(R"({"id":2,"major":"é" "gpa":1})"),
            "data:2:21: must be JSON, but a comma or } is missing [mend the line; a JSON checker "
            "shows the place]");
  EXPECT_THAT(SecondError(R"(  {"id":02})"),
              StartsWith("data:2:9: must be JSON, but a number may not begin with 0"));
  EXPECT_EQ(SecondError(R"({"id":2)"),
            "data:2:8: must be JSON, but it ends too early [the line may be cut off; for one "
            "document over several lines set format: json]");
  EXPECT_THAT(SecondError(R"({"id":2} {"id":3})"),
              HasSubstr("2:10: must be JSON, but something follows its end"));
  EXPECT_THAT(SecondError(R"({"id":"\ud800"})"), HasSubstr("half of a surrogate pair"));
  EXPECT_THAT(SecondError(R"({"id":"\udc00"})"), HasSubstr("half of a surrogate pair"));
  EXPECT_THAT(SecondError("{\"id\":\"\x01\"}"), HasSubstr("control character"));
}

TEST(Jsonl, ChecksAlsoWhatThePolicyDoesNotName) {
  for (const char* bad : {"nul", "01", "[1,]", "{\"a\":tru}", "\"\\x\"", "[1 2]", "{\"a\" 1}", "+1",
                          "1.", "{\"\\udc00\":1}", "\"\\udc00\"", "[[[{\"z\":-}]]]"}) {
    EXPECT_THAT(SecondError("{\"id\":2,\"other\":" + std::string(bad) + "}"),
                HasSubstr("must be JSON"))
        << bad;
    EXPECT_THAT(SecondError("{\"id\":2,\"name\":" + std::string(bad) + "}"),
                HasSubstr("must be JSON"))
        << bad;
  }
}

TEST(Jsonl, RejectsBytesThatAreNotUtf8) {
  EXPECT_EQ(SecondError("{\"id\":2,\"major\":\"a\xff\"}"),
            "data:2:19: must be JSON, but a byte is not UTF-8 [convert the file, for example with "
            "iconv]");
}

TEST(Jsonl, RejectsDeepNestingWithoutCrashing) {
  for (const size_t depth : {size_t{1001}, size_t{10000}, size_t{1000000}}) {
    const std::string deep = std::string(depth, '[') + std::string(depth, ']');
    EXPECT_THAT(SecondError("{\"id\":2,\"other\":" + deep + "}"),
                HasSubstr("nested more than 1,000 levels deep"));
  }
  const std::string fine = std::string(999, '[') + std::string(999, ']');
  EXPECT_EQ(SecondError("{\"id\":2,\"other\":" + fine + "}"), "no error");
}

TEST(Jsonl, RejectsWhatIsNoRecord) {
  const std::string hint = " [each line must hold one object, {...}]";
  EXPECT_EQ(SecondError("17"), "data:2: a record must be an object, but is a number" + hint);
  EXPECT_THAT(SecondError("[{}]"),
              StartsWith("data:2: a record must be an object, but is an array [if"));
  EXPECT_EQ(SecondError("\"x\""), "data:2: a record must be an object, but is a string" + hint);
  EXPECT_EQ(SecondError("null"), "data:2: a record must be an object, but is null" + hint);
}

TEST(Jsonl, RejectsAKeyThatOccursTwice) {
  EXPECT_EQ(SecondError(R"({"id":2,"courses":[{"code":1},{"code":2,"code":2}]})"),
            "data:2: courses[1].code: a key must occur once, but occurs twice [remove one of the "
            "two]");
  EXPECT_EQ(SecondError(R"({"id":2,"other":1,"other":1})"), "no error");
}

TEST(Jsonl, RejectsContainersWherePlainValuesAreDue) {
  EXPECT_THAT(SecondError(R"({"id":2,"courses":[{"code":{}}]})"),
              StartsWith("data:2: courses[0].code: must be a plain value, but is an object"));
  EXPECT_THAT(SecondError(R"({"id":2,"gpa":[1]})"),
              StartsWith("data:2: gpa: must be a plain value, but is an array"));
  EXPECT_THAT(SecondError(R"({"id":[2]})"),
              StartsWith("data:2: id: must be a plain value, but is an array"));
  EXPECT_EQ(
      SecondError(R"({"id":2,"tags":[["a"]]})"),
      "data:2: tags[0]: must be an object or a plain value, but is an array [put its elements "
      "into the outer array, or take it out of the policy]");
}

TEST(Jsonl, RejectsPlainValuesForAClassOfSeveralAttributes) {
  EXPECT_EQ(SecondError(R"({"id":2,"courses":["CS1"]})"),
            "data:2: courses[0]: must be an object, but is a plain value [plain values need a "
            "class with exactly "
            "one attribute and no children; course has 2 and 1]");
  EXPECT_THAT(SecondError(R"({"id":2,"courses":[{},null]})"),
              StartsWith("data:2: courses[1]: must be an object"));
  EXPECT_THAT(SecondError(R"({"id":2,"courses":3})"),
              StartsWith("data:2: courses: must be an object"));
}

TEST(Jsonl, RejectsAClassOfPlainValuesAndObjects) {
  const std::string hint = " [write all of them as objects, or all as plain values]";
  EXPECT_EQ(
      SecondError(R"({"id":2,"tags":[{"tag":"a"}]})"),
      "data:2: tags[0]: must be a plain value like others of its class, but is an object" + hint);
  EXPECT_EQ(
      SecondError(R"({"id":2,"address":"a"})"),
      "data:2: address: must be an object like others of its class, but is a plain value" + hint);
}

TEST(Jsonl, RejectsDataWithoutRecords) {
  for (const char* empty : {"", "\n \r\n"}) {
    EXPECT_EQ(JsonlError(empty),
              "data: must hold records, but holds no records [check that it is the right file]");
  }
}

TEST(Jsonl, RejectsAMissingIdentifier) {
  EXPECT_THAT(SecondError(R"({"major":"CS"})"),
              StartsWith("data:2: id: every record must have its identifier"));
  EXPECT_THAT(SecondError(R"({"id":null})"),
              StartsWith("data:2: id: every record must have its identifier"));
  EXPECT_THAT(JsonlError(R"({"ID":null,"iid":1})"), HasSubstr("[did you mean iid?]"));
}

TEST(Jsonl, RejectsTwoRecordsWithOneIdentifierWithoutQuotingIt) {
  const auto data =
      Read(StudentPolicy(), kFull + "{\"id\":\"secret\"}\n{\"id\":3}\n{\"id\":\"secret\"}");
  ASSERT_FALSE(data.ok());
  EXPECT_EQ(data.error().code, ErrorCode::kData);
  EXPECT_EQ(data.error().message,
            "data:4: id: every record must have an identifier of its own, but this one is also "
            "that of line 2");
  EXPECT_EQ(data.error().hint, "each person must have one record; merge them first");
  EXPECT_EQ(data.error().value, "secret");
}

TEST(Jsonl, RejectsNamesOfThePolicyThatNeverOccur) {
  std::string lines = kFull;
  EXPECT_EQ(JsonlError(lines.replace(lines.find("courses"), 7, "course")),
            "data: courses: every class of the policy must occur in the data, but this one does "
            "not [did you mean "
            "course?]");
  lines = kFull;
  EXPECT_EQ(JsonlError(lines.replace(lines.find("title"), 5, "titel")),
            "data: courses.books.title: every attribute of the policy must occur in the data, but "
            "this one does not "
            "[did you mean titel?]");
  lines = kFull;
  EXPECT_THAT(JsonlError(lines.replace(lines.find("campus"), 6, "zzz")),
              HasSubstr("data: campus: every attribute"));
}

TEST(Jsonl, TakesNamesThatOccurOnlyWithNullAndAttributesOfEmptyClasses) {
  EXPECT_EQ(
      JsonlError(
          R"({"id":1,"major":null,"gpa":null,"campus":null,"courses":null,"tags":[],"address":null})"),
      "no error");
}

TEST(PublishedJsonl, NeedsNoIdentifierNorEveryName) {
  const auto data = Read(StudentPolicy(), R"({"major":"CS","_class":7})", ReadAs::kPublished);
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_TRUE(data->warnings.empty());
}

TEST(PublishedJsonl, BreaksThePromiseWithAnIdentifierOrADroppedValue) {
  for (const char* leak : {R"({"id":8841})", R"({"name":"Ann"})", R"({"name":["Ann"]})"}) {
    const auto data = Read(StudentPolicy(), leak, ReadAs::kPublished);
    ASSERT_FALSE(data.ok());
    EXPECT_EQ(data.error().code, ErrorCode::kPromise);
    EXPECT_THAT(data.error().message, HasSubstr("published data must not hold"));
    EXPECT_EQ(data.error().hint, "do not hand this file out; publish again with thicket anonymize");
    EXPECT_THAT(data.error().message, Not(HasSubstr("8841")));
  }
  EXPECT_TRUE(Read(StudentPolicy(), R"({"id":null,"name":null})", ReadAs::kPublished).ok());
}

TEST(PublishedJsonl, FindsUnnamedKeys) {
  const auto data = Read(StudentPolicy(), R"({"gpa":2,"ssn":1})", ReadAs::kPublished);
  ASSERT_TRUE(data.ok());
  EXPECT_TRUE(data->warnings.empty());
  ASSERT_EQ(data->findings.size(), 1U);
  EXPECT_EQ(data->findings[0].kind, Finding::Kind::kUnnamed);
  EXPECT_EQ(data->findings[0].Text(),
            "data: ssn: what is published must be named in the policy, but this is not");
}

TEST(PublishedJsonl, NamesNoKeysWhereNoneIsThePolicys) {
  const auto data = Read(StudentPolicy(), R"({"Ann Lee":1,"Bob Roe":2})", ReadAs::kPublished);
  ASSERT_TRUE(data.ok());
  ASSERT_EQ(data->findings.size(), 1U);
  EXPECT_EQ(data->findings[0].Text(),
            "data: what is published must be named in the policy, but none of 2 names here is");
}

TEST(Jsonl, StopsWhenTheUserWantsTo) {
  Progress progress;
  progress.Cancel();
  const auto data = ReadDatasetText(StudentPolicy(), kFull, "data", ReadAs::kOriginal, progress);
  ASSERT_FALSE(data.ok());
  EXPECT_EQ(data.error().code, ErrorCode::kInterrupted);
}

Policy DocumentPolicy(const std::string& at) {
  Policy policy = StudentPolicy(Format::kJson);
  policy.input.at = at;
  return policy;
}

TEST(JsonDocument, ReadsAnArray) {
  const auto data = Read(DocumentPolicy(""), "\xef\xbb\xbf [" + kFull + ",\n{\"id\":2}]\n");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), kFullText + "student(-,-,-)\n");
  EXPECT_FALSE(data->has_lines);
  EXPECT_FALSE(data->shape.keyed);
  EXPECT_EQ(data->forest.line(1), 2U);
}

TEST(JsonDocument, ReadsOneMemberPerPersonUnderAPath) {
  const auto data =
      Read(DocumentPolicy("result.people"),
           R"({"version":1,"result":{"people":{"ann":)" + kFull + R"(,"bob":{"id":2}},"n":2}})");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), kFullText + "student(-,-,-)\n");
  EXPECT_TRUE(data->shape.keyed);
  ASSERT_EQ(data->warnings.size(), 2U);
  EXPECT_EQ(data->warnings[0].message, "result.n: not named in the policy, left out");
}

TEST(JsonDocument, RejectsTwoMembersWithOneName) {
  const auto data = Read(DocumentPolicy(""), R"({"ann":)" + kFull + R"(,"ann":{"id":2}})");
  EXPECT_EQ(ErrorOf(data),
            "data: record 2: every record must have a key of its own, but this one is also that of "
            "record 1 [each person must have one record; merge them first]");
}

TEST(JsonDocument, BreaksThePromiseWithPublishedMembersThatAreNotNumbered) {
  EXPECT_TRUE(Read(DocumentPolicy(""), R"({"1":{},"2":{}})", ReadAs::kPublished).ok());
  const auto data = Read(DocumentPolicy(""), R"({"1":{},"ann":{}})", ReadAs::kPublished);
  ASSERT_FALSE(data.ok());
  EXPECT_EQ(data.error().code, ErrorCode::kPromise);
  EXPECT_EQ(data.error().hint, "do not hand this file out; publish again with thicket anonymize");
}

TEST(JsonDocument, SaysWhereRecordsShouldBe) {
  EXPECT_EQ(ErrorOf(Read(DocumentPolicy("people"), R"({"peple":[]})")),
            "data: people: the key that input.at names must be in the document, but is not [did "
            "you mean peple?]");
  EXPECT_THAT(ErrorOf(Read(DocumentPolicy("people"), "[]")),
              HasSubstr("data: people: the key that input.at names"));
  EXPECT_THAT(ErrorOf(Read(DocumentPolicy("a"), R"({"a":5})")),
              HasSubstr("data: a: must be an array of records"));
  EXPECT_THAT(ErrorOf(Read(DocumentPolicy(""), "5")), HasSubstr("must be an array of records"));
  EXPECT_THAT(ErrorOf(Read(DocumentPolicy(""), "[{},5]")), HasSubstr("record 1: id"));
  EXPECT_EQ(ErrorOf(Read(DocumentPolicy(""), "[5]")),
            "data: record 1: a record must be an object, but is a number [each element must be one "
            "object, {...}]");
  EXPECT_EQ(ErrorOf(Read(DocumentPolicy(""), R"({"version":1,"people":[]})")),
            "data: record 1: a record must be an object, but is a number [say in input.at which "
            "keys lead to the records]");
  EXPECT_EQ(ErrorOf(Read(DocumentPolicy("a"), R"({"a":[],"a":[]})")),
            "data: a: a key must occur once, but occurs twice [remove one of the two, or join "
            "them]");
}

TEST(JsonDocument, NeverNamesAKeyThatMayBeAPerson) {
  const std::string hint = "[say in input.at which keys lead to the records]";
  const auto error = [](const std::string& at, const std::string& text) {
    return ErrorOf(Read(DocumentPolicy(at), text));
  };
  for (const char* text :
       {R"({"peopel":{},"bob":{}})", R"({"peopel":{}})", R"({"count":2,"peopel":{},"bob":{}})",
        R"({"peopel":[],"bob":[]})", R"({"peopel":"x"})"}) {
    EXPECT_THAT(error("people", text), HasSubstr(hint)) << text;
    EXPECT_THAT(error("a.people", "{\"a\":" + std::string(text) + "}"), HasSubstr(hint)) << text;
    EXPECT_THAT(error("people.all", text), HasSubstr(hint)) << text;
  }
  EXPECT_THAT(
      error("a.people", R"({"a":{"n":2,"peopel":[{}]}})"),
      HasSubstr("data: a.people: the key that input.at names must be in the document, but is "
                "not [did you mean peopel?]"));
}

TEST(JsonDocument, LocatesBrokenJson) {
  EXPECT_THAT(ErrorOf(Read(DocumentPolicy(""), "[\n{\"id\":1},\n  {\"id\":}]")),
              StartsWith("data:3:9: must be JSON, but a value is missing"));
  EXPECT_THAT(
      ErrorOf(Read(DocumentPolicy(""), "[" + kFull + "] x")),
      HasSubstr("something follows its end [write one record per line, with format: jsonl]"));
  EXPECT_THAT(ErrorOf(Read(DocumentPolicy(""), "[" + kFull)),
              HasSubstr("it ends too early [it may be cut off; fetch it again]"));
  EXPECT_THAT(ErrorOf(Read(DocumentPolicy(""), "nope")), HasSubstr("data:1:1: must be JSON"));
  EXPECT_THAT(ErrorOf(Read(DocumentPolicy("a"), "{\"b\":[1,],\"a\":[]}")),
              HasSubstr("data:1:9: must be JSON"));
}

TEST(JsonDocument, RejectsDataWithoutRecords) {
  EXPECT_THAT(ErrorOf(Read(DocumentPolicy(""), "")), HasSubstr("holds no records"));
  EXPECT_THAT(
      ErrorOf(Read(DocumentPolicy(""), " [ ] ")),
      HasSubstr("holds no records [check that it is the right file, and what input.at says]"));
  EXPECT_THAT(ErrorOf(Read(DocumentPolicy(""), "{}")), HasSubstr("holds no records"));
}

}  // namespace
}  // namespace thicket::json_reader_test
