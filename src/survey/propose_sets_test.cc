#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine/thicket.h"
#include "survey/propose.h"
#include "survey/survey_formats.h"

namespace thicket::propose_sets_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Sets of up to four of a few items.
std::string Baskets(const std::string& delimiter) {
  const std::string items[] = {"ale", "beer", "crisps", "nuts", "milk", "bread"};
  std::string text;
  for (size_t i = 0; i < 60; ++i) {
    for (size_t j = 0; j <= i % 4; ++j) text += (j == 0 ? "" : delimiter) + items[(i + j) % 6];
    text += "\n";
  }
  return text;
}

// Whether the proposal runs as it is.
void ExpectToRun(const Proposal& proposal, const std::string& text) {
  PolicyParts parts;
  parts.taxonomies = proposal.Taxonomies();
  const auto policy = LoadPolicyText(proposal.policy, parts);
  ASSERT_TRUE(policy.ok()) << policy.error().message << "\n" << proposal.policy;
  Progress progress;
  RunOptions options;
  options.seed = 1;
  const auto result = AnonymizeText(*policy, text, options, progress);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_TRUE(result->report.guarantee.verified);
  ASSERT_EQ(result->report.taxonomies.size(), 1U);
  EXPECT_EQ(result->report.taxonomies[0].order, "together");
}

TEST(ProposeSets, SetsOfAnyDelimiterGetAPolicyThatRuns) {
  for (const std::string delimiter : {" ", ";", ",", "|"}) {
    for (const std::string name : {"baskets.txt", "baskets.dat", "baskets.csv", "baskets"}) {
      if (delimiter == " " && name == "baskets.csv") continue;
      const std::string text = Baskets(delimiter);
      const auto proposal = ProposePolicyForText(text, name);
      ASSERT_TRUE(proposal.ok()) << proposal.error().message;
      EXPECT_EQ(proposal->format, "transactions");
      EXPECT_THAT(proposal->policy, HasSubstr("m: 3"));
      EXPECT_THAT(proposal->policy, Not(HasSubstr("ale")));
      ASSERT_EQ(proposal->files.size(), 1U);
      EXPECT_THAT(proposal->files[0].second, HasSubstr("--order together\n"));
      ExpectToRun(*proposal, text);
    }
  }
}

TEST(ProposeSets, ATableIsNotTakenForSets) {
  EXPECT_FALSE(FindSets("name,city\nx,Lyon\ny,Paris\n"));
  // With a mistake in it, too.
  std::string table = "name,city\n";
  for (int i = 0; i < 20; ++i) table += "x,Lyon\n";
  EXPECT_FALSE(FindSets(table + "y,Paris,city\n"));
  EXPECT_FALSE(FindSets("full name\nAnna Lee\nJohn van Smith\n"));
  EXPECT_FALSE(FindSets("zip\n10115\n10117\n"));
  EXPECT_FALSE(FindSets(""));
}

TEST(ProposeSets, SetsAreToldByTheirLines) {
  EXPECT_EQ(FindSets("1 2 3\n2\n1 3\n"), char{0});
  EXPECT_EQ(FindSets("a;b c;d\nb c\nd;a\n"), ';');
  EXPECT_EQ(FindSets("a,b\nb\na,b,c\n"), ',');
}

TEST(ProposeSets, RefusesIdentifiersBeforeTheItems) {
  std::string text;
  for (int i = 0; i < 30; ++i) {
    text += "p" + std::to_string(i) + (i % 2 == 0 ? " ale crisps\n" : " ale p0\n");
    if (i % 3 == 0) text.insert(text.size() - 1, " nuts");
  }
  const auto proposal = ProposePolicyForText(text, "baskets.txt");
  ASSERT_FALSE(proposal.ok());
  EXPECT_THAT(proposal.error().message, HasSubstr("looks like an identifier"));
  EXPECT_EQ(proposal.error().code, ErrorCode::kData);
}

}  // namespace
}  // namespace thicket::propose_sets_test
