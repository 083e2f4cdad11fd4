#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "io/csv/csv_row.h"
#include "io/test_policy.h"

namespace thicket::csv_reader_test {
namespace {

using testing::Describe;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using testing::ErrorOf;
using ::testing::HasSubstr;
using testing::Read;
using ::testing::StartsWith;
using testing::StudentPolicy;
using testing::TablePolicy;

const std::string kHeader = "id,major,gpa,campus\n";

std::string CsvError(const std::string& text) { return ErrorOf(Read(TablePolicy(), text)); }

TEST(Csv, ReadsRowsInAnyColumnOrder) {
  const auto data = Read(TablePolicy(), "gpa,campus,name,id,major\n3.5,N,Ann,1,CS\n,,,2,\"\"\n");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), "student('CS','3.5','N')\nstudent(-,-,-)\n");
  std::vector<size_t> slots;
  for (const TableColumn& column : data->shape.tables[0].columns) slots.push_back(column.slot);
  EXPECT_THAT(slots, ElementsAre(1U, 2U, 0U));
  EXPECT_EQ(data->shape.tables[0].delimiter, ',');
  EXPECT_EQ(data->forest.line(1), 3U);
}

TEST(Csv, FindsTheDelimiter) {
  for (const char delimiter : {',', ';', '\t', '|'}) {
    std::string text = "id,\"major\",gpa,campus\n1,\"a,;b\",2,\n";
    for (char& c : text) {
      if (c == ',') c = delimiter;
    }
    const auto data = Read(TablePolicy(), text);
    ASSERT_TRUE(data.ok()) << ErrorOf(data);
    EXPECT_EQ(data->shape.tables[0].delimiter, delimiter);
    EXPECT_EQ(Describe(*data), "student('a" + std::string(1, delimiter) + ";b','2',-)\n");
  }
}

TEST(Csv, TakesTheDelimiterOfThePolicy) {
  Policy policy = TablePolicy();
  policy.input.delimiter = ':';
  const auto data = Read(policy, "id:major:gpa:campus\n1:a,b,c,d:2:3\n");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), "student('a,b,c,d','2','3')\n");
}

TEST(Csv, ReadsQuotesLineBreaksMarksAndMissingEnds) {
  const auto data = Read(
      TablePolicy(),
      "\xef\xbb\xbfid,major,gpa,campus\r\n\r\n1,\"say \"\"hi\"\",\r\nthere\",2, x \r\n2,a,b,c");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Describe(*data), "student('say \"hi\",\r\nthere','2',' x ')\nstudent('a','b','c')\n");
  EXPECT_EQ(data->forest.line(0), 3U);
  EXPECT_EQ(data->forest.line(1), 5U);
}

TEST(Csv, ReadsRowsThatAreLongerThanItsWindow) {
  const std::string big = std::string(3 << 20, 'y') + "\n\"\"" + std::string(10, 'z');
  const auto data = Read(TablePolicy(), kHeader + "1,\"" + big + "\",,\n2,a,b,c\n");
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(data->forest.record_count(), 2U);
  EXPECT_EQ(data->dictionaries[0][0].text(1).size(), big.size() - 1);
  EXPECT_EQ(data->forest.line(1), 4U);
}

TEST(Csv, RejectsRowsOfAnotherLength) {
  EXPECT_EQ(CsvError(kHeader + "1,a,b,c\n2,a,b\n"),
            "data:3: every row must have as many fields as the header, 4, but this one has 3 "
            "[quote cells that hold the delimiter; if each line is a set of items, use format: "
            "transactions]");
}

TEST(Csv, RejectsBadQuotes) {
  EXPECT_THAT(CsvError(kHeader + "1,a\"b,c,d\n"),
              StartsWith("data:2: must be CSV, but a quote stands inside"));
  EXPECT_THAT(CsvError(kHeader + "1,\"a\"b,c,d\n"),
              StartsWith("data:2: must be CSV, but something follows the closing"));
  EXPECT_THAT(CsvError(kHeader + "1,\"a\n\n,c,d\n"),
              StartsWith("data:2: must be CSV, but a quoted field is not closed"));
  EXPECT_THAT(
      CsvError(kHeader + "1,a\rb,c,d\n"),
      EndsWith("a carriage return is not followed by a line feed [line ends must be LF or CR LF]"));
  EXPECT_THAT(CsvError(kHeader + "1,a\"b,c,d\n"), HasSubstr("[quote fields as RFC 4180 says"));
}

TEST(Csv, RejectsBytesThatAreNotUtf8) {
  EXPECT_THAT(CsvError(kHeader + "1,\"a\n\xff\",c,d\n"),
              StartsWith("data:3: must be UTF-8, but a byte is not"));
}

TEST(Csv, RejectsColumnsOfOneNameWithoutQuotingIt) {
  for (const char* header : {"id,major,x,gpa,campus,x\n", "id,major,,gpa,campus,\n"}) {
    EXPECT_EQ(CsvError(header),
              "data:1: columns 3 and 6 must have names of their own, but have the same [is the "
              "header line missing?]");
  }
}

TEST(Csv, TakesAHeaderWithoutAnyNameOfThePolicyForARow) {
  EXPECT_EQ(CsvError("1,mayor,3.5,N\n2,EE,3.1,S\n"),
            "data:1: the header must have the names of the policy, but has none of them [is the "
            "header line missing, or input.delimiter wrong?]");
}

TEST(Csv, RejectsAColumnThatIsNotThere) {
  EXPECT_EQ(CsvError("id,majr,gpa,campus\n1,a,b,c\n"),
            "data: major: every attribute of the policy must occur in the data, but this one does "
            "not [did you mean "
            "majr?]");
  EXPECT_THAT(CsvError("major,gpa,campus\na,b,c\n"),
              HasSubstr("data: id: every identifier of the policy"));
}

TEST(Csv, WarnsOfColumnsThatThePolicyDoesNotName) {
  const auto data = Read(TablePolicy(), "id,major,gpa,campus,age\n1,a,b,c,5\n");
  ASSERT_TRUE(data.ok());
  ASSERT_EQ(data->warnings.size(), 1U);
  EXPECT_EQ(data->warnings[0].message, "age: not named in the policy, left out");
}

TEST(Csv, RejectsIdentifiersThatAreMissingOrTwice) {
  EXPECT_THAT(CsvError(kHeader + "1,a,b,c\n,a,b,c\n"),
              StartsWith("data:3: id: every record must have its identifier"));
  EXPECT_THAT(CsvError(kHeader + "1,a,b,c\n1,a,b,c\n"), HasSubstr("also that of line 2"));
}

TEST(Csv, RejectsDataWithoutRecords) {
  EXPECT_THAT(CsvError(""), HasSubstr("holds no records"));
  EXPECT_THAT(CsvError(kHeader), HasSubstr("holds no records"));
}

TEST(Csv, RejectsAPolicyWithChildren) {
  const auto data = Read(StudentPolicy(Format::kCsv), kHeader);
  ASSERT_FALSE(data.ok());
  EXPECT_EQ(data.error().code, ErrorCode::kUsage);
}

TEST(PublishedCsv, BreaksThePromiseWithAnIdentifierOrADroppedValue) {
  EXPECT_TRUE(Read(TablePolicy(), "major,_class,id,name\na,1,,\n", ReadAs::kPublished).ok());
  for (const char* leak : {"major,id\na,1\n", "major,name\na,Ann\n"}) {
    const auto data = Read(TablePolicy(), leak, ReadAs::kPublished);
    ASSERT_FALSE(data.ok());
    EXPECT_EQ(data.error().code, ErrorCode::kPromise);
    EXPECT_EQ(data.error().hint, "do not hand this file out; publish again with thicket anonymize");
  }
}

TEST(CsvRow, NeedsMoreWhereARowCouldGoOn) {
  CsvRow row;
  for (const char* text : {"a,b", "a,\"b", "a,\"b\"", "a,b\r", ""}) {
    EXPECT_EQ(row.Parse(text, ',', false), CsvRow::Outcome::kIncomplete) << text;
  }
  EXPECT_EQ(row.Parse("a,\"b\"", ',', true), CsvRow::Outcome::kRow);
  EXPECT_THAT(row.fields(), ElementsAre("a", "b"));
  EXPECT_EQ(row.Parse("\"\"\n", ',', false), CsvRow::Outcome::kRow);
  EXPECT_EQ(row.Parse("\r\n", ',', false), CsvRow::Outcome::kBlank);
}

}  // namespace
}  // namespace thicket::csv_reader_test
