#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/thicket.h"
#include "survey/propose.h"
#include "survey/survey_formats.h"

namespace thicket::propose_querylog_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// What some users search for, each with a click or without.
std::string Log(size_t users, char delimiter) {
  const std::string words[] = {"wine", "beer", "Shoes", "jackets"};
  std::string log = "AnonID,QueryTime,Query,ItemRank,ClickURL\n";
  for (size_t i = 0; i < users * 4; ++i) {
    log += std::to_string(i / 4) + ",2006-03-0" + std::to_string(1 + i % 4) + "," + words[i % 4] +
           (i % 3 == 0 ? ",1,a.com\n" : ",,\n");
  }
  for (char& c : log) c = c == ',' ? delimiter : c;
  return log;
}

TEST(ProposeQuerylog, ALogGetsAPolicyThatRuns) {
  for (const char delimiter : {'\t', ','}) {
    for (const std::string name : {"log.tsv", "log.csv", "log.txt", "log"}) {
      const std::string log = Log(12, delimiter);
      const auto proposal = ProposePolicyForText(log, name);
      ASSERT_TRUE(proposal.ok()) << proposal.error().message;
      EXPECT_EQ(proposal->format, "querylog");
      EXPECT_TRUE(proposal->files.empty());
      EXPECT_THAT(proposal->policy, HasSubstr("session_gap: 1h"));
      EXPECT_THAT(proposal->policy, HasSubstr("clicked: on"));
      EXPECT_THAT(proposal->policy, HasSubstr("  k: 5 "));
      const auto policy = LoadPolicyText(proposal->policy, {});
      ASSERT_TRUE(policy.ok()) << policy.error().message << "\n" << proposal->policy;
      Progress progress;
      RunOptions options;
      options.seed = 1;
      const auto result = AnonymizeText(*policy, log, options, progress);
      ASSERT_TRUE(result.ok()) << result.error().message;
      EXPECT_TRUE(result->report.guarantee.verified);
    }
  }
}

TEST(ProposeQuerylog, SaysNothingOfClicksThatALogDoesNotHave) {
  const auto proposal =
      ProposePolicyForText("anonid,query,querytime,itemrank\n1,wine,5,\n2,beer,6,3\n", "log.csv");
  ASSERT_TRUE(proposal.ok()) << proposal.error().message;
  EXPECT_THAT(proposal->policy, Not(HasSubstr("clicked")));
  EXPECT_THAT(proposal->policy, HasSubstr("  k: 2 "));
}

TEST(ProposeQuerylog, ALogIsToldByItsColumns) {
  EXPECT_TRUE(IsQuerylog("AnonID\tQuery\tQueryTime\n"));
  EXPECT_TRUE(IsQuerylog("\"querytime\";x;ANONID;query"));
  EXPECT_FALSE(IsQuerylog("AnonID\tQuery\n1\tQueryTime\n"));
  EXPECT_FALSE(IsQuerylog("AnonID Query QueryTime\n"));
  EXPECT_FALSE(IsQuerylog("\"AnonID\tQuery\tQueryTime\n"));
  EXPECT_FALSE(IsQuerylog(""));
}

}  // namespace
}  // namespace thicket::propose_querylog_test
