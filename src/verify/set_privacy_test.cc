// Published sets that break the promise in each way that the check must notice, and large ones that keep it.

#include "verify/set_privacy.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "testing/baskets_sets.h"
#include "testing/forest_text.h"
#include "verify/set_cover.h"
#include "verify/truthful.h"

namespace thicket::set_privacy_test {
namespace {

using ::testing::HasSubstr;

using Rows = std::vector<std::vector<std::string>>;

// Fig. 4.1 of Liu 2010.
TaxonomyFiles BasketsTaxonomy() {
  const std::vector<std::string>& names = testing::BasketsItems();
  const std::vector<int> parents = testing::BasketsSets().taxonomy.parents;
  TaxonomyBuilder builder(names[0]);
  for (size_t node = 1; node < names.size(); ++node) {
    builder.Add(static_cast<uint32_t>(parents[node]), names[node]);
  }
  TaxonomyFiles files;
  files.emplace("item.csv", std::move(builder).Build());
  return files;
}

Dataset DataOf(const Rows& rows) {
  const std::shared_ptr<Schema> schema = testing::ParseSchema("basket{item(name)}");
  schema->classes[1].quasi[0].recoding.file = "item.csv";
  schema->classes[1].quasi[0].sensitive_items = testing::BasketsSensitive();
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    text += "basket{";
    for (const std::string& item : row) text += fmt::format("item('{}')", item);
    text += "} ";
  }
  return testing::ParseForest(schema, text);
}

PrivacyPolicy Kl(int k, int l, std::optional<int> m, std::optional<int> n) {
  PrivacyPolicy privacy;
  privacy.of_sets = true;
  privacy.k = k;
  privacy.l = l;
  privacy.m = m;
  privacy.n = n;
  return privacy;
}

Verdict Check(const Rows& rows, const PrivacyPolicy& privacy) {
  const Dataset data = DataOf(rows);
  auto verdict = VerifySets(*data.schema, privacy, BasketsTaxonomy(), data, 1);
  EXPECT_TRUE(verdict.ok());
  return verdict.ok() ? std::move(*verdict) : Verdict();
}
std::string FirstOf(const Verdict& verdict) {
  return verdict.violations.empty() ? "" : verdict.violations.shown().front().message;
}

// The optimum of Examples 4.9 to 4.16.
const Rows& Best() {
  static const Rows kRows = {{"Nutrient", "AdultToy"},
                             {"Nutrient", "Outwear", "AdultToy", "Viagra"},
                             {"Nutrient", "Outwear", "Footwear", "Viagra"},
                             {"Nutrient", "Outwear", "Footwear", "PregnancyTest"},
                             {"Nutrient", "Outwear"}};
  return kRows;
}

TEST(SetPrivacy, AcceptsTheBestCutOfTheThesis) {
  const Verdict verdict = Check(Best(), Kl(2, 2, 2, 1));
  EXPECT_TRUE(verdict.holds) << FirstOf(verdict);
  EXPECT_EQ(verdict.k, 2);
  EXPECT_EQ(verdict.l, 2);
  // An adversary who knows more of what is not there.
  EXPECT_FALSE(Check(Best(), Kl(2, 2, 2, 2)).holds);
}

TEST(SetPrivacy, RefusesWhatTooFewHave) {
  Rows rows = Best();
  rows[4].emplace_back("Footwear");
  rows[3] = {"Nutrient", "PregnancyTest"};
  rows[2] = {"Nutrient", "Outwear", "Viagra"};
  const Verdict verdict = Check(rows, Kl(2, 1, 1, 0));
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.k, 1);
  EXPECT_THAT(FirstOf(verdict), HasSubstr("at least 2 records must have \"Footwear\", but only"));
}

TEST(SetPrivacy, RefusesWhatTooFewLack) {
  const Verdict verdict = Check(Best(), Kl(2, 1, 0, 2));
  EXPECT_THAT(FirstOf(verdict), HasSubstr("at least 2 records must have no \"Outwear\", but only"));
  EXPECT_TRUE(Check(Best(), Kl(2, 1, 0, 1)).holds);
}

// Beer and Wine are harmless, and the group of both is not: {Liquor+} lies above the cut.
TEST(SetPrivacy, RefusesAGroupAboveTheCutThatTells) {
  const Rows rows = {{"Beer", "Wine"}, {"Beer", "Viagra"}, {"Wine", "Viagra"}};
  const Verdict verdict = Check(rows, Kl(1, 2, 1, 0));
  EXPECT_FALSE(verdict.holds);
  EXPECT_THAT(FirstOf(verdict),
              HasSubstr("among the 3 records that have \"Liquor\" no sensitive item may be in more "
                        "than 1/2, but privacy.sensitive_items[1] is in 2 of 3"));
}

// "Some liquor, but no wine".
TEST(SetPrivacy, CountsWhatIsThereAboveWhatIsNot) {
  const Rows rows = {{"Beer"}, {"Wine"}, {"Wine"}, {"Milk"}, {"Milk"}};
  EXPECT_THAT(FirstOf(Check(rows, Kl(2, 1, 1, 0))), HasSubstr("\"Beer\""));
  const Rows telling = {{"Beer", "Wine"}, {"Wine"}, {"Beer", "Viagra"}, {"Milk"}, {"Milk"}};
  EXPECT_FALSE(Check(telling, Kl(1, 2, 1, 1)).holds);
  EXPECT_TRUE(Check(telling, Kl(1, 2, 1, 0)).holds);
}

TEST(SetPrivacy, RefusesLabelsThatAreNoCut) {
  Rows rows = Best();
  rows[0][0] = "Dairy";
  EXPECT_THAT(FirstOf(Check(rows, Kl(2, 2, 2, 1))), HasSubstr("labels must be of one cut"));
  // Where classes count, each record may have labels of its own.
  EXPECT_TRUE(Check({{"Dairy"}, {"Dairy"}, {"Milk"}, {"Milk"}}, Kl(2, 1, {}, {})).holds);
}

TEST(SetPrivacy, RefusesAnItemTwiceAndOneWithoutAValue) {
  Rows rows = Best();
  rows[0].emplace_back("Nutrient");
  EXPECT_THAT(FirstOf(Check(rows, Kl(2, 2, 2, 1))), HasSubstr("must stand there once"));
  const Dataset data = testing::ParseForest(DataOf({{"Milk"}}).schema, "basket{item()}");
  const auto verdict = VerifySets(*data.schema, Kl(2, 1, 1, 0), BasketsTaxonomy(), data, 1);
  EXPECT_THAT(FirstOf(*verdict), HasSubstr("must have a value"));
}

TEST(SetPrivacy, RefusesALabelOfNoTaxonomy) {
  Rows rows = Best();
  rows[0].emplace_back("Rum");
  EXPECT_THAT(FirstOf(Check(rows, Kl(2, 2, 2, 1))), HasSubstr("every label must be one"));
}

TEST(SetPrivacy, RefusesSmallClassesOfThoseWhoKnowEverything) {
  EXPECT_TRUE(Check({{"Milk"}, {"Milk"}, {}, {}}, Kl(2, 1, {}, {})).holds);
  EXPECT_THAT(FirstOf(Check({{"Milk"}, {"Milk"}, {}}, Kl(2, 1, {}, {}))),
              HasSubstr("at least 2 records must have the same items that are not sensitive"));
  EXPECT_THAT(FirstOf(Check({{"Milk", "Viagra"}, {"Milk", "Viagra"}, {"Milk"}}, Kl(1, 2, {}, {}))),
              HasSubstr("privacy.sensitive_items[1] is in 2 of 3"));
}

// Every combination of ten of forty items would be 8e8 of them; who has a like needs no counting.
TEST(SetPrivacy, CountsNothingOfRecordsThatHaveTheirLike) {
  TaxonomyBuilder builder("*");
  std::string all;
  for (int item = 0; item < 40; ++item) {
    builder.Add(TaxonomyBuilder::root(), fmt::format("i{}", item));
    all += fmt::format("item(i{})", item);
  }
  TaxonomyFiles files;
  files.emplace("item.csv", std::move(builder).Build());
  std::string text;
  for (int record = 0; record < 5; ++record) text += "basket{" + all + "} ";
  for (int record = 0; record < 3; ++record) text += "basket{item(i1)item(i2)} ";
  const Dataset data = testing::ParseForest(DataOf({}).schema, text);
  const auto holds = VerifySets(*data.schema, Kl(5, 1, 10, 0), files, data, 1);
  EXPECT_TRUE(holds->holds);
  // The three are told from the five by what they lack.
  EXPECT_FALSE(VerifySets(*data.schema, Kl(5, 1, 10, 1), files, data, 1)->holds);
}

// The original, Table 4.1.
TEST(SetCover, FindsWhatIsInventedGeneralizedOrLeftOut) {
  const Dataset original = DataOf(testing::BasketsRows());
  const std::vector<RecordId> own = {0, 1, 2, 3, 4};
  const auto truth = [&](const Rows& rows) {
    const Dataset published = DataOf(rows);
    auto verdict = VerifyTruthful(*original.schema, Kl(2, 2, 2, 1), BasketsTaxonomy(), published,
                                  original, std::span<const RecordId>(own));
    EXPECT_TRUE(verdict.ok());
    return verdict->holds ? "" : verdict->violations.shown().front().message;
  };
  EXPECT_EQ(truth(Best()), "");
  Rows rows = Best();
  rows[0].emplace_back("Footwear");
  EXPECT_NE(truth(rows), "");
  rows = Best();
  rows[0].pop_back();
  EXPECT_THAT(truth(rows), HasSubstr("must have the sensitive items of its original, but has not"));
  rows = Best();
  rows[0].emplace_back("Viagra");
  EXPECT_THAT(truth(rows), HasSubstr("must have the sensitive items of its original, but has not"));
  // Nothing covers a sensitive item but itself, and an item may be left out.
  rows = Best();
  rows[4] = {"Entity"};
  EXPECT_EQ(truth(rows), "");
  rows[4] = {};
  EXPECT_EQ(truth(rows), "");
}

}  // namespace
}  // namespace thicket::set_privacy_test
