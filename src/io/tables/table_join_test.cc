#include "io/tables/table_join.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/tables/test_tables.h"

namespace thicket::table_join_test {
namespace {

using testing::Changed;
using testing::Describe;
using ::testing::ElementsAre;
using testing::ErrorOf;
using ::testing::HasSubstr;
using testing::JoinedPolicy;
using testing::Quasi;
using testing::ReadTexts;
using ::testing::StartsWith;

using Texts = std::vector<std::string>;
using Classes = std::vector<VertexClass>;

const std::string kStudents = "name,ID,id,major,gpa,campus\nAnn,s1,1,CS,3.5,N\nBob,s2,2,EE,,\n";
const std::string kCourses =
    "SID,CID,grade,code\ns2,c1,A,EE1\ns1,c2,B,CS1\ns2,c3,,EE2\ns1,c4,C,CS2\n";
const std::string kBooks = "title,CID\nx,c3\ny,c2\nz,c3\n";
const std::string kTags = "SID,tag\ns1,t\n";
const Texts kAll = {kStudents, kCourses, kBooks, kTags};

Texts With(size_t id, const std::string& text) {
  Texts texts = kAll;
  texts[id] = text;
  return texts;
}

std::string JoinError(const Texts& texts, const Policy& policy = JoinedPolicy()) {
  return ErrorOf(ReadTexts(policy, texts));
}

Policy DroppingOrphans() {
  Policy policy = JoinedPolicy();
  policy.input.drop_orphans = true;
  return policy;
}

TEST(TableJoin, BuildsTreesInTheOrderOfThePersonsAndOfEachTable) {
  const auto data = ReadTexts(JoinedPolicy(), kAll);
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data),
            "student('CS','3.5','N'){course('CS1','B'){book('y')}course('CS2','C')tag('t')}\n"
            "student('EE',-,-){course('EE1','A')course('EE2',-){book('x')book('z')}}\n");
  EXPECT_THAT(data->warnings, ::testing::IsEmpty());
}

TEST(TableJoin, RemembersWhereEachVertexStood) {
  const auto data = ReadTexts(JoinedPolicy(), kAll);
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_THAT(data->vertex_places, ElementsAre(2, 3, 3, 5, 2, 3, 2, 4, 2, 4));
  EXPECT_EQ(data->Where(0, 1), "students.csv:2: gpa");
  EXPECT_EQ(data->Where(9, 0), "books.csv:4: title");
}

TEST(TableJoin, RemembersTheColumnsThatArePublished) {
  const auto data = ReadTexts(JoinedPolicy(), kAll);
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  std::string columns;
  for (const TableColumn& column : data->shape.tables[1].columns) {
    columns += column.role == TableColumn::Role::kKey      ? "key "
               : column.role == TableColumn::Role::kParent ? "parent "
                                                           : std::to_string(column.slot) + " ";
  }
  EXPECT_EQ(columns, "parent key 1 0 ");
  EXPECT_EQ(data->shape.tables[0].columns.size(), 4U);
}

TEST(TableJoin, TakesTheKeyOfThePersonsForTheirIdentifierToo) {
  const Policy policy = Changed(JoinedPolicy(), [](Classes& classes) { classes[0].id = "ID"; });
  const auto data = ReadTexts(policy, kAll);
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  ASSERT_EQ(data->warnings.size(), 1U);
  EXPECT_EQ(data->warnings[0].message, "students.id: not named in the policy, left out");
}

TEST(TableJoin, WarnsOfASecondKeyThatThePolicyDoesNotName) {
  const auto data = ReadTexts(JoinedPolicy(), With(2, "title,CID,SID\nx,c3,s2\n"));
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  ASSERT_EQ(data->warnings.size(), 1U);
  EXPECT_EQ(data->warnings[0].message, "books.SID: not named in the policy, left out");
}

TEST(TableJoin, TakesAColumnWithoutANameForNoKey) {
  const auto data =
      ReadTexts(JoinedPolicy(), {",ID,id,major,gpa,campus\n9,s1,1,CS,3.5,N\n",
                                 "SID,CID,code,grade\n", "CID,title,\n", "SID,tag\n"});
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), "student('CS','3.5','N')\n");
  EXPECT_EQ(data->warnings.size(), 2U);
}

TEST(TableJoin, TakesATableWithoutRowsForAClassWithoutVertices) {
  const auto data =
      ReadTexts(JoinedPolicy(), {kStudents, "SID,CID,code,grade\n", "CID,title\n", "SID,tag\n"});
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), "student('CS','3.5','N')\nstudent('EE',-,-)\n");
}

TEST(TableJoin, RejectsATableWithoutPersons) {
  EXPECT_THAT(JoinError(With(0, "ID,id,major,gpa,campus\n")),
              StartsWith("students.csv: the table of persons must have rows, but has none"));
}

TEST(TableJoin, RejectsAnEmptyFile) {
  EXPECT_THAT(JoinError(With(1, "")), StartsWith("courses.csv: must have a header, but is empty"));
}

TEST(TableJoin, RejectsAKeyThatIsMissing) {
  EXPECT_EQ(JoinError(With(1, "SID,CID,code,grade\ns1,,a,b\n")),
            "courses.csv:2: CID: every row must have its key, but this one has none [complete the "
            "data]");
}

TEST(TableJoin, RejectsAKeyThatIsThereTwiceAndSaysWhereItIsFirst) {
  const auto data =
      ReadTexts(JoinedPolicy(), With(1, "SID,CID,code,grade\ns1,c1,a,b\ns2,c1,a,b\n"));
  EXPECT_EQ(
      ErrorOf(data),
      "courses.csv:3: CID: every row must have a key of its own, but this one is also that of "
      "line 2 [remove one of the rows, or name the right column as key]");
  EXPECT_EQ(data.error().code, ErrorCode::kData);
  EXPECT_EQ(data.error().value, "c1");
}

TEST(TableJoin, RejectsIdentifiersThatAreMissingOrTwice) {
  const std::string header = "ID,id,major,gpa,campus\n";
  EXPECT_THAT(JoinError(With(0, header + "s1,,,,\n")),
              StartsWith("students.csv:2: id: every record must have its identifier"));
  EXPECT_THAT(JoinError(With(0, header + "s1,1,,,\ns2,1,,,\n")),
              StartsWith("students.csv:3: id: every record must have an identifier of its own, but "
                         "this one is also that of line 2"));
}

TEST(TableJoin, RejectsOrphansAndCountsThem) {
  const auto data = ReadTexts(JoinedPolicy(), With(2, "title,CID\nx,c1\ny,c9\nz,\nw,c1\n"));
  EXPECT_EQ(
      ErrorOf(data),
      "books.csv:3: CID: every row must have its parent in courses.csv, but this one has none "
      "(2 of 4 rows) [add the rows that are missing, or set orphans: drop in input to leave "
      "these out]");
  EXPECT_EQ(data.error().value, "c9");
}

TEST(TableJoin, NobodyIsToldToLeaveOutMostRows) {
  EXPECT_EQ(
      ErrorOf(ReadTexts(JoinedPolicy(), With(2, "title,CID\nx,c1\ny,c8\nz,c9\n"))),
      "books.csv:3: CID: every row must have its parent in courses.csv, but this one has none "
      "(2 of 3 rows) [check in the policy that CID is the column that holds the key of "
      "courses.csv, "
      "and that key there is the right column: most rows find nobody]");
}

TEST(TableJoin, DropsOrphansAndWhatIsBelowThemWhenThePolicySaysSo) {
  const auto data =
      ReadTexts(DroppingOrphans(),
                {kStudents, "SID,CID,code,grade\ns9,c1,gone,gone\ns1,c2,a,b\n,c3,gone,gone\n",
                 "CID,title\nc1,gone\nc2,x\nc3,gone\n", kTags});
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data),
            "student('CS','3.5','N'){course('a','b'){book('x')}tag('t')}\nstudent('EE',-,-)\n");
  ASSERT_EQ(data->warnings.size(), 2U);
  EXPECT_EQ(data->warnings[0].message,
            "courses.csv:2: SID: no parent in students.csv, left out (2 of 3 rows, this is the "
            "first)");
  EXPECT_EQ(
      data->warnings[1].message,
      "books.csv:2: CID: no parent in courses.csv, left out (2 of 3 rows, this is the first)");
  // Nothing of them is among the values of their attributes.
  EXPECT_EQ(data->dictionaries[1][0].size(), 2U);
  EXPECT_EQ(data->dictionaries[2][0].size(), 2U);
}

TEST(TableJoin, RejectsAColumnThatIsNotThere) {
  EXPECT_EQ(JoinError(With(1, "SID,CID,code,grad\n")),
            "courses.csv: grade: every column of the policy must be in its table, but this one is "
            "not [did you mean grad?]");
  EXPECT_THAT(JoinError(With(1, "CID,code,grade\n")), StartsWith("courses.csv: SID: every column"));
  EXPECT_THAT(JoinError(With(0, "id,major,gpa,campus\n")),
              StartsWith("students.csv: ID: every column"));
}

TEST(TableJoin, QuotesNothingOfAHeaderThatIsARow) {
  EXPECT_EQ(JoinError(With(1, "s1,c1,Ann,A\n")),
            "courses.csv: the table must have the columns of the policy, but has none of them [is "
            "the header line missing, or input.delimiter wrong?]");
  EXPECT_EQ(JoinError(With(1, "SID,Ann,CID,Ann\n")),
            "courses.csv: columns 2 and 4 must have names of their own, but have the same [is the "
            "header line missing?]");
}

TEST(TableJoin, RejectsAPublishedColumnThatIsASecondKey) {
  const Policy policy =
      Changed(JoinedPolicy(), [](Classes& classes) { classes[2].keep = {"person"}; });
  EXPECT_EQ(
      JoinError(With(2, "person,CID,title\n,c1,x\ns1,c2,x\n"), policy),
      "books.csv:3: person: a published column must not be a key, but every value of this one "
      "is a key of students.csv [put it under drop: keys are replaced by new ones, and one "
      "key to the parent is enough]");
  EXPECT_TRUE(ReadTexts(policy, With(2, "person,CID,title\ns7,c1,x\ns1,c2,x\n")).ok());
  EXPECT_TRUE(ReadTexts(policy, With(2, "person,CID,title\n,c1,x\n")).ok());
}

TEST(TableJoin, TakesNumbersForKeysOnlyWhereTheNameSaysSo) {
  const Texts texts = {"ID,id,major,gpa,campus\n1,1,,3,\n2,2,,4,\n", "SID,CID,code,grade\n1,3,,2\n",
                       "CID,SID,title\n3,1,x\n", "SID,tag\n"};
  EXPECT_TRUE(ReadTexts(JoinedPolicy(), texts).ok());
  const Policy policy = Changed(JoinedPolicy(), [](Classes& classes) {
    classes[2].quasi = {Quasi("SID"), Quasi("title")};
  });
  EXPECT_THAT(JoinError(texts, policy), HasSubstr("every value of this one is a key of students"));
}

TEST(TableJoin, SpeaksOfRowsWhereThereAreNoLines) {
  const auto data = ReadTexts(JoinedPolicy(), With(1, "SID,CID,code,grade\ns1,c1,,\ns1,c1,,\n"),
                              ReadAs::kOriginal, false);
  EXPECT_THAT(ErrorOf(data), StartsWith("courses.csv: row 3: CID: "));
  EXPECT_THAT(ErrorOf(data), HasSubstr("also that of row 2"));
}

TEST(TableJoin, WantsNeitherDroppedNorUnnamedColumns) {
  const Policy policy = JoinedPolicy();
  DatasetSink sink(policy, "data", ReadAs::kOriginal);
  TableJoin join(policy, sink);
  ASSERT_TRUE(join.BeginTable(0, "students",
                              {{"name", ""},
                               {"ID", ""},
                               {"age", ""},
                               {"id", ""},
                               {"major", ""},
                               {"gpa", ""},
                               {"campus", "text"}})
                  .ok());
  std::string wanted;
  for (size_t i = 0; i < 7; ++i) wanted += join.Wants(i) ? '1' : '0';
  EXPECT_EQ(wanted, "0101111");
  EXPECT_EQ(sink.dataset().shape.tables[0].columns.back().type, "text");
}

// Published data.

const Texts kPublished = {"ID,major,gpa,campus,_class\n2,EE,3,\n1,CS,4,N\n", "SID,CID,code,grade\n",
                          "CID,title\n", "SID,tag\n"};

Result<Dataset> ReadPublished(const Texts& texts) {
  return ReadTexts(JoinedPolicy(), texts, ReadAs::kPublished);
}

TEST(PublishedTables, AreInTheOrderOfTheirKeys) {
  const auto data = ReadPublished({"ID,major,_class,id\n1,CS,0,\n2,EE,0,\n",
                                   "SID,CID,code\n1,1,a\n1,2,b\n2,3,x\n", "CID,title\n2,q\n2,p\n",
                                   "SID,tag\n2,t\n"});
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data),
            "student('CS',-,-){course('a',-)course('b',-){book('q')book('p')}}\n"
            "student('EE',-,-){course('x',-)tag('t')}\n");
  EXPECT_THAT(data->warnings, ::testing::IsEmpty());
}

TEST(PublishedTables, BreakThePromiseWithAnythingButRunningNumbersAsKeys) {
  for (const char* keys : {"2\n1\n", "1\n3\n", "1\n1\n", "0\n1\n", "1\n02\n", "1\n+2\n", "1\ns2\n",
                           "1\n4294967297\n", "1\n-1\n", "1\n2.0\n"}) {
    Texts texts = kPublished;
    texts[0] = std::string("ID\n") + keys;
    const auto data = ReadPublished(texts);
    ASSERT_FALSE(data.ok()) << keys;
    EXPECT_EQ(data.error().code, ErrorCode::kPromise) << keys;
    EXPECT_THAT(data.error().message, HasSubstr("ID: published data must have ")) << keys;
  }
}

// With keys of their own and without.
TEST(PublishedTables, BreakThePromiseWithRowsInAnOrderOfTheirOwn) {
  const std::vector<std::pair<size_t, std::string>> orders = {
      {1, "SID,CID\n2,1\n1,2\n"}, {2, "CID,title\n2,q\n1,p\n"}, {3, "SID,tag\n1,t\n2,t\n1,u\n"}};
  for (const auto& [id, text] : orders) {
    Texts texts = {"ID\n1\n2\n", "SID,CID\n1,1\n2,2\n", "CID,title\n", "SID,tag\n"};
    ASSERT_TRUE(ReadPublished(texts).ok());
    texts[id] = text;
    const auto data = ReadPublished(texts);
    ASSERT_FALSE(data.ok()) << text;
    EXPECT_EQ(data.error().code, ErrorCode::kPromise) << text;
    EXPECT_THAT(data.error().message, HasSubstr("in the order of the rows that they belong to"));
  }
}

TEST(PublishedTables, BreakThePromiseWithAnIdentifierADroppedValueOrAnOrphan) {
  const std::vector<std::pair<size_t, std::string>> leaks = {{0, "ID,id\n1,7\n"},
                                                             {0, "ID,name\n1,Ann\n"},
                                                             {1, "SID,CID,code\n9,1,a\n"},
                                                             {1, "SID,CID,code\n,1,a\n"}};
  for (const auto& [id, text] : leaks) {
    Texts texts = {"ID\n1\n", "SID,CID\n", "CID,title\n", "SID,tag\n"};
    texts[id] = text;
    const auto data = ReadPublished(texts);
    ASSERT_FALSE(data.ok()) << text;
    EXPECT_EQ(data.error().code, ErrorCode::kPromise) << text;
  }
}

TEST(PublishedTables, MustHaveTheirKeys) {
  EXPECT_THAT(ErrorOf(ReadPublished({"major\nCS\n", "SID,CID\n", "CID\n", "SID\n"})),
              StartsWith("students.csv: the table must have the columns"));
  EXPECT_THAT(ErrorOf(ReadPublished({"ID\n1\n", "SID\n", "CID\n", "SID\n"})),
              StartsWith("courses.csv: CID: every column of the policy must be in its table"));
}

}  // namespace
}  // namespace thicket::table_join_test
