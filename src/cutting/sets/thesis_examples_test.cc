// Chapter 4 of Liu 2010 by its own examples, with the reference of tests/testing/literal_sets.h: every number that the text
// gives. What its theorems claim is in thesis_claims_property_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testing/baskets_sets.h"
#include "testing/literal_itemset_tree.h"
#include "testing/literal_set_patterns.h"
#include "testing/literal_set_rivals.h"
#include "testing/literal_sets.h"
#include "testing/literal_table_bounds.h"

namespace thicket::thesis_examples_test {
namespace {

using testing::BasketsItems;
using testing::BasketsNames;
using testing::BasketsNode;
using testing::BasketsNodes;
using testing::BasketsSensitive;
using testing::BasketsSets;
using testing::CombinationThreats;
using ::testing::ElementsAre;
using testing::FrequentPatterns;
using testing::GeneralizeKnowledge;
using testing::GeneralizeSets;
using testing::IsGeneralization;
using testing::IsLocalGeneralization;
using testing::LargestShare;
using testing::LeastSuppression;
using testing::LeavesBelow;
using testing::LiteralCutNode;
using testing::LiteralCutTree;
using testing::LiteralFraction;
using testing::LiteralItemset;
using testing::LiteralItemsetTree;
using testing::LiteralKnowledge;
using testing::LiteralNodes;
using testing::LiteralPatterns;
using testing::LiteralPrivacy;
using testing::LiteralPrunings;
using testing::LiteralSetCut;
using testing::LiteralSetCuts;
using testing::LiteralSetData;
using testing::LiteralSets;
using testing::LiteralTaxonomy;
using testing::MaySatisfy;
using testing::MeanLoss;
using testing::PatternError;
using testing::PlaceOf;
using testing::PowerOf;
using testing::Preorder;
using testing::Satisfies;
using ::testing::SizeIs;
using testing::SmallestClass;
using testing::SuppressLeaves;

const int kAdultToy = PlaceOf("AdultToy", BasketsSensitive());
const int kViagra = PlaceOf("Viagra", BasketsSensitive());

// Example 4.7.
LiteralSets Bob() { return {BasketsSets(), LiteralPrivacy::Kl(2, 2, 2, 1)}; }
// What Sections 4.3.2 to 4.4.1 work with.
LiteralSets BobWithoutAbsent() { return {BasketsSets(), LiteralPrivacy::Kl(2, 2, 2, 0)}; }

LiteralNodes CutOfTable42() {
  return BasketsNodes({"Liquor", "Dairy", "Jacket", "Pants", "Footwear"});
}

using Names = std::vector<std::string>;

LiteralItemset Itemset(const Names& there, const Names& absent = {}) {
  return {BasketsNodes(there), BasketsNodes(absent)};
}
LiteralKnowledge Knowledge(const std::vector<Names>& disjunctions, const Names& absent = {}) {
  LiteralKnowledge knowledge{{}, BasketsNodes(absent)};
  for (const Names& names : disjunctions) knowledge.disjunctions.push_back(BasketsNodes(names));
  return knowledge;
}
// Numbers of the thesis, from 1.
std::set<size_t> Transactions(const std::set<size_t>& records) {
  std::set<size_t> numbers;
  for (const size_t record : records) numbers.insert(record + 1);
  return numbers;
}

TEST(ThesisSets, Example41AliceAndDarthAreFound) {
  const LiteralSets bob = Bob();
  const LiteralNodes leaves = bob.Leaves();
  const LiteralItemset alice = Itemset({"Wine", "Yogurt"});
  EXPECT_THAT(Transactions(bob.Matching(alice, leaves)), ElementsAre(1));
  EXPECT_EQ(bob.Confidence(alice, kAdultToy, leaves), 1);
  EXPECT_EQ(bob.Confidence(alice, kViagra, leaves), 0);
  const LiteralItemset darth = Itemset({"Beer"}, {"Wine"});
  EXPECT_THAT(Transactions(bob.Matching(darth, leaves)), ElementsAre(2));
  EXPECT_EQ(bob.Confidence(darth, kAdultToy, leaves), 1);
  EXPECT_EQ(bob.Confidence(darth, kViagra, leaves), 1);
  EXPECT_TRUE(bob.Threats(leaves).contains(alice));
  EXPECT_TRUE(bob.Threats(leaves).contains(darth));
  // "Darth's privacy breach can not be prevented by [95][108]": no itemset without absence has Beer and excludes t5.
  EXPECT_THAT(Transactions(bob.Matching(Itemset({"Beer"}), leaves)), ElementsAre(2, 5));
}

TEST(ThesisSets, Examples42And48TheGeneralizedVersionOfTable42) {
  const LiteralTaxonomy taxonomy = BasketsSets().taxonomy;
  EXPECT_EQ(taxonomy.parents[static_cast<size_t>(BasketsNode("Nutrient"))], BasketsNode("Entity"));
  EXPECT_TRUE(IsGeneralization(taxonomy, BasketsNodes({"Entity"}), BasketsNodes({"Beer"})));
  EXPECT_THAT(BasketsNames(LeavesBelow(taxonomy, BasketsNode("Footwear"))),
              ElementsAre("Geta", "Hose", "Shoe"));
  EXPECT_EQ(taxonomy.Leaves(0), 9);
  std::vector<std::set<std::string>> published;
  for (const LiteralNodes& record : GeneralizeSets(BasketsSets(), CutOfTable42())) {
    published.push_back(BasketsNames(record));
  }
  using Record = std::set<std::string>;
  EXPECT_THAT(published, ElementsAre(Record{"Liquor", "Dairy"}, Record{"Liquor", "Jacket", "Pants"},
                                     Record{"Dairy", "Jacket", "Footwear"},
                                     Record{"Dairy", "Jacket", "Footwear"},
                                     Record{"Liquor", "Dairy", "Jacket", "Pants"}));
}

TEST(ThesisSets, Examples43And44KnowledgeItsPowerAndWhoSatisfiesIt) {
  const LiteralSetData sets = BasketsSets();
  const LiteralKnowledge alice = Knowledge({{"Wine"}, {"Yogurt"}});
  const LiteralKnowledge darth = Knowledge({{"Beer"}}, {"Wine"});
  const LiteralKnowledge vague = Knowledge({{"Hose", "Geta"}}, {"Milk"});
  EXPECT_EQ(PowerOf(sets.taxonomy, alice), std::pair(2, 0));
  EXPECT_EQ(PowerOf(sets.taxonomy, darth), std::pair(1, 1));
  EXPECT_EQ(PowerOf(sets.taxonomy, vague), std::pair(1, 1));
  EXPECT_TRUE(Satisfies(sets.taxonomy, sets.items[0], alice));
  EXPECT_TRUE(Satisfies(sets.taxonomy, sets.items[1], darth));
  EXPECT_FALSE(Satisfies(sets.taxonomy, sets.items[4], darth)) << "t5 has Wine";
  // t3 has Hose, t4 Geta and Milk.
  EXPECT_THAT(Transactions(Bob().Matching(vague, Bob().Leaves())), ElementsAre(3));
}

TEST(ThesisSets, Examples45And46KnowledgeIsGeneralizedToTheCut) {
  const LiteralSets bob = Bob();
  const LiteralTaxonomy& taxonomy = bob.sets().taxonomy;
  const LiteralNodes cut = CutOfTable42();
  const auto general = [&](const LiteralKnowledge& knowledge) {
    return GeneralizeKnowledge(taxonomy, knowledge, cut);
  };
  const LiteralKnowledge alice = Knowledge({{"Wine"}, {"Yogurt"}});
  EXPECT_EQ(general(alice), Knowledge({{"Liquor"}, {"Dairy"}}));
  EXPECT_THAT(Transactions(bob.Matching(general(alice), cut)), ElementsAre(1, 5));
  const LiteralKnowledge darth = Knowledge({{"Beer"}}, {"Wine"});
  EXPECT_EQ(general(darth), Knowledge({{"Liquor"}}));
  EXPECT_THAT(Transactions(bob.Matching(general(darth), cut)), ElementsAre(1, 2, 5));
  const LiteralKnowledge third = Knowledge({}, {"Milk"});
  EXPECT_EQ(general(third), Knowledge({})) << "Dairy- does not follow";
  EXPECT_THAT(bob.Matching(general(third), cut), SizeIs(5));
  EXPECT_EQ(general(Knowledge({}, {"Milk", "Yogurt"})), Knowledge({}, {"Dairy"}));
  EXPECT_EQ(PowerOf(taxonomy, Knowledge({}, {"Dairy"})), std::pair(0, 2));
  // The records that may satisfy them are these, and no others.
  for (const LiteralKnowledge& knowledge : {alice, darth, third}) {
    for (const LiteralNodes& record : GeneralizeSets(bob.sets(), cut)) {
      EXPECT_EQ(MaySatisfy(taxonomy, cut, record, knowledge),
                Satisfies(taxonomy, record, general(knowledge)));
    }
  }
}

TEST(ThesisSets, Section414ADisjunctionOfAllLeavesIsTheGroup) {
  const LiteralSets bob = Bob();
  for (const LiteralNodes& cut : LiteralSetCuts(bob.sets().taxonomy)) {
    if (!cut.contains(BasketsNode("Beer"))) continue;
    EXPECT_EQ(bob.Matching(Knowledge({{"Beer", "Wine"}}), cut),
              bob.Matching(Knowledge({{"Liquor"}}), cut));
  }
}

TEST(ThesisSets, Example47TheOriginalIsNotPrivateNorIsTable42) {
  EXPECT_FALSE(Bob().IsValid(Bob().Leaves()));
  EXPECT_FALSE(Bob().IsValid(CutOfTable42()));
  const LiteralItemset liquor = Itemset({"Liquor"});
  EXPECT_TRUE(Bob().Threats(CutOfTable42()).contains(liquor));
  EXPECT_TRUE(Bob().Threats(Bob().Leaves()).contains(liquor)) << "above the cut";
}

// Requirements (a) and (b) of Definition 4.4 at their borders.
TEST(ThesisSets, Definition44AtLeastKAndAtMostOneInL) {
  const LiteralNodes cut = BasketsNodes({"Nutrient", "Outwear", "Footwear"});
  const auto threats = [&](int64_t k, int64_t l) {
    return LiteralSets(BasketsSets(), LiteralPrivacy::Kl(k, l, 1, 0)).Threats(cut);
  };
  // Nutrient 5, Outwear and Clothing 4, Footwear 2: AdultToy 2/5, Viagra 2/4, 1/2.
  EXPECT_THAT(threats(2, 2), SizeIs(0));
  EXPECT_THAT(threats(3, 1), ElementsAre(Itemset({"Footwear"})));
  EXPECT_THAT(threats(4, 1), ElementsAre(Itemset({"Footwear"})));
  EXPECT_THAT(threats(5, 1), SizeIs(3));
  EXPECT_THAT(threats(6, 1), SizeIs(5));
  EXPECT_THAT(threats(1, 3), SizeIs(5)) << "2/5 is more than 1/3";
  LiteralPrivacy two_fifths{.k = 1, .most_share = {2, 5}};
  EXPECT_THAT(LiteralSets(BasketsSets(), two_fifths).Threats(cut), SizeIs(3));
}

// At (2, 2, 2, 1), counted by hand: t1 alone lacks Jacket, and with it Outwear and Clothing.
TEST(ThesisSets, TheOptimumOfTheExample) {
  const LiteralSets bob = Bob();
  EXPECT_THAT(LiteralSetCuts(bob.sets().taxonomy), SizeIs(26));
  EXPECT_FALSE(bob.IsValid(BasketsNodes({"Nutrient", "Jacket", "Pants", "Footwear"})));
  EXPECT_THAT(bob.Threats(BasketsNodes({"Nutrient", "Jacket", "Pants", "Footwear"})),
              ElementsAre(Itemset({}, {"Jacket"}), Itemset({"Entity"}, {"Jacket"}),
                          Itemset({"Nutrient"}, {"Jacket"})));
  const std::optional<LiteralSetCut> best = bob.Best();
  EXPECT_EQ(best->cut, BasketsNodes({"Nutrient", "Outwear", "Footwear"}));
  // 10 occurrences below Nutrient, 6 below Outwear, 3 below Footwear.
  EXPECT_EQ(best->ncp, LiteralFraction(61, 171));
  EXPECT_EQ(bob.Lm(best->cut), LiteralFraction(10 * 3 + 6 * 1 + 3 * 2, 8 * 19));
  EXPECT_EQ(bob.Ncp({0}), 1);
  EXPECT_EQ(bob.Lm({0}), 1);
  EXPECT_EQ(bob.Ncp(bob.Leaves()), 0);
  EXPECT_THAT(bob.ValidCuts(), SizeIs(3));
  // Without absence.
  EXPECT_EQ(BobWithoutAbsent().Best()->cut,
            BasketsNodes({"Nutrient", "Jacket", "Pants", "Footwear"}));
  EXPECT_EQ(BobWithoutAbsent().Best()->ncp, LiteralFraction(49, 171));
  // The rounds of mOG end there, too.
  EXPECT_THAT(bob.Rounds(), ElementsAre(best->cut));
}

// The text says 12.
TEST(ThesisSets, Section424TenCutsContainLiquor) {
  int64_t containing = 0;
  for (const LiteralNodes& cut : LiteralSetCuts(BasketsSets().taxonomy)) {
    containing += cut.contains(BasketsNode("Liquor")) ? 1 : 0;
  }
  EXPECT_EQ(containing, 10);
}

TEST(ThesisSets, Example49TheInverseItemsetEnumerationTree) {
  const LiteralSets literal = BobWithoutAbsent();
  std::vector<std::string> order;
  for (const int node : Preorder(literal.sets().taxonomy)) {
    order.push_back(BasketsItems()[static_cast<size_t>(node)]);
  }
  EXPECT_EQ(order, BasketsItems());
  const std::vector<LiteralItemset> visited = LiteralItemsetTree(literal, {}).visited();
  ASSERT_GT(visited.size(), 8U);
  EXPECT_THAT(std::vector<LiteralItemset>(visited.begin(), visited.begin() + 8),
              ElementsAre(Itemset({"Entity"}), Itemset({"Nutrient"}), Itemset({"Liquor"}),
                          Itemset({"Beer"}), Itemset({"Wine"}), Itemset({"Beer", "Wine"}),
                          Itemset({"Dairy"}), Itemset({"Liquor", "Dairy"})));
  const LiteralNodes leaves = literal.Leaves();
  EXPECT_EQ(literal.Support(Itemset({"Liquor"}), leaves), 3);
  EXPECT_EQ(literal.Confidence(Itemset({"Liquor"}), kAdultToy, leaves), LiteralFraction(2, 3));
}

TEST(ThesisSets, Examples410To412WhatThePruningsLeaveOut) {
  const LiteralSets literal = BobWithoutAbsent();
  const LiteralNodes leaves = literal.Leaves();
  const auto visits = [&](const LiteralPrunings& prunings, const LiteralItemset& itemset) {
    const std::vector<LiteralItemset> visited = LiteralItemsetTree(literal, prunings).visited();
    return std::count(visited.begin(), visited.end(), itemset) > 0;
  };
  // Liquor is the first threat.
  for (const char* name : {"Entity", "Nutrient"}) {
    EXPECT_FALSE(literal.Threats(leaves).contains(Itemset({name})));
  }
  // Pruning I: a node with Liquor, Beer or Wine prunes itself and what is below it, and (Liquor, Dairy) those with Beer and
  // Wine beside it.
  EXPECT_TRUE(visits({.global = true}, Itemset({"Beer"})));
  EXPECT_FALSE(visits({.global = true}, Itemset({"Beer", "Wine"})));
  EXPECT_TRUE(visits({.global = true}, Itemset({"Liquor", "Dairy"})));
  EXPECT_FALSE(visits({.global = true}, Itemset({"Beer", "Dairy"})));
  EXPECT_TRUE(visits({}, Itemset({"Beer", "Dairy"})));
  const LiteralItemsetTree global(literal, {.global = true});
  for (const LiteralNodes& threat : global.threats()) {
    EXPECT_FALSE(threat.contains(BasketsNode("Beer")) || threat.contains(BasketsNode("Wine")));
  }
  // Pruning II: only the siblings (Beer, 2) and (Wine, 2).
  EXPECT_EQ(literal.Support(Itemset({"Beer"}), leaves), 2);
  EXPECT_EQ(literal.Support(Itemset({"Wine"}), leaves), 2);
  EXPECT_FALSE(visits({.local = true}, Itemset({"Beer"})));
  EXPECT_FALSE(visits({.local = true}, Itemset({"Wine"})));
  EXPECT_FALSE(visits({.local = true}, Itemset({"Beer", "Wine"})));
  EXPECT_TRUE(visits({.local = true}, Itemset({"Liquor", "Clothing"})));
  // Pruning III: (Clothing, 4), (Nutrient, 4).
  EXPECT_EQ(literal.Support(Itemset({"Clothing"}), leaves), 4);
  EXPECT_EQ(literal.Support(Itemset({"Clothing", "Nutrient"}), leaves), 4);
  const LiteralSets three(BasketsSets(), LiteralPrivacy::Kl(2, 2, 3, 0));
  const auto below = [&](const LiteralPrunings& prunings) {
    return LiteralItemsetTree(three, prunings).visited().size();
  };
  EXPECT_LT(below({.generic = true}), below({}));
}

TEST(ThesisSets, Examples413And415NutrientIsLocked) {
  const LiteralSets literal = BobWithoutAbsent();
  EXPECT_TRUE(literal.MostGeneralThreats().contains(BasketsNodes({"Liquor"})));
  EXPECT_TRUE(literal.PermanentlyLocked().contains(BasketsNode("Nutrient")));
  const LiteralItemsetTree tree(literal, {true, true, true, true});
  EXPECT_THAT(BasketsNames(tree.locked()), ElementsAre("Footwear", "Nutrient"));
  EXPECT_THAT(tree.threats(), SizeIs(0)) << "all are below locked items";
  EXPECT_THAT(BasketsNames(tree.InitialCut()),
              ElementsAre("Footwear", "Jacket", "Nutrient", "Pants"));
  // With absence, {Jacket-} locks Outwear.
  const LiteralSets bob = Bob();
  const LiteralItemsetTree with_absence(bob, {true, true, true, true});
  EXPECT_THAT(BasketsNames(with_absence.locked()), ElementsAre("Footwear", "Nutrient", "Outwear"));
  EXPECT_THAT(BasketsNames(with_absence.InitialCut()),
              ElementsAre("Footwear", "Nutrient", "Outwear"));
}

TEST(ThesisSets, Example414ACutHasOneParentInTheCutTree) {
  const std::vector<LiteralCutNode> tree = LiteralCutTree({BasketsSets().taxonomy});
  EXPECT_THAT(tree, SizeIs(26));
  const auto place = [&](const Names& names) {
    for (size_t i = 0; i < tree.size(); ++i) {
      if (tree[i].cut[0] == BasketsNodes(names)) return i;
    }
    return tree.size();
  };
  const size_t child = place({"Liquor", "Dairy", "Outwear", "Footwear"});
  const size_t parent = place({"Liquor", "Dairy", "Clothing"});
  const size_t other = place({"Nutrient", "Outwear", "Footwear"});
  EXPECT_TRUE(parent < child && child < tree[parent].end);
  EXPECT_FALSE(other < child && child < tree[other].end);
  const auto is_open = [&](size_t node, const char* name) {
    const auto& open = tree[node].open;
    return std::count(open.begin(), open.end(), std::pair(size_t{0}, BasketsNode(name))) > 0;
  };
  EXPECT_TRUE(is_open(parent, "Clothing"));
  EXPECT_FALSE(is_open(other, "Nutrient"));
}

TEST(ThesisSets, Example416OnlyThreatsWithJacketOrPantsAreNew) {
  const LiteralSets bob = Bob();
  ASSERT_TRUE(bob.IsValid(BasketsNodes({"Nutrient", "Outwear", "Footwear"})));
  const LiteralNodes cut = BasketsNodes({"Nutrient", "Jacket", "Pants", "Footwear"});
  int64_t compared = 0;
  for (const LiteralNodes& threat : bob.MostGeneralThreats()) {
    if (!IsGeneralization(bob.sets().taxonomy, threat, cut)) continue;
    ++compared;
    EXPECT_TRUE(threat.contains(BasketsNode("Jacket")) || threat.contains(BasketsNode("Pants")));
  }
  EXPECT_EQ(compared, 1) << "{Jacket}";
}

// Root(G(a, b, c), d), and one sensitive item.
LiteralSetData Group(const std::vector<std::string>& records) {
  LiteralSetData sets;
  sets.taxonomy.parents = {-1, 0, 1, 1, 1, 0};
  const std::map<char, int> leaves = {{'a', 2}, {'b', 3}, {'c', 4}, {'d', 5}};
  for (const std::string& record : records) {
    sets.items.emplace_back();
    sets.sensitive.emplace_back();
    for (const char name : record) {
      if (name == 's') {
        sets.sensitive.back().insert(0);
      } else {
        sets.items.back().insert(leaves.at(name));
      }
    }
  }
  return sets;
}

TEST(ThesisSets, AnItemsetAboveTheCutCanBeTheOnlyThreat) {
  const LiteralSetData sets = Group({"as", "bs", "ab", "d"});
  const LiteralPrivacy privacy = LiteralPrivacy::Kl(1, 2, 1, 0);
  const LiteralSets literal(sets, privacy);
  EXPECT_THAT(literal.Threats(literal.Leaves()), ElementsAre(LiteralItemset{{1}, {}}));
  // Coherence does not see it.
  EXPECT_THAT(CombinationThreats(sets.items, sets.sensitive, privacy), SizeIs(0));
}

TEST(ThesisSets, SomeOfAGroupButNotThisOneCanBeTheOnlyThreat) {
  const LiteralSets literal(Group({"bs", "cs", "bc", "a", "a", "d", "ab", "ac"}),
                            LiteralPrivacy::Kl(1, 2, 1, 1));
  EXPECT_THAT(literal.Threats(literal.Leaves()), ElementsAre(LiteralItemset{{1}, {2}}));
  EXPECT_THAT(literal.MostGeneralThreats(), ElementsAre(LiteralNodes{2}));
  EXPECT_THAT(literal.Best()->cut, ElementsAre(1, 5));
}

TEST(ThesisSets, APowerOfNIsSpentByLeaves) {
  // Only the record d lacks G, which has three leaves.
  const LiteralSetData sets = Group({"ad", "ab", "ac", "bc", "abc", "abcd", "d"});
  const LiteralNodes cut = {1, 5};
  const auto knows = [&](int n) {
    return LiteralSets(sets, LiteralPrivacy::Kl(2, 1, 1, n)).Threats(cut);
  };
  EXPECT_THAT(knows(2), SizeIs(0));
  EXPECT_THAT(knows(3), ElementsAre(LiteralItemset{{}, {1}}, LiteralItemset{{0}, {1}},
                                    LiteralItemset{{5}, {1}}));
}

TEST(ThesisSets, TheEmptyItemsetIsNoThreat) {
  const LiteralSets empty(Group({}), LiteralPrivacy::Kl(5, 2, 2, 2));
  EXPECT_TRUE(empty.IsValid(empty.Leaves()));
  // All that is sensitive is in empty records, and nobody knows what is not in them.
  const LiteralSets sensitive(Group({"s", "s"}), LiteralPrivacy::Kl(3, 2, 2, 0));
  EXPECT_TRUE(sensitive.IsValid(sensitive.Leaves()));
  // The root is known to be absent with four leaves.
  const LiteralSets absent(Group({"s", "s"}), LiteralPrivacy::Kl(3, 2, 2, 4));
  EXPECT_FALSE(absent.IsValid({0}));
  EXPECT_EQ(absent.Best(), std::nullopt);
  // Every record has an item: {Root+} is what all records share, and Pruning III must not drop it.
  const LiteralSets all(Group({"as", "bs", "c"}), LiteralPrivacy::Kl(1, 2, 1, 0));
  EXPECT_FALSE(all.IsValid({0}));
  EXPECT_FALSE(LiteralItemsetTree(all, {.generic = true}).Allows({0}));
}

// A local generalization of the five baskets to classes {t1, t2, t5} and {t3, t4}.
std::vector<LiteralNodes> LocallyGeneralized() {
  const LiteralNodes all = BasketsNodes({"Entity"});
  const LiteralNodes pair = BasketsNodes({"Dairy", "Jacket", "Footwear"});
  return {all, all, pair, pair, all};
}

TEST(ThesisSets, LgPublishesEachRecordLikeAnother) {
  const LiteralSetData sets = BasketsSets();
  std::vector<LiteralNodes> published = LocallyGeneralized();
  EXPECT_TRUE(IsLocalGeneralization(sets, published));
  EXPECT_EQ(SmallestClass(published), 2U);
  EXPECT_EQ(LargestShare(published, sets.sensitive), LiteralFraction(2, 3));
  // 11 occurrences become Entity, 3 Dairy (2/9), 3 Footwear (3/9).
  EXPECT_EQ(MeanLoss(sets, published), LiteralFraction(11 * 9 + 3 * 2 + 3 * 3, 171));
  EXPECT_EQ(SmallestClass(GeneralizeSets(sets, CutOfTable42())), 1U);
  // What is wrong is seen.
  published[0] = BasketsNodes({"Nutrient", "Clothing"});
  EXPECT_FALSE(IsLocalGeneralization(sets, published)) << "t1 has no Clothing";
  published[0] = BasketsNodes({"Liquor"});
  EXPECT_FALSE(IsLocalGeneralization(sets, published)) << "Milk is dropped";
  published[0] = BasketsNodes({"Nutrient", "Wine"});
  EXPECT_FALSE(IsLocalGeneralization(sets, published)) << "Wine is there twice";
}

TEST(ThesisSets, PatternsAndTheirErrorByHand) {
  const LiteralSetData sets = BasketsSets();
  const LiteralFraction share(2, 5);
  const LiteralPatterns original =
      FrequentPatterns(sets.taxonomy, sets.items, sets.sensitive, share);
  EXPECT_EQ(original.at({BasketsNodes({"Jacket"}), {}}), 4);
  EXPECT_EQ(original.at({BasketsNodes({"Liquor", "Pants"}), {}}), 2);
  EXPECT_EQ(original.at({BasketsNodes({"Liquor"}), {kAdultToy}}), 2);
  EXPECT_FALSE(original.contains({BasketsNodes({"Geta"}), {}})) << "t4 alone";
  EXPECT_FALSE(original.contains({BasketsNodes({"Liquor", "Beer"}), {}})) << "one above the other";
  const LiteralPatterns local =
      FrequentPatterns(sets.taxonomy, LocallyGeneralized(), sets.sensitive, share);
  // Entity; what t3 and t4 share: 3 choices of Nutrient times 7 of Clothing, less none of both; AdultToy and Viagra alone
  // and with Entity.
  EXPECT_THAT(local, SizeIs(1 + 20 + 4));
  EXPECT_EQ(local.at({BasketsNodes({"Jacket"}), {}}), 2) << "that of t2 and t5 is an Entity";
  // What t3 and t4 share: 9 patterns with Footwear are exact. Nutrient has 2 instead of 5; Dairy, Clothing, Outwear and Jacket
  // 2 instead of 4, each of the last three also with Nutrient, and with Dairy 2 instead of 3. The other five are exact.
  EXPECT_EQ(PatternError(original, local), LiteralFraction(20, 73));
  // A cut keeps what it keeps exactly.
  const LiteralPatterns cut =
      FrequentPatterns(sets.taxonomy, GeneralizeSets(sets, CutOfTable42()), sets.sensitive, share);
  EXPECT_EQ(PatternError(original, cut), LiteralFraction(0));
  EXPECT_FALSE(cut.contains({BasketsNodes({"Beer"}), {}}));
  EXPECT_EQ(PatternError(original, {}), std::nullopt);
}

TEST(ThesisSets, MmSuppressesLeavesFromAllRecords) {
  // {a, b} is in one record only: a, of two occurrences, goes.
  const LiteralSetData sets = Group({"ab", "ac", "bd", "c", "bd", "b"});
  const LiteralPrivacy privacy = LiteralPrivacy::Kl(2, 1, 2, 0);
  EXPECT_THAT(CombinationThreats(sets.items, sets.sensitive, privacy),
              ElementsAre(LiteralNodes{2, 3}, LiteralNodes{2, 4}));
  EXPECT_THAT(CombinationThreats(SuppressLeaves(sets, {2}), sets.sensitive, privacy), SizeIs(0));
  EXPECT_EQ(MeanLoss(sets, SuppressLeaves(sets, {2})), LiteralFraction(2, 10));
  EXPECT_EQ(LeastSuppression(sets, privacy), LiteralFraction(2, 10));
}

// Section 4.2.1: "if we thwart attacks based on X, we definitely prevent attacks based on any knowledge-expression" is so for k
// (below), but for l only where disjunctions are groups of the taxonomy: against Observation 4.2 "a or b" is no itemset here.
TEST(ThesisSets, ADisjunctionThatIsNoGroupCanTellMoreThanOneInL) {
  const LiteralSets literal(Group({"as", "bs", "ab", "c", "d"}), LiteralPrivacy::Kl(1, 2, 1, 0));
  EXPECT_TRUE(literal.IsValid(literal.Leaves()));
  EXPECT_THAT(literal.Matching(LiteralKnowledge{{{2, 3}}, {}}, literal.Leaves()),
              ElementsAre(0, 1, 2))
      << "of which two are sensitive";
}

}  // namespace
}  // namespace thicket::thesis_examples_test
