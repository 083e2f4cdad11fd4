// What Chapter 4 of Liu 2010 claims, on random small sets: the claims and tests/testing/literal_sets.h check each other.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "testing/literal_itemset_tree.h"
#include "testing/literal_set_patterns.h"
#include "testing/literal_set_rivals.h"
#include "testing/literal_sets.h"
#include "testing/literal_table_bounds.h"
#include "testing/random_sets.h"

namespace thicket::thesis_claims_property_test {
namespace {

using testing::AtOrAbove;
using testing::CombinationThreats;
using testing::FrequentPatterns;
using testing::GeneralizeKnowledge;
using testing::GeneralizeSets;
using testing::IsGeneralization;
using testing::KnowledgeOf;
using testing::LargestShare;
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
using testing::MostGeneral;
using testing::NcpOf;
using testing::PowerOf;
using testing::RandomLiteralPrivacy;
using testing::RandomLiteralSets;
using testing::Satisfies;
using testing::SmallestClass;

// All that can be known, by hand: each node +, - or not, without any order or pruning.
std::set<LiteralItemset> AllThreats(const LiteralSets& literal, const LiteralNodes& cut,
                                    bool with_nodes_above) {
  const LiteralTaxonomy& taxonomy = literal.sets().taxonomy;
  std::vector<LiteralItemset> itemsets = {{}};
  for (int node = 0; node < static_cast<int>(taxonomy.parents.size()); ++node) {
    if (!IsGeneralization(taxonomy, {node}, cut)) continue;
    const size_t before = itemsets.size();
    for (size_t i = 0; i < before; ++i) {
      LiteralItemset there = itemsets[i];
      LiteralItemset absent = itemsets[i];
      const bool is_below_there = !AtOrAbove(taxonomy, there.there, node).empty();
      const bool is_below_absent = !AtOrAbove(taxonomy, there.absent, node).empty();
      there.there.insert(node);
      absent.absent.insert(node);
      if (with_nodes_above || !is_below_there) itemsets.push_back(there);
      if (with_nodes_above || !is_below_absent) itemsets.push_back(absent);
    }
  }
  std::set<LiteralItemset> threats;
  for (const LiteralItemset& itemset : itemsets) {
    const auto [m, n] = PowerOf(taxonomy, KnowledgeOf(itemset));
    if (m > literal.privacy().m || n > literal.privacy().n || m + n == 0) continue;
    const int64_t support = literal.Support(itemset, cut);
    if (support == 0) continue;
    bool is_threat = support < literal.privacy().k;
    for (int item = 0; item < 4; ++item) {
      is_threat |= literal.Confidence(itemset, item, cut) > literal.privacy().most_share;
    }
    if (is_threat) threats.insert(itemset);
  }
  return threats;
}

RC_GTEST_PROP(ThesisSetsClaims, ThreatsAreThoseOfAllItemsets, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralSetData sets =
      RandomLiteralSets(random, {.most_records = 5, .most_cuts = 6, .most_leaves = 4});
  if (sets.taxonomy.parents.size() > 6) return;
  const LiteralSets literal(sets, RandomLiteralPrivacy(random, 2, 3));
  const std::vector<LiteralNodes> cuts = LiteralSetCuts(sets.taxonomy);
  const LiteralNodes& cut = cuts[random.Below(cuts.size())];
  RC_ASSERT(literal.Threats(cut) == AllThreats(literal, cut, false));
  // Those with a node above another of its kind change nothing.
  RC_ASSERT(literal.IsValid(cut) == AllThreats(literal, cut, true).empty());
}

// Section 4.3: threats are materialized once, undecorated, the most general ones, whatever is pruned, also with n > 0.
RC_GTEST_PROP(ThesisSetsClaims, MaterializedThreatsTellWhichCutsAreValid, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralSetData sets =
      RandomLiteralSets(random, {.most_records = 8, .most_cuts = 20, .most_leaves = 6});
  const LiteralSets literal(sets, RandomLiteralPrivacy(random, 3, 3));
  const std::vector<LiteralNodes> cuts = LiteralSetCuts(sets.taxonomy);
  std::vector<bool> is_valid;
  for (const LiteralNodes& cut : cuts) is_valid.push_back(literal.IsValid(cut));
  const std::set<LiteralNodes> most_general = literal.MostGeneralThreats();
  const LiteralNodes locked = literal.PermanentlyLocked();
  // Baseline pruning alone: all that is supported, and all threats.
  const LiteralItemsetTree whole(literal, {});
  size_t all = 0;
  literal.EachSupported(literal.Leaves(), [&](const LiteralItemset&, LiteralSets::Records) {
    ++all;
    return true;
  });
  RC_ASSERT(whole.visited().size() == all);
  RC_ASSERT(whole.materialized() == literal.Threats(literal.Leaves()).size());
  for (unsigned choice = 0; choice < 16; ++choice) {
    const LiteralPrunings prunings{(choice & 1) != 0, (choice & 2) != 0, (choice & 4) != 0,
                                   (choice & 8) != 0};
    const LiteralItemsetTree tree(literal, prunings);
    RC_ASSERT(tree.visited().size() <= all);
    for (size_t i = 0; i < cuts.size(); ++i) RC_ASSERT(tree.Allows(cuts[i]) == is_valid[i]);
    for (const int node : tree.locked()) RC_ASSERT(locked.contains(node));
    if (prunings.locked) continue;
    // Each is found before what it generalizes (Theorem 4.1), unless x+ stands above y-: where 2 is the parent of 3, {1+, 3-}
    // comes before {2+, 3-}, which is {3}.
    RC_ASSERT(MostGeneral(sets.taxonomy, tree.threats()) == most_general);
    if (!prunings.global || literal.privacy().n > 0) continue;
    RC_ASSERT(tree.threats() == most_general);
    RC_ASSERT(tree.materialized() == most_general.size());
  }
  // "The specialization of an invalid cut is also invalid."
  for (size_t i = 0; i < cuts.size(); ++i) {
    for (size_t j = 0; j < cuts.size(); ++j) {
      if (is_valid[j] && IsGeneralization(sets.taxonomy, cuts[i], cuts[j])) RC_ASSERT(is_valid[i]);
    }
  }
}

RC_GTEST_PROP(ThesisSetsClaims, Theorem41AGeneralItemsetIsEnumeratedFirst, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralSetData sets = RandomLiteralSets(random, {.most_records = 4, .most_leaves = 6});
  const LiteralSets literal(sets, LiteralPrivacy::Kl(1, 1, 3, 0));
  const std::vector<LiteralItemset> visited = LiteralItemsetTree(literal, {}).visited();
  for (size_t i = 0; i < std::min<size_t>(visited.size(), 60); ++i) {
    for (size_t j = 0; j < i; ++j) {
      RC_ASSERT(!IsGeneralization(sets.taxonomy, visited[i].there, visited[j].there));
    }
  }
}

// The introduction of Chapter 4.
RC_GTEST_PROP(ThesisSetsClaims, TheSpecialCases, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralSetData sets =
      RandomLiteralSets(random, {.most_records = 8, .most_cuts = 8, .most_leaves = 5});
  LiteralPrivacy privacy = RandomLiteralPrivacy(random, 3, 0);
  privacy.m = std::max(1, privacy.m);
  const int all = sets.taxonomy.Leaves(0);
  const auto is_valid = [&](LiteralPrivacy with, const LiteralNodes& cut) {
    return LiteralSets(sets, with).IsValid(cut);
  };
  for (const LiteralNodes& cut : LiteralSetCuts(sets.taxonomy)) {
    const std::vector<LiteralNodes> published = GeneralizeSets(sets, cut);
    const LiteralPrivacy k_alone{privacy.k, 1, privacy.m, 0};
    const bool is_km_anonymous = CombinationThreats(published, sets.sensitive, k_alone).empty();
    RC_ASSERT(is_valid(k_alone, cut) == is_km_anonymous);
    // Coherence is less than KL(m, 0): groups above the cut.
    const bool is_coherent = CombinationThreats(published, sets.sensitive, privacy).empty();
    RC_ASSERT(is_coherent || !is_valid({privacy.k, privacy.most_share, privacy.m, 0}, cut));
    const bool is_alike =
        published.empty() || static_cast<int64_t>(SmallestClass(published)) >= privacy.k;
    const bool is_degree = LargestShare(published, sets.sensitive) <= privacy.most_share;
    RC_ASSERT(is_valid({privacy.k, 1, all, all}, cut) == is_alike);
    RC_ASSERT(is_valid({1, privacy.most_share, all, all}, cut) == is_degree);
    // m + n = |I_N|, for each m: what is there and what is not are at most all items.
    bool is_valid_for_each = true;
    for (int m = 0; m <= all; ++m) {
      is_valid_for_each &= is_valid({privacy.k, privacy.most_share, m, all - m}, cut);
    }
    RC_ASSERT(is_valid_for_each == (is_alike && is_degree));
  }
}

// Observation 4.1 and Example 4.5, for conjunctions: the generalized knowledge finds those that may satisfy it, all others not.
RC_GTEST_PROP(ThesisSetsClaims, GeneralizedKnowledgeFindsWhoMaySatisfyIt, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralSetData sets =
      RandomLiteralSets(random, {.most_records = 5, .most_cuts = 20, .most_leaves = 5});
  const LiteralTaxonomy& taxonomy = sets.taxonomy;
  LiteralKnowledge knowledge;
  for (const int leaf : LeavesBelow(taxonomy, 0)) {
    const uint64_t choice = random.Below(4);
    if (choice == 0) knowledge.disjunctions.push_back({leaf});
    if (choice == 1) knowledge.absent.insert(leaf);
  }
  for (const LiteralNodes& cut : LiteralSetCuts(taxonomy)) {
    const LiteralKnowledge general = GeneralizeKnowledge(taxonomy, knowledge, cut);
    RC_ASSERT(PowerOf(taxonomy, general) <= PowerOf(taxonomy, knowledge));
    for (const LiteralNodes& record : GeneralizeSets(sets, cut)) {
      RC_ASSERT(MaySatisfy(taxonomy, cut, record, knowledge) ==
                Satisfies(taxonomy, record, general));
    }
  }
}

RC_GTEST_PROP(ThesisSetsClaims, WhatIsKnownOfLeavesFindsNobodyOrK, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralSetData sets =
      RandomLiteralSets(random, {.most_records = 8, .most_cuts = 12, .most_leaves = 6});
  LiteralPrivacy privacy = RandomLiteralPrivacy(random, 2, 2);
  privacy.most_share = 1;
  const LiteralSets literal(sets, privacy);
  const LiteralNodes leaves = literal.Leaves();
  const std::vector<int> list(leaves.begin(), leaves.end());
  for (const LiteralSetCut& cut : literal.ValidCuts()) {
    for (int tries = 0; tries < 20; ++tries) {
      LiteralKnowledge knowledge;
      for (int i = 0; i < privacy.m; ++i) {
        knowledge.disjunctions.push_back(
            {list[random.Below(list.size())], list[random.Below(list.size())]});
      }
      for (int i = 0; i < privacy.n; ++i) knowledge.absent.insert(list[random.Below(list.size())]);
      const LiteralKnowledge general = GeneralizeKnowledge(sets.taxonomy, knowledge, cut.cut);
      if (general == LiteralKnowledge{}) continue;
      const auto found = static_cast<int64_t>(literal.Matching(general, cut.cut).size());
      RC_ASSERT(found == 0 || found >= privacy.k);
    }
  }
}

// Root(1(p, 5(s)), 3(q, r)), where 5 has one leaf only. Round (2, 0) may mend {p, q} and {p, r} by 3, which costs 9/28, or by 1,
// which costs 5/28; round (2, 1) finds that one record alone lacks r, and has to take 3 as well.
TEST(ThesisSetsClaims, TheRoundsOfMogCanEndAboveTheOptimum) {
  const int p = 2;
  const int q = 4;
  const int r = 6;
  const int s = 7;
  LiteralSetData sets;
  sets.taxonomy.parents = {-1, 0, 1, 0, 3, 1, 3, 5};
  sets.items = {{q, r, s}, {p, r}, {p, q}, {q, r, s}, {r}, {q, r, s}};
  sets.sensitive.resize(sets.size());
  const auto with_n = [&](int n) { return LiteralSets(sets, LiteralPrivacy::Kl(2, 1, 2, n)); };
  EXPECT_EQ(with_n(0).Rounds(), std::set<LiteralNodes>({{1, q, r}}));
  EXPECT_EQ(with_n(0).Best()->ncp, LiteralFraction(5, 28));
  EXPECT_EQ(with_n(1).Rounds(), std::set<LiteralNodes>({{1, 3}}));
  EXPECT_EQ(with_n(1).Ncp({1, 3}), LiteralFraction(1, 2));
  EXPECT_EQ(with_n(1).Best()->ncp, LiteralFraction(9, 28));
}

// mOG, and LB(Cut) of Section 4.4.1.1.
RC_GTEST_PROP(ThesisSetsClaims, TheRoundsEndAtAValidCutAndTheBoundHolds, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralSetData sets =
      RandomLiteralSets(random, {.most_records = 8, .most_cuts = 12, .most_leaves = 6});
  const LiteralSets literal(sets, RandomLiteralPrivacy(random, 2, 2));
  const std::optional<LiteralSetCut> best = literal.Best();
  const std::set<LiteralNodes> ends = literal.Rounds();
  RC_ASSERT(ends.empty() == !best.has_value());
  for (const LiteralNodes& cut : ends) {
    RC_ASSERT(literal.IsValid(cut));
    RC_ASSERT(best->ncp <= literal.Ncp(cut));
  }
  const std::vector<LiteralCutNode> tree = LiteralCutTree({sets.taxonomy});
  for (size_t i = 0; i < tree.size(); ++i) {
    // Open items, as if they were leaves, cost nothing.
    const auto locked_only = [&](const LiteralTaxonomy& taxonomy, int node) {
      const std::pair<size_t, int> item(0, node);
      const auto& open = tree[i].open;
      const bool is_open = std::count(open.begin(), open.end(), item) > 0;
      return is_open ? LiteralFraction(0) : NcpOf(taxonomy, node);
    };
    const LiteralFraction bound = MeanLoss(sets, GeneralizeSets(sets, tree[i].cut[0]), locked_only);
    for (size_t below = i; below < tree[i].end; ++below) {
      RC_ASSERT(bound <= literal.Ncp(tree[below].cut[0]));
    }
  }
}

// "mOG keeps the supports of patterns accurately, i.e. the same as in the original data": any cut does.
RC_GTEST_PROP(ThesisSetsClaims, ACutKeepsSupports, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const LiteralSetData sets =
      RandomLiteralSets(random, {.most_records = 6, .most_cuts = 12, .most_leaves = 5});
  const LiteralFraction share(static_cast<int64_t>(random.Below(4)), 5);
  const LiteralPatterns original =
      FrequentPatterns(sets.taxonomy, sets.items, sets.sensitive, share);
  const std::vector<LiteralNodes> cuts = LiteralSetCuts(sets.taxonomy);
  const LiteralNodes& cut = cuts[random.Below(cuts.size())];
  LiteralPatterns kept = original;
  std::erase_if(kept, [&](const auto& pattern) {
    return !IsGeneralization(sets.taxonomy, pattern.first.nodes, cut);
  });
  RC_ASSERT(FrequentPatterns(sets.taxonomy, GeneralizeSets(sets, cut), sets.sensitive, share) ==
            kept);
}

}  // namespace
}  // namespace thicket::thesis_claims_property_test
