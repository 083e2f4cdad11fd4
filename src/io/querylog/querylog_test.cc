#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "io/test_policy.h"
#include "io/test_publication.h"
#include "testing/cases.h"

namespace thicket::querylog_test {
namespace {

using ::testing::ElementsAre;
using testing::ErrorOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Quasi;
using testing::Read;
using ::testing::StartsWith;

Policy LogPolicy() {
  Schema schema;
  schema.classes.resize(2);
  schema.classes[0].name = "vocabulary";
  schema.classes[0].children = {1};
  schema.classes[1].name = "term";
  schema.classes[1].at = "terms";
  schema.classes[1].quasi = {Quasi("term")};
  Policy policy;
  policy.input.format = Format::kQuerylog;
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

Policy WithGap(int64_t seconds) {
  Policy policy = LogPolicy();
  policy.input.session_gap_s = seconds;
  return policy;
}

Policy Clicked() {
  Policy policy = LogPolicy();
  policy.input.clicked = true;
  return policy;
}

// "0: wine jackets" per bag: its owner and its terms.
std::string Bags(const Dataset& data) {
  std::string text;
  for (RecordId record = 0; record < data.forest.record_count(); ++record) {
    if (!data.owners.empty()) text += std::to_string(data.owners[record]) + ":";
    for (const Vertex v : data.forest.Children(data.forest.root(record))) {
      text += " " + std::string(data.dictionaries[1][0].text(data.forest.value(v, 0)));
    }
    text += "\n";
  }
  return text;
}

std::string BagsOf(const Policy& policy, const std::string& log) {
  const auto data = Read(policy, log);
  return data.ok() ? Bags(*data) : ErrorOf(data);
}

const std::string kHeader = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n";

// Fig. 5.1(a) of Liu 2010.
const std::string kExample = kHeader +
                             "01\tWine\t2006-01-01 01:00:00\t3\ta.c\n"
                             "01\tWine\t2006-01-01 01:00:00\t8\tb.c\n"
                             "01\tJackets,Boots\t2006-01-01 01:15:00\t3\tc.c\n"
                             "01\tJackets,Boots\t2006-01-01 01:15:00\t5\td.c\n"
                             "01\tWine\t2006-01-01 02:05:00\t4\tx.c\n"
                             "02\tVino\t2006-01-01 00:00:00\t\t\n";

TEST(Querylog, HasTheVocabulariesOfExample52) {
  EXPECT_EQ(BagsOf(LogPolicy(), kExample), "0: wine jackets boots wine\n1: vino\n");
}

TEST(Querylog, BeginsABagWhereMoreThanTheGapHasPassed) {
  EXPECT_EQ(BagsOf(WithGap(50 * 60), kExample), "0: wine jackets boots wine\n1: vino\n");
  EXPECT_EQ(BagsOf(WithGap(50 * 60 - 1), kExample), "0: wine jackets boots\n0: wine\n1: vino\n");
  EXPECT_EQ(BagsOf(WithGap(0), kExample), "0: wine\n0: jackets boots\n0: wine\n1: vino\n");
}

TEST(Querylog, SaysWhereTheFirstQueryOfABagStands) {
  const auto data = Read(WithGap(60), kExample);
  ASSERT_TRUE(data.ok());
  EXPECT_EQ(data->Where(RecordId{1}), "data:4");
  EXPECT_EQ(data->Where(data->forest.root(1) + 2, 0), "data:4: terms[1]");
}

TEST(Querylog, LeavesQueriesWithoutAClickOut) {
  const std::string log = kHeader +
                          "1\ta\t100\t\t\n"
                          "1\tb\t200\t1\t\n"
                          "1\tc\t300\t\tu\n"
                          "2\td\t100\t\t\n"
                          "3\te\t100\t\t\n"
                          "3\te\t100\t1\tu\n";
  EXPECT_EQ(BagsOf(Clicked(), log), "0: b c\n1: e\n");
  EXPECT_EQ(BagsOf(LogPolicy(), log), "0: a b c\n1: d\n2: e\n");
  // Sessions are those of the queries that are left.
  Policy both = Clicked();
  both.input.session_gap_s = 60;
  EXPECT_EQ(BagsOf(both, kHeader + "1\ta\t0\t1\t\n1\tb\t50\t\t\n1\tc\t100\t1\t\n"), "0: a\n0: c\n");
  EXPECT_EQ(BagsOf(Clicked(), kHeader + "1\ta\t100\t\t\n"),
            "data: must have queries after which something was clicked, but has none [set clicked: "
            "off]");
}

TEST(Querylog, CountsAWordOncePerQuery) {
  EXPECT_EQ(BagsOf(LogPolicy(), kHeader + "1\tnew york New York\t1\t\t\n1\tnew\t2\t\t\n"),
            "0: new york new\n");
}

TEST(Querylog, RowsOfOneQueryNeedNotStandTogether) {
  // In one second: two queries, each with two clicks, and one of the same words that was written otherwise.
  const std::string rows =
      "1\ta b\t5\t1\t\n1\tc\t5\t1\t\n1\ta b\t5\t2\t\n1\tc\t5\t2\t\n1\ta, b\t5\t3\t\n";
  EXPECT_EQ(BagsOf(LogPolicy(), kHeader + rows), "0: a b c a b\n");
  // Another user's, and another time's, are others.
  EXPECT_EQ(BagsOf(LogPolicy(), kHeader + "1\ta\t5\t\t\n2\ta\t5\t\t\n1\ta\t5\t\t\n1\ta\t6\t\t\n"),
            "0: a a\n1: a\n");
}

TEST(Querylog, ABagMayBeEmpty) {
  EXPECT_EQ(BagsOf(LogPolicy(), kHeader + "1\t-\t5\t\t\n2\t\t6\t\t\n3\ta\t6\t\t\n"),
            "0:\n1:\n2: a\n");
}

TEST(Querylog, IsSortedByUserAndTime) {
  const std::string log = kHeader +
                          "b\tx\t7\t\t\n"
                          "10\tu\t3\t\t\n"
                          "9\ts\t2\t\t\n"
                          "10\tt\t1\t\t\n"
                          "9\tr\t2\t\t\n"
                          "a\tw\t1\t\t\n";
  EXPECT_EQ(BagsOf(LogPolicy(), log), "0: s r\n1: t u\n2: w\n3: x\n");
}

TEST(Querylog, ReadsCommasAndColumnsInAnyOrderAndCase) {
  const std::string log =
      "\xef\xbb\xbfquerytime,ANONID,\"query\"\r\n2006-03-01,7,\"wine, \"\"red\"\"\nfrance\"\r\n"
      "1141171201,007,vino\r\n";
  const auto data = Read(LogPolicy(), log);
  ASSERT_TRUE(data.ok()) << ErrorOf(data);
  EXPECT_EQ(Bags(*data), "0: wine red france vino\n");
  EXPECT_EQ(data->shape.log_delimiter, ',');
}

TEST(Querylog, TakesQuotesBetweenTabsForWhatTheyAre) {
  const std::string log =
      "\"AnonID\"\tQuery\tQueryTime\tItemRank\tClickURL\n"
      "\"1\"\t\"open quote\t\"2006-03-01\"\t\"\"\t\n"
      "1\t5\" pipe \"\"\t2006-03-02\n";
  EXPECT_EQ(BagsOf(LogPolicy(), log), "0: open quote 5 pipe\n");
  EXPECT_EQ(BagsOf(Clicked(), log),
            "data: must have queries after which something was clicked, but has none [set clicked: "
            "off]");
}

TEST(Querylog, WarnsOfOtherColumns) {
  const auto data = Read(LogPolicy(), "AnonID\tQuery\tQueryTime\tIP\n1\ta\t5\tx\n");
  ASSERT_TRUE(data.ok());
  ASSERT_EQ(data->warnings.size(), 1U);
  EXPECT_EQ(data->warnings[0].message, "IP: not named in the policy, left out");
}

TEST(Querylog, RejectsATimeThatCannotBeReadWithLineAndColumn) {
  const auto data = Read(LogPolicy(), kHeader + "1\ta\t5\t\t\n1\tsecret\t1:00Jan1\t\t\n");
  EXPECT_EQ(ErrorOf(data),
            "data:3:10: QueryTime: the time of every query must be one that can be read, but this "
            "one is not [write yyyy-mm-dd hh:mm:ss, a date alone, or seconds since 1970]");
  EXPECT_EQ(data.error().value, "1:00Jan1");
  // Behind a field of several lines.
  EXPECT_THAT(BagsOf(LogPolicy(), "AnonID,Query,QueryTime\n1,\"a\nb\",x\n"),
              StartsWith("data:3:4: QueryTime: "));
  EXPECT_THAT(BagsOf(LogPolicy(), kHeader + "1\ta\n"), StartsWith("data:2: QueryTime: "));
  // Also of a query that would be left out.
  EXPECT_THAT(BagsOf(Clicked(), kHeader + "1\ta\tx\t\t\n"), StartsWith("data:2:5: QueryTime: "));
}

TEST(Querylog, RejectsAQueryOfNobody) {
  EXPECT_EQ(BagsOf(LogPolicy(), kHeader + "1\ta\t5\t\t\n \ta\t5\t\t\n"),
            "data:3:1: AnonID: every query must have its user, but this one has none [complete the "
            "data, or take the row out]");
}

TEST(Querylog, RejectsMissingColumnsByName) {
  EXPECT_EQ(BagsOf(LogPolicy(), "AnonID\tTerms\tTime\n1\ta\t5\n"),
            "data:1: the header must have the columns AnonID, Query and QueryTime, but lacks Query "
            "and QueryTime [add what is missing, or correct the names of columns]");
  EXPECT_EQ(BagsOf(LogPolicy(), "1\ta\t5\n"),
            "data:1: the header must have the columns AnonID, Query and QueryTime, but lacks "
            "AnonID, Query and QueryTime [is the header line missing, or are columns not "
            "separated by tabs or commas?]");
  EXPECT_EQ(BagsOf(Clicked(), "AnonID\tQuery\tQueryTime\tClickURL\n1\ta\t5\tu\n"),
            "data:1: the header must have the columns AnonID, Query, QueryTime, ItemRank and "
            "ClickURL, but lacks ItemRank [add what is missing, or correct the names of columns]");
  EXPECT_EQ(
      BagsOf(LogPolicy(), "AnonID\tQuery\tQueryTime\tquery\n"),
      "data:1: columns 2 and 4 must have names of their own, but have the same [rename one of "
      "them, or take it out]");
}

TEST(Querylog, RejectsRowsThatAreTooLong) {
  EXPECT_EQ(BagsOf(LogPolicy(), "AnonID\tQuery\tQueryTime\n1\ta\tb\t5\n"),
            "data:2: every row must have as many fields as the header, 3, but this one has 4 [take "
            "tabs and line ends out of the fields]");
}

TEST(Querylog, RejectsDataWithoutQueriesAndBytesThatAreNotUtf8) {
  EXPECT_THAT(BagsOf(LogPolicy(), ""), HasSubstr("holds no records"));
  EXPECT_THAT(BagsOf(LogPolicy(), kHeader), HasSubstr("holds no records"));
  EXPECT_THAT(BagsOf(LogPolicy(), kHeader + "1\ta\xff\t5\t\t\n"),
              StartsWith("data:2: must be UTF-8, but a byte is not"));
}

TEST(Querylog, RefusesASchemaThatHoldsNoBags) {
  const Policy policy = testing::StudentPolicy(Format::kQuerylog);
  EXPECT_THAT(BagsOf(policy, kHeader), StartsWith("input.format: a query log holds bags: "));
}

// Definition 5.1 and Example 5.2 word for word, on rows of text.
std::string NaiveBags(const std::vector<std::tuple<std::string, std::string, int>>& rows, int gap) {
  std::map<int, std::vector<std::pair<int, std::string>>> users;
  for (const auto& [user, query, time] : rows) {
    auto& queries = users[std::stoi(user)];
    const std::pair<int, std::string> one(time, query);
    if (std::find(queries.begin(), queries.end(), one) == queries.end()) queries.push_back(one);
  }
  std::string text;
  int owner = 0;
  for (auto& [user, queries] : users) {
    std::stable_sort(queries.begin(), queries.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < queries.size(); ++i) {
      const bool begins = i == 0 || queries[i - 1].first + gap < queries[i].first;
      if (begins) text += (i == 0 ? "" : "\n") + std::to_string(owner) + ":";
      std::set<char> had;
      for (const char c : queries[i].second) {
        if (c != ' ' && had.insert(c).second) text += std::string(" ") + c;
      }
    }
    text += "\n";
    ++owner;
  }
  return text;
}

TEST(Querylog, HasTheBagsOfTheDefinitionHoweverItIsSorted) {
  for (uint64_t seed = 0; seed < Cases(500); ++seed) {
    Random random = Random::Seeded(seed);
    std::vector<std::tuple<std::string, std::string, int>> rows;
    const std::vector<std::string> users = {"2", "10", "010", "3"};
    const std::vector<std::string> queries = {"a", "b", "a b", "b a", "a a", " a", "c"};
    for (uint64_t count = 1 + random.Below(20); count > 0; --count) {
      rows.emplace_back(users[random.Below(users.size())], queries[random.Below(queries.size())],
                        static_cast<int>(random.Below(6)));
    }
    if (random.Below(2) == 0) {
      std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return std::pair(std::stoi(std::get<0>(a)), std::get<2>(a)) <
               std::pair(std::stoi(std::get<0>(b)), std::get<2>(b));
      });
    }
    const char delimiter = random.Below(2) == 0 ? '\t' : ',';
    std::string log = std::string("AnonID") + delimiter + "QueryTime" + delimiter + "Query\n";
    for (const auto& [user, query, time] : rows) {
      log += user + delimiter + std::to_string(time) + delimiter + query + "\n";
    }
    const int gap = static_cast<int>(random.Below(4));
    ASSERT_EQ(BagsOf(WithGap(gap), log), NaiveBags(rows, gap)) << log;
  }
}

// Published logs.

std::vector<std::string> Findings(const std::string& log) {
  const auto data = Read(LogPolicy(), log, ReadAs::kPublished);
  if (!data.ok()) return {ErrorOf(data)};
  std::vector<std::string> texts;
  for (const Finding& finding : data->findings) texts.push_back(finding.Text());
  return texts;
}

std::string Rewritten(const std::string& log, WriteOptions options = {}) {
  const auto data = Read(LogPolicy(), log, ReadAs::kPublished);
  if (!data.ok()) return ErrorOf(data);
  DatasetRecords records(*data);
  std::string out;
  const Status status = WriteRecords(LogPolicy(), records, options, [&](std::string_view bytes) {
    out += bytes;
    return Status();
  });
  return status.ok() ? out : status.error().message + " [" + status.error().hint + "]";
}

TEST(PublishedQuerylog, HasARowPerTermAndOneOfAnEmptyBag) {
  for (const char delimiter : {'\t', ','}) {
    std::string log = "AnonID,Query\n1,vino|wine\n1,wine\n2,\n3,wine\n";
    std::replace(log.begin(), log.end(), ',', delimiter);
    const auto data = Read(LogPolicy(), log, ReadAs::kPublished);
    ASSERT_TRUE(data.ok()) << ErrorOf(data);
    EXPECT_EQ(Bags(*data), " vino|wine wine\n\n wine\n");
    EXPECT_THAT(data->findings, IsEmpty());
    EXPECT_EQ(data->Where(RecordId{2}), "data:5");
    EXPECT_EQ(Rewritten(log), log);
  }
}

TEST(PublishedQuerylog, QuotesWhatWouldBeTakenForSomethingElse) {
  EXPECT_EQ(
      Rewritten("AnonID,Query\n1,\"a,b\"\n1,\"say \"\"hi\"\"\"\n1,\"c\nd\"\n1,\"e f\"\n1,\" g\"\n"),
      "AnonID,Query\n1,\"a,b\"\n1,\"say \"\"hi\"\"\"\n1,\"c\nd\"\n1,e f\n1, g\n");
  EXPECT_EQ(Rewritten("AnonID\tQuery\n1\t\"a\tb\"\n1\ta,b\n"),
            "AnonID\tQuery\n1\t\"a\tb\"\n1\ta,b\n");
}

TEST(PublishedQuerylog, NumbersBagsInTheirOrder) {
  const std::string wrong =
      "AnonID: published data must have the running number of a bag as its AnonID, but here is "
      "another [do not hand this file out; publish again with thicket anonymize]";
  for (const char* rows : {"0\ta\n", "2\ta\n", "01\ta\n", "x\ta\n", "\ta\n", " 1\ta\n"}) {
    const auto data = Read(LogPolicy(), std::string("AnonID\tQuery\n") + rows, ReadAs::kPublished);
    EXPECT_EQ(ErrorOf(data), "data:2: " + wrong);
    EXPECT_EQ(data.error().code, ErrorCode::kPromise);
  }
  EXPECT_THAT(Findings("AnonID\tQuery\n1\ta\n3\tb\n"), ElementsAre("data:3: " + wrong));
  EXPECT_THAT(Findings("AnonID\tQuery\n1\ta\n2\tb\n1\tc\n"), ElementsAre("data:4: " + wrong));
}

TEST(PublishedQuerylog, HasNoOtherColumn) {
  EXPECT_THAT(
      Findings("AnonID\tQuery\tQueryTime\n1\ta\t5\n"),
      ElementsAre("data: QueryTime: what is published must be named in the policy, but this "
                  "is not"));
  EXPECT_THAT(Findings("AnonID\tquery\n1\ta\n"),
              ElementsAre("data:1: the header must have the columns AnonID and Query, but lacks "
                          "Query [add what is missing, or correct the names of columns]"));
}

TEST(PublishedQuerylog, IsWrittenOneWay) {
  EXPECT_THAT(
      Findings("AnonID,Query\n1,a\n2,\"b\"\n3,c\n"),
      ElementsAre(HasSubstr("data:3: column 2: the fields of a column must stand in quotes")));
  EXPECT_THAT(Findings("AnonID,Query\n1,a\r\n2,b\n3,c\n"),
              ElementsAre(HasSubstr("lines must end")));
  EXPECT_THAT(Findings("AnonID,Query\n1,a\n\n2,b\n"),
              ElementsAre(HasSubstr("without blank lines")));
  for (const char* rows : {"1,\n1,a\n", "1,a\n1,\n", "1,\n1,\n"}) {
    EXPECT_THAT(Findings(std::string("AnonID,Query\n") + rows),
                ElementsAre("data:3: a bag without terms must be one row without a query, but here "
                            "is another"))
        << rows;
  }
}

TEST(PublishedQuerylog, MayHaveTheNumberOfTheClassInEveryRow) {
  WriteOptions options;
  options.with_class = true;
  EXPECT_EQ(Rewritten("AnonID\tQuery\n1\ta\n1\tb\n2\t\n", options),
            "AnonID\tQuery\t_class\n1\ta\t0\n1\tb\t0\n2\t\t0\n");
  const auto data =
      Read(LogPolicy(), "AnonID\tQuery\t_class\n1\ta\t4\n1\tb\t4\n2\tc\t5\n", ReadAs::kPublished);
  ASSERT_TRUE(data.ok());
  EXPECT_THAT(data->findings, IsEmpty());
  EXPECT_THAT(data->class_numbers, ElementsAre(4U, 5U));
  EXPECT_THAT(
      Findings("AnonID\tQuery\t_class\n1\ta\t4\n1\tb\t5\n"),
      ElementsAre("data:3: all rows of a bag must have the same number of a class, but do not "
                  "here"));
  EXPECT_THAT(Findings("AnonID\tQuery\t_class\n1\ta\tx\n"),
              ElementsAre(HasSubstr("must be the number of a class of records")));
}

TEST(PublishedQuerylog, HasNoTermWithoutText) {
  Policy json = LogPolicy();
  json.input.format = Format::kJsonl;
  for (const char* text : {R"({"terms":["a",null]})", R"({"terms":[""]})"}) {
    const auto data = Read(json, text, ReadAs::kPublished);
    ASSERT_TRUE(data.ok());
    DatasetRecords records(*data);
    const Status status =
        WriteRecords(LogPolicy(), records, {}, [](std::string_view) { return Status(); });
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().message,
              "data: terms.term: every term of a query log must have a text, but one has none");
  }
}

TEST(PublishedQuerylog, AnyBagsComeBackAsTheyWere) {
  for (uint64_t seed = 0; seed < Cases(200); ++seed) {
    Random random = Random::Seeded(seed);
    const std::vector<std::string> pieces = {"a", "\"", " ", "\t", "é", ",", "\n", "\r", "|", "'"};
    Dataset data = Dataset::Empty(LogPolicy().schema, "data");
    data.shape.log_delimiter = random.Below(2) == 0 ? '\t' : ',';
    ForestBuilder builder(*data.schema);
    for (uint64_t record = 1 + random.Below(4); record > 0; --record) {
      builder.BeginRecord(1);
      for (uint64_t term = random.Below(4); term > 0; --term) {
        std::string text = pieces[random.Below(pieces.size())];
        for (uint64_t i = random.Below(4); i > 0; --i) text += pieces[random.Below(pieces.size())];
        builder.Open(1);
        builder.Set(0, data.dictionaries[1][0].Intern(ValueKind::kString, text));
        builder.Close();
      }
      builder.EndRecord();
    }
    data.forest = std::move(builder).Build();
    DatasetRecords records(data);
    std::string out;
    ASSERT_TRUE(WriteRecords(LogPolicy(), records, {}, [&](std::string_view bytes) {
                  out += bytes;
                  return Status();
                }).ok());
    const auto again = Read(LogPolicy(), out, ReadAs::kPublished);
    ASSERT_TRUE(again.ok()) << ErrorOf(again) << out;
    ASSERT_EQ(testing::Describe(*again), testing::Describe(data)) << out;
    ASSERT_THAT(again->findings, IsEmpty()) << out;
    ASSERT_EQ(Rewritten(out), out);
  }
}

}  // namespace
}  // namespace thicket::querylog_test
