// Bags from a policy to what is published: terms brought to words, groups, labels, and what the report says of them.
#include "engine/bag_method.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "engine/thicket.h"

namespace thicket::bag_method_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

// Figure 5.2(a) of Liu 2010.
constexpr char kGoods[] =
    "Wine;Alcohol;Edibles;Goods\nVino;Alcohol;Edibles;Goods\nRaw-milk;Milk;Edibles;Goods\n"
    "Homo-milk;Milk;Edibles;Goods\nJackets;Outwear;Clothing;Goods\nPants;Outwear;Clothing;Goods\n"
    "Boots;Footwear;Clothing;Goods\nShoes;Footwear;Clothing;Goods\n";

// Figure 5.1(b).
constexpr char kBags[] =
    "{\"terms\": [\"Wine\", \"Wine\", \"Jackets\", \"Boots\"]}\n"
    "{\"terms\": [\"Vino\", \"Vino\", \"Jackets\", \"Shoes\"]}\n"
    "{\"terms\": [\"Wine\", \"Vino\", \"Raw-milk\", \"Jackets\", \"Shoes\"]}\n"
    "{\"terms\": [\"Vino\", \"Raw-milk\", \"Raw-milk\", \"Homo-milk\"]}\n"
    "{\"terms\": [\"Raw-milk\", \"Homo-milk\", \"Homo-milk\", \"Jackets\", \"Pants\"]}\n";

Result<LoadedPolicy> PolicyOf(const std::string& term, const std::string& rest) {
  PolicyParts parts;
  if (term.find("goods") != std::string::npos) {
    parts.taxonomies.emplace("goods", ValueTree(kGoods));
  }
  return LoadPolicyText(
      "version: 1\nrecord:\n  class: vocabulary\n  children:\n    - class: term\n      at: terms\n"
      "      quasi: {term: {" +
          term + "}}\n" + rest,
      parts);
}

Result<AnonymizedText> Publish(const std::string& term, const std::string& rest,
                               const std::string& data, uint64_t seed = 1, int threads = 0) {
  const Result<LoadedPolicy> policy = PolicyOf(term, rest);
  if (!policy.ok()) return policy.error();
  Progress progress;
  return AnonymizeText(*policy, data, {.seed = seed, .threads = threads}, progress);
}

// Lines, however they are ordered.
std::map<std::string, int> Counted(const std::string& text) {
  std::map<std::string, int> counts;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) ++counts[line];
  return counts;
}

// Example 5.3, Examples 5.7 to 5.9, and Example 5.11 for the loss of 25.3 %.
TEST(BagMethod, PublishesTheRunningExampleOfTheThesis) {
  const auto result = Publish("taxonomy: goods", "privacy: {k: 2, epsilon: 4}\n", kBags);
  ASSERT_TRUE(result.ok()) << result.error().message;
  const std::map<std::string, int> counts = Counted(result->data);
  EXPECT_EQ(counts.size(), 2U) << result->data;
  std::vector<int> sizes;
  for (const auto& [line, count] : counts) sizes.push_back(count);
  EXPECT_THAT(sizes, UnorderedElementsAre(2, 3));
  for (const auto& [line, count] : counts) {
    for (const char* term : {"Wine", "Vino", "Jackets", "Shoes"}) {
      if (count == 3) {
        EXPECT_THAT(line, HasSubstr(term));
      }
    }
    if (count == 2) {
      EXPECT_THAT(line, HasSubstr("Homo-milk"));
    }
  }
  const Report& report = result->report;
  EXPECT_NEAR(report.utility.lm, 0.2532, 0.0001);
  ASSERT_TRUE(report.bags.has_value());
  EXPECT_EQ(report.bags->terms, 22U);
  EXPECT_EQ(report.bags->published, 18U);
  EXPECT_EQ(report.bags->left_out, 4U);
  EXPECT_EQ(report.bags->substituted, 4U);
  EXPECT_EQ(report.bags->steps, 8U);
  EXPECT_EQ(report.bags->most_steps, 2U);
  EXPECT_FALSE(report.guarantee.truthful);
  EXPECT_EQ(report.guarantee.epsilon, 4);
  EXPECT_EQ(report.guarantee.k, 2);
}

TEST(BagMethod, HyperTermsAndGroupsReplaceNothing) {
  const auto hyper =
      Publish("taxonomy: goods", "privacy: {k: 2, epsilon: 4}\nmethod: {centre: hyper}\n", kBags);
  ASSERT_TRUE(hyper.ok()) << hyper.error().message;
  EXPECT_THAT(hyper->data, HasSubstr("\"Wine|Vino\""));
  EXPECT_TRUE(hyper->report.guarantee.truthful);
  EXPECT_EQ(hyper->report.bags->substituted, 0U);
  const auto groups = Publish("taxonomy: goods",
                              "privacy: {k: 2, epsilon: 4}\nmethod: {centre: generalize}\n", kBags);
  ASSERT_TRUE(groups.ok()) << groups.error().message;
  EXPECT_THAT(groups->data, HasSubstr("\"Alcohol\""));
  EXPECT_TRUE(groups->report.guarantee.truthful);
}

TEST(BagMethod, GeneralizesBagsWithAndWithoutRepeats) {
  const auto bags = Publish("taxonomy: goods", "privacy: {k: 2}\nmethod: {name: lgbag}\n", kBags);
  ASSERT_TRUE(bags.ok()) << bags.error().message;
  EXPECT_TRUE(bags->report.guarantee.truthful);
  // Examples 5.10 and 5.11: 54.5 %.
  EXPECT_NEAR(bags->report.utility.lm, 0.545, 0.0005);
  EXPECT_FALSE(bags->report.guarantee.epsilon.has_value());
  const auto sets =
      Publish("taxonomy: goods",
              "privacy: {k: 2, model: vocabulary k-anonymity}\nmethod: {name: lg}\n", kBags);
  ASSERT_TRUE(sets.ok()) << sets.error().message;
  EXPECT_GE(sets->report.utility.lm, bags->report.utility.lm);
}

TEST(BagMethod, EpsilonZeroReplacesNothing) {
  const auto result = Publish("taxonomy: goods", "privacy: {k: 2, epsilon: 0}\n", kBags);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->report.bags->substituted, 0U);
  EXPECT_EQ(result->report.bags->most_steps, 0U);
}

TEST(BagMethod, BringsTermsToTheirWordsAndLeavesOthersOut) {
  const auto result = Publish("network: wordnet", "privacy: {k: 2, epsilon: 6}\n",
                              "{\"terms\": [\"Wines\", \"Dogs\", \"xyzzy\"]}\n"
                              "{\"terms\": [\"wine\", \"dog\"]}\n"
                              "{\"terms\": [\"plugh\", null]}\n");
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->data, "{\"terms\":[\"dog\",\"wine\"]}\n{\"terms\":[\"dog\",\"wine\"]}\n");
  EXPECT_EQ(result->report.output.suppressed_records, 1U);
  EXPECT_THAT(result->report.warnings, Contains(HasSubstr("2 of 7 terms are not in the network")));
  EXPECT_THAT(result->report.warnings, Contains(HasSubstr("1 of 3 records has no term")));
}

TEST(BagMethod, KeepsUnknownTermsWhereThePolicySaysSo) {
  const auto result =
      Publish("network: wordnet, unknown: generalize", "privacy: {k: 2, epsilon: 6}\n",
              "{\"terms\": [\"xyzzy\", \"dog\"]}\n{\"terms\": [\"xyzzy\", \"cat\"]}\n");
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_THAT(result->data, HasSubstr("xyzzy"));
}

TEST(BagMethod, RefusesWhatCannotBePublished) {
  const auto unknown = Publish("network: wordnet, unknown: error", "privacy: {k: 2, epsilon: 6}\n",
                               "{\"terms\": [\"dog\"]}\n{\"terms\": [\"cat\", \"xyzzy\"]}\n");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code, ErrorCode::kData);
  EXPECT_THAT(unknown.error().message, HasSubstr("records:2: terms[1]"));
  EXPECT_THAT(unknown.error().message, ::testing::Not(HasSubstr("xyzzy")));
  EXPECT_EQ(unknown.error().value, "xyzzy");
  const auto few = Publish("taxonomy: goods", "privacy: {k: 3, epsilon: 4}\n",
                           "{\"terms\": [\"Wine\"]}\n{\"terms\": [\"Vino\"]}\n{\"terms\": []}\n");
  ASSERT_FALSE(few.ok());
  EXPECT_EQ(few.error().code, ErrorCode::kPromise);
}

TEST(BagMethod, TheSameSeedGivesTheSameBytesOnAnyNumberOfThreads) {
  const auto one = Publish("taxonomy: goods", "privacy: {k: 2, epsilon: 4}\n", kBags, 7, 1);
  const auto four = Publish("taxonomy: goods", "privacy: {k: 2, epsilon: 4}\n", kBags, 7, 4);
  ASSERT_TRUE(one.ok() && four.ok());
  EXPECT_EQ(one->data, four->data);
}

}  // namespace
}  // namespace thicket::bag_method_test
