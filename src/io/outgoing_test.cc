#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "io/test_policy.h"
#include "io/test_publication.h"
#include "io/xml/xml_test_policy.h"
#include "testing/cases.h"

// Publications, out and in again. What must come back is PublicationText, written from the definition.
namespace thicket::outgoing_test {
namespace {

using testing::ByCombinations;
using testing::Describe;
using testing::ErrorOf;
using testing::FlatEncoding;
using testing::FlatLabel;
using testing::PublicationText;
using testing::RandomPublication;
using testing::Read;
using testing::RecodedBuilder;
using testing::StudentPolicy;
using testing::Students;
using testing::WithSchema;
using testing::Written;
using testing::XmlPolicy;

EncodedDataset Encoded(const Policy& policy, const std::string& text) {
  auto data = Read(policy, text, ReadAs::kPublished);
  EXPECT_TRUE(data.ok()) << ErrorOf(data);
  return FlatEncoding(std::move(*data));
}

std::string ReadText(const Policy& policy, const std::string& text) {
  const auto data = Read(policy, text, ReadAs::kPublished);
  return data.ok() ? Describe(*data) : ErrorOf(data);
}

std::string Unquoted(std::string text) {
  std::erase(text, '\'');
  return text;
}

const std::string kStudent =
    R"({"major":"CS","gpa":3.5,"campus":"north","courses":[{"code":"CS1","grade":"B","books":[{"title":"b"}]},)"
    R"({"code":"CS2","grade":"A"},{"code":"CS3","grade":7}],"tags":["t","u"],"address":{"city":"c"}})";

TEST(RecodedJson, ListsStandForMergedVerticesAndMovedOnesUnderTheirOwnKey) {
  const Policy policy = ByCombinations(StudentPolicy());
  const EncodedDataset data = Encoded(policy, kStudent);
  const auto label = [&](ClassId id, const char* text) { return FlatLabel(data, id, 0, text); };
  RecodedBuilder builder;
  builder.Open(0, {label(0, "CS")}, {0});
  // Courses 1, 3 and 4 became one, and so did their grades; a book was moved to the student.
  builder.Open(1, {label(1, "*")}, {1, 3, 4, 1});
  builder.Open(2, {label(2, "*")}, {}).Close().Close();
  builder.Open(1, {label(1, "CS2")}, {}).Close();
  builder.Open(2, {label(2, "b")}, {}).Close();
  builder.Open(3, {label(3, "u")}, {}).Close();
  builder.Open(4, {kNoLabel}, {}).Close();
  builder.Open(4, {label(4, "c")}, {}).Close();
  builder.Close();
  const std::string written = Written(policy, data, builder.published());
  EXPECT_EQ(
      written,
      R"({"major":"CS","gpa":3.5,"campus":"north","courses":[{"code":"*","grade":[7,"A","B"],)"
      R"("books":[{"title":"*"}]},{"code":"CS2"}],"tags":["u"],"address":[{},{"city":"c"}],)"
      R"("books":[{"title":"b"}]})"
      "\n");
  EXPECT_EQ(ReadText(policy, written),
            "student('CS',3.5,'north'){course('*',7){book('*')}course('*','A')course('*','B')"
            "course('CS2',-)book('b')tag('u')address(-)address('c')}\n");
}

TEST(RecodedJson, WritesTheRecordsInTheGivenOrder) {
  const Policy policy = ByCombinations(StudentPolicy());
  const EncodedDataset data = Encoded(policy, "{\"major\":\"a\"}\n{\"major\":\"b\"}");
  RecodedBuilder builder;
  builder.Open(0, {FlatLabel(data, 0, 0, "a")}, {0}).Close();
  builder.Open(0, {kNoLabel}, {1}).Close();
  const std::vector<uint32_t> order = {1, 0};
  PublicationRecords records(data, builder.published(), order);
  std::string out;
  ASSERT_TRUE(WriteRecords(policy, records, {}, [&](std::string_view bytes) {
                out += bytes;
                return Status();
              }).ok());
  EXPECT_EQ(out, "{}\n{\"major\":\"a\"}\n");
}

TEST(PublicationRecords, AnyPublicationOfClassesComesBackAsItWas) {
  const Policy policy = StudentPolicy();
  const EncodedDataset data = Encoded(policy, kStudent + "\n" + R"({"major":"n","tags":["v"]})");
  for (uint64_t seed = 0; seed < Cases(200); ++seed) {
    Random random = Random::Seeded(seed);
    const Publication published = RandomPublication(data, random, false).Make();
    const std::string written = Written(policy, data, published);
    const auto again = Read(policy, written, ReadAs::kPublished);
    ASSERT_TRUE(again.ok()) << ErrorOf(again);
    // Describe() shows numbers as they stand.
    ASSERT_EQ(Unquoted(Describe(*again)), Unquoted(PublicationText(data, published).All()))
        << written;
  }
}

TEST(PublicationRecords, ASuppressedValueIsAStarAndAMissingSourceNothing) {
  const Policy policy = StudentPolicy();
  const EncodedDataset data = Encoded(policy, R"({"major":"a","gpa":1,"campus":"x"})");
  Publication published;
  published.Open(0, std::vector<Label>{FlatLabel(data, 0, 0, "a")});
  const Vertex root = 0;
  published.AddRecord(0);
  published.AddSources({&root, 1});
  published.AddRecord(0);
  published.AddSources({});
  published.EndTree();
  EXPECT_EQ(Written(policy, data, published),
            "{\"major\":\"a\",\"gpa\":1,\"campus\":\"x\"}\n{\"major\":\"a\"}\n");
  published.SuppressValues({{0, 2}, {0, 1}});
  EXPECT_EQ(Written(policy, data, published),
            "{\"major\":\"a\",\"gpa\":\"*\",\"campus\":\"*\"}\n{\"major\":\"a\"}\n");
}

TEST(PublicationRecords, ClassesAreNumberedAsTheyAppear) {
  const Policy policy = StudentPolicy();
  const EncodedDataset data = Encoded(policy, "{}\n{}\n{}");
  Publication published;
  const std::vector<std::vector<RecordId>> classes = {{0, 1}, {2}};
  for (const std::vector<RecordId>& records : classes) {
    published.Open(0, std::vector<Label>{kNoLabel});
    for (const RecordId record : records) {
      published.AddRecord(record);
      published.AddSources({&record, 1});
    }
    published.EndTree();
  }
  const std::vector<uint32_t> order = {2, 0, 1};
  PublicationRecords records(data, published, order);
  std::vector<uint32_t> groups;
  for (size_t i = 0; i < records.count(); ++i) {
    records.Select(i);
    groups.push_back(records.group());
  }
  EXPECT_THAT(groups, ::testing::ElementsAre(0, 1, 1));
}

TEST(RecodedJson, ListsMayStandBeforeTheLabelsTheyBelongTo) {
  EXPECT_EQ(
      ReadText(ByCombinations(StudentPolicy()),
               R"({"courses":[{"grade":["A","B",null,"C"],"books":[{"title":"x"}],"code":"c"},)"
               R"({"grade":[],"code":"d"}]})"),
      "student(-,-,-){course('c','A'){book('x')}course('c','B')course('c','C')course('d',-)}\n");
}

TEST(RecodedJson, WhatIsNeitherMovedNorAListIsRefusedAsEver) {
  const Policy policy = ByCombinations(StudentPolicy());
  const std::string hint = " [describe it under children, or take it out of the policy]";
  EXPECT_EQ(ReadText(policy, R"({"courses":[{"code":["a","b"]}]})"),
            "data:1: courses[0].code: must be a plain value, but is an array" + hint);
  EXPECT_EQ(ReadText(policy, R"({"gpa":[1,2]})"),
            "data:1: gpa: must be a plain value, but is an array" + hint);
  EXPECT_EQ(ReadText(policy, R"({"courses":[{"grade":[["a"]]}]})"),
            "data:1: courses[0].grade: must be a plain value, but is an array" + hint);
  EXPECT_EQ(ReadText(policy, R"({"courses":[{"grade":[{}]}]})"),
            "data:1: courses[0].grade: must be a plain value, but is an object" + hint);
  EXPECT_EQ(ReadText(policy, R"({"courses":[{"grade":{}}]})"),
            "data:1: courses[0].grade: must be a plain value, but is an object" + hint);
  // A class never stands in one that is not above it.
  const auto data =
      Read(policy, R"({"books":[{"books":[{"title":"x"}],"courses":[]}]})", ReadAs::kPublished);
  ASSERT_TRUE(data.ok());
  EXPECT_EQ(Describe(*data), "student(-,-,-){book(-)}\n");
  ASSERT_EQ(data->findings.size(), 1U);
  EXPECT_EQ(
      data->findings[0].Text(),
      "data: courses.books: what is published must be named in the policy, but none of 2 names "
      "here is");
}

TEST(RecodedJson, OriginalDataAndOtherPromisesHaveNeitherMovedVerticesNorLists) {
  const auto other = Read(StudentPolicy(), R"({"books":[{"title":"x"}]})", ReadAs::kPublished);
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(Describe(*other), "student(-,-,-)\n");
  EXPECT_EQ(ReadText(StudentPolicy(), R"({"courses":[{"grade":["A","B"]}]})"),
            "data:1: courses[0].grade: must be a plain value, but is an array [describe it under "
            "children, or take it out of the policy]");
  EXPECT_EQ(ErrorOf(Read(ByCombinations(StudentPolicy()),
                         R"({"id":1,"courses":[{"grade":["A","B"]}]})", ReadAs::kOriginal)),
            "data:1: courses[0].grade: must be a plain value, but is an array [describe it under "
            "children, or take it out of the policy]");
}

TEST(RecodedJson, AnyPublicationComesBackAsItWas) {
  for (uint64_t seed = 0; seed < Cases(200); ++seed) {
    Random random = Random::Seeded(seed);
    const Policy policy =
        ByCombinations(StudentPolicy(seed % 2 == 0 ? Format::kJson : Format::kJsonl));
    const std::string records[] = {
        R"({"major":"m","gpa":"a","campus":"x","courses":[{"code":"p","grade":"A","books":[{"title":"b"}]},)"
        R"({"code":"q","grade":"B"},{"grade":"C"},{"code":"q"}],"tags":["t"],"address":{"city":"c"}})",
        R"({"major":"n","courses":[],"tags":["u","v"],"address":{"city":"d"}})"};
    const EncodedDataset data =
        Encoded(policy, seed % 2 == 0 ? "[" + records[0] + "," + records[1] + "]"
                                      : records[0] + "\n" + records[1]);
    const Publication published = RandomPublication(data, random, true).Make();
    const std::string written = Written(policy, data, published);
    ASSERT_EQ(ReadText(policy, written), PublicationText(data, published).All()) << written;
  }
}

const std::string kXmlStudent =
    R"(<student major="CS"><gpa>3</gpa><courses><course code="CS1"><grade>B</grade>GRADE<books><book title="b"/>)"
    R"(</books></course><course code="CS2"><grade>A</grade></course></courses><tag>t</tag><tag>u</tag>)"
    R"(<address city="c"/></student>)"
    "\n";

// book stands in books/book.
Policy WrappedBooks() {
  return ByCombinations(
      WithSchema(XmlPolicy(), [](Schema& schema) { schema.classes[2].at = "books/book"; }));
}

std::string XmlStudent(const std::string& further = "") {
  std::string text = kXmlStudent;
  text.replace(text.find("GRADE"), 5, further);
  return Students(text);
}

Publication TwoCoursesInOne(const EncodedDataset& data) {
  const auto label = [&](ClassId id, const char* text) { return FlatLabel(data, id, 0, text); };
  RecodedBuilder builder;
  builder.Open(0, {label(0, "CS")}, {0});
  builder.Open(1, {label(1, "*")}, {1, 3});
  builder.Open(2, {label(2, "*")}, {}).Close().Close();
  builder.Open(2, {label(2, "b")}, {}).Close();
  builder.Open(3, {label(3, "u")}, {}).Close();
  builder.Close();
  return builder.published();
}

TEST(RecodedXml, ListsAreRepeatedElementsAndMovedOnesStandInElementsOfTheirOwn) {
  const EncodedDataset data = Encoded(WrappedBooks(), XmlStudent());
  const std::string written = Written(WrappedBooks(), data, TwoCoursesInOne(data));
  EXPECT_EQ(
      written,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<students>\n  "
      R"(<student major="CS"><gpa>3</gpa><courses><course code="*"><grade>A</grade><grade>B</grade>)"
      R"(<books><book title="*"/></books></course></courses><tag>u</tag><books><book title="b"/></books>)"
      "</student>\n</students>\n");
  EXPECT_EQ(ReadText(WrappedBooks(), written),
            "student('CS','3',-){course('*','A'){book('*')}course('*','B')book('b')tag('u')}\n");
}

TEST(RecodedXml, AnAttributeWithTwoValuesIsTwoElements) {
  const std::string attributes = Students(
      R"(<student major="CS"><courses><course code="1" grade="B"><book title="b"/></course>)"
      R"(<course code="2" grade="A"/></courses><tag>u</tag></student>)"
      "\n");
  const Policy policy = ByCombinations(XmlPolicy());
  const EncodedDataset data = Encoded(policy, attributes);
  const std::string written = Written(policy, data, TwoCoursesInOne(data));
  EXPECT_THAT(
      written,
      ::testing::HasSubstr(
          R"(<student major="CS"><courses><course code="*" grade="A"><book title="*"/></course>)"
          R"(<course code="*" grade="B"/></courses><tag>u</tag><book title="b"/></student>)"));
  EXPECT_EQ(ReadText(policy, written),
            "student('CS',-,-){course('*','A'){book('*')}course('*','B')book('b')tag('u')}\n");
}

TEST(RecodedXml, WhatIsNeitherMovedNorAListIsRefusedAsEver) {
  const Policy policy = ByCombinations(XmlPolicy());
  const std::string twice =
      ": a value must occur once, but occurs twice [remove one of the two, or "
      "describe it under children]";
  EXPECT_EQ(ReadText(policy, Students("<student><gpa>1</gpa><gpa>2</gpa></student>")),
            "data:2: gpa" + twice);
  EXPECT_EQ(ReadText(policy, Students("<student><courses><course><code>1</code><code>2</code>"
                                      "</course></courses></student>")),
            "data:2: courses/course[0].code" + twice);
  EXPECT_EQ(ReadText(XmlPolicy(), Students("<student><courses><course><grade>1</grade><grade>2"
                                           "</grade></course></courses></student>")),
            "data:2: courses/course[0].grade" + twice);
  // A moved book is only there where the promise is about combinations.
  EXPECT_EQ(ReadText(XmlPolicy(), Students("<student><book title=\"b\"/></student>")),
            "student(-,-,-)\n");
  EXPECT_EQ(ReadText(policy, Students("<student><book title=\"b\"/></student>")),
            "student(-,-,-){book('b')}\n");
}

TEST(RecodedXml, AnyPublicationComesBackAsItWas) {
  for (uint64_t seed = 0; seed < Cases(200); ++seed) {
    Random random = Random::Seeded(seed);
    const Policy policy = seed % 2 == 0 ? WrappedBooks() : ByCombinations(XmlPolicy());
    const std::string texts[] = {
        XmlStudent("<x/>"),
        Students(
            R"(<student major="a"><courses><course code="p" grade="A"/><course code="q" grade="B"/>)"
            R"(<course grade="C"/></courses><book title="b"/><tag>t</tag><address city="c"/></student>)"
            R"(<student campus="k"><tag>s</tag><address city="d"/></student>)")};
    const EncodedDataset data = Encoded(policy, texts[seed % 2]);
    const Publication published = RandomPublication(data, random, true).Make();
    const std::string written = Written(policy, data, published);
    ASSERT_EQ(ReadText(policy, written), PublicationText(data, published).All()) << written;
  }
}

TEST(DatasetRecords, PublishedDataWithMovedVerticesCanBeConverted) {
  const Policy policy = ByCombinations(StudentPolicy());
  const auto data = Read(policy, R"({"courses":[{"grade":["A","B"]}],"books":[{"title":"x"}]})",
                         ReadAs::kPublished);
  ASSERT_TRUE(data.ok());
  for (const Format format : {Format::kJson, Format::kXml}) {
    Policy target = ByCombinations(StudentPolicy(format));
    DatasetRecords records(*data);
    std::string out;
    ASSERT_TRUE(WriteRecords(target, records, {}, [&](std::string_view bytes) {
                  out += bytes;
                  return Status();
                }).ok());
    EXPECT_EQ(ReadText(target, out), Describe(*data)) << out;
  }
}

}  // namespace
}  // namespace thicket::outgoing_test
