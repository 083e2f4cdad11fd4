#include "taxonomy/together.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "taxonomy/balanced.h"
#include "taxonomy/taxonomy_file.h"

namespace thicket::together_test {
namespace {

using Rows = std::vector<std::vector<std::string>>;

SetsOfItems SetsOf(const Rows& rows) {
  SetsOfItems sets;
  std::map<std::string, uint32_t> number;
  for (const auto& row : rows) {
    for (const std::string& item : std::set<std::string>(row.begin(), row.end())) {
      const auto [at, is_new] = number.emplace(item, static_cast<uint32_t>(sets.items.size()));
      if (is_new) sets.items.push_back(item);
      sets.members.push_back(at->second);
    }
    sets.first.push_back(sets.members.size());
  }
  return sets;
}

Rows RandomRows(uint64_t seed, uint64_t items, uint64_t sets) {
  Random random = Random::Seeded(seed);
  Rows rows(sets);
  for (auto& row : rows) {
    for (uint64_t size = random.Below(6); size > 0; --size) {
      row.push_back(std::to_string(random.Below(1 + random.Below(items))));
    }
  }
  rows.front() = {"0"};
  return rows;
}

std::string Parent(const Taxonomy& taxonomy, const std::string& item) {
  return taxonomy.label(taxonomy.parent(*taxonomy.Find(item)));
}

TEST(Together, ItemsThatAppearWithTheSameOthersStandTogether) {
  Rows rows = {{"ale"}, {"crisps"}};
  for (int times = 0; times < 2; ++times) {
    for (const char* drink : {"ale", "beer"}) {
      rows.push_back({drink, "crisps"});
      rows.push_back({drink, "nuts"});
    }
  }
  const Taxonomy taxonomy = TogetherTaxonomy(SetsOf(rows), 2);
  EXPECT_EQ(FormatTaxonomy(taxonomy),
            "ale;ale+1;*\nbeer;ale+1;*\ncrisps;crisps+1;*\nnuts;crisps+1;*\n");
}

TEST(Together, EveryGroupHasItsShareOfFrequentItems) {
  Rows rows;
  for (int item = 0; item < 16; ++item) {
    for (int times = 0; times <= item; ++times) rows.push_back({std::to_string(item)});
  }
  const Taxonomy taxonomy = TogetherTaxonomy(SetsOf(rows), 4);
  std::set<std::string> parents;
  for (const char* item : {"12", "13", "14", "15"}) parents.insert(Parent(taxonomy, item));
  EXPECT_EQ(parents.size(), 4U);
  parents.clear();
  for (const char* item : {"0", "1", "2", "3"}) parents.insert(Parent(taxonomy, item));
  EXPECT_EQ(parents.size(), 4U);
}

// What one set alone has says nothing.
TEST(Together, APairOfASingleSetIsNotSeen) {
  Rows rows = RandomRows(3, 20, 300);
  rows.push_back({"0", "rare"});
  rows.push_back({"7"});
  const std::string with = FormatTaxonomy(TogetherTaxonomy(SetsOf(rows), 3));
  rows[rows.size() - 2] = {"rare", "7"};
  rows[rows.size() - 1] = {"0"};
  EXPECT_EQ(FormatTaxonomy(TogetherTaxonomy(SetsOf(rows), 3)), with);
}

TEST(Together, EveryItemIsALeafAndGroupsHaveAtMostSoManyMembers) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Random random = Random::Seeded(seed);
    const SetsOfItems sets = SetsOf(RandomRows(seed, 1 + random.Below(60), 1 + random.Below(100)));
    const size_t fanout = 2 + random.Below(5);
    const Taxonomy taxonomy = TogetherTaxonomy(sets, fanout);
    ASSERT_EQ(taxonomy.leaf_count(), sets.items.size());
    std::map<Node, size_t> children;
    for (Node node = 1; node < taxonomy.node_count(); ++node) ++children[taxonomy.parent(node)];
    for (const auto& [node, count] : children) {
      EXPECT_LE(count, fanout);
      if (node != Taxonomy::kRoot) {
        EXPECT_GE(count, 2U);
      }
    }
    const auto again = ParseTaxonomy(FormatTaxonomy(taxonomy), "t.csv");
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(FormatTaxonomy(*again), FormatTaxonomy(taxonomy));
  }
}

TEST(Together, TheOrderOfSetsAndItemsDoesNotMatter) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Rows rows = RandomRows(seed, 40, 200);
    const std::string taxonomy = FormatTaxonomy(TogetherTaxonomy(SetsOf(rows), 3));
    Random random = Random::Seeded(seed);
    random.Shuffle(rows);
    EXPECT_EQ(FormatTaxonomy(TogetherTaxonomy(SetsOf(rows), 3)), taxonomy);
  }
}

// A name that only one person's record has is not published for a group of others.
TEST(Together, GroupsAreCalledAfterTheirMostFrequentItem) {
  const Taxonomy taxonomy = TogetherTaxonomy(SetsOf({{"a"}, {"b"}, {"b"}, {"c"}, {"c"}, {"d"}}), 2);
  EXPECT_EQ(FormatTaxonomy(taxonomy), "a;b+1;*\nb;b+1;*\nc;c+1;*\nd;c+1;*\n");
}

TEST(Together, ManyItemsAndLargeSetsAreTaken) {
  SetsOfItems sets;
  for (uint32_t item = 0; item < 5000; ++item) {
    sets.items.push_back(std::to_string(item));
    sets.members.push_back(item);
  }
  sets.first.push_back(sets.members.size());
  EXPECT_EQ(TogetherTaxonomy(sets, 10).leaf_count(), 5000U);
}

TEST(Together, NoItemsAreARootAlone) {
  EXPECT_EQ(TogetherTaxonomy({}, 2).node_count(), 1U);
  EXPECT_EQ(TogetherTaxonomy({{}, {0, 0, 0}, {}}, 2).node_count(), 1U);
}

TEST(Together, FewItemsStandBelowTheRoot) {
  EXPECT_EQ(FormatTaxonomy(TogetherTaxonomy(SetsOf({{"b", "a"}}), 2)), "a;*\nb;*\n");
  EXPECT_EQ(FormatTaxonomy(TogetherTaxonomy(SetsOf({{"10"}, {"9"}}), 5)), "9;*\n10;*\n");
}

TEST(RandomTaxonomy, HasAllValuesInGroupsOfAnyKind) {
  std::vector<std::string> values;
  for (int i = 0; i < 100; ++i) values.push_back(std::to_string(i));
  Random one = Random::Seeded(1);
  Random same = Random::Seeded(1);
  Random other = Random::Seeded(2);
  const std::string text = FormatTaxonomy(RandomTaxonomy(values, 4, one));
  EXPECT_EQ(FormatTaxonomy(RandomTaxonomy(values, 4, same)), text);
  EXPECT_NE(FormatTaxonomy(RandomTaxonomy(values, 4, other)), text);
  const auto taxonomy = ParseTaxonomy(text, "t.csv");
  ASSERT_TRUE(taxonomy.ok());
  EXPECT_EQ(taxonomy->leaf_count(), 100U);
  // Of the seven groups of groups the last has one member, and is left out.
  EXPECT_EQ(taxonomy->node_count(), 1U + 2 + 6 + 25 + 100);
}

TEST(GroupedTaxonomy, AGroupThatWouldBeCalledAsAValueGetsAnotherName) {
  EXPECT_EQ(FormatTaxonomy(GroupedTaxonomy({"a", "a+1", "b"}, {{0, 1, 0}})),
            "a;a+1+;*\nb;a+1+;*\na+1;*\n");
}

TEST(TaxonomyOrigin, StandsInTheFirstLineAndIsReadAgain) {
  Taxonomy taxonomy = BalancedTaxonomy({"a", "b", "c"}, 2);
  EXPECT_FALSE(taxonomy.origin());
  for (const TaxonomyOrigin& origin :
       {TaxonomyOrigin{4, ItemOrder::kTogether}, TaxonomyOrigin{2, ItemOrder::kGiven},
        TaxonomyOrigin{15, ItemOrder::kRandom, 7}, TaxonomyOrigin{15, ItemOrder::kRandom}}) {
    taxonomy.SetOrigin(origin);
    const auto again = ParseTaxonomy(FormatTaxonomy(taxonomy), "t.csv");
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(again->origin(), origin);
  }
  EXPECT_EQ(OriginLine({15, ItemOrder::kRandom, 7}),
            "# thicket taxonomy build --fanout 15 --order random --seed 7");
}

TEST(TaxonomyOrigin, OtherCommentsSayNothing) {
  for (const char* line : {"# thicket taxonomy build --fanout 4 --order secret", "# ", "#",
                           "# thicket taxonomy build --fanout x --order given",
                           "# thicket taxonomy build --fanout 4 --order given and more"}) {
    const auto taxonomy = ParseTaxonomy(std::string(line) + "\na;*\n", "t.csv");
    ASSERT_TRUE(taxonomy.ok()) << taxonomy.error().message;
    EXPECT_FALSE(taxonomy->origin()) << line;
    EXPECT_EQ(taxonomy->leaf_count(), 1U);
  }
  // A value that begins so is a value.
  const auto value = ParseTaxonomy("#a;*\n", "t.csv");
  ASSERT_TRUE(value.ok());
  EXPECT_TRUE(value->Find("#a"));
  // Lines keep their numbers.
  EXPECT_THAT(ParseTaxonomy("# x\r\n# y\na;*\nb\n", "t.csv").error().message,
              ::testing::StartsWith("t.csv:4:"));
}

}  // namespace
}  // namespace thicket::together_test
