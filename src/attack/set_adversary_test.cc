#include "attack/set_adversary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "testing/baskets_sets.h"
#include "testing/literal_set_taxonomy.h"
#include "testing/random_sets.h"

namespace thicket::set_adversary_test {
namespace {

using testing::LiteralKnowledge;
using testing::LiteralNodes;
using testing::LiteralPrivacy;
using testing::LiteralSetData;
using testing::LiteralSets;
using testing::LiteralTaxonomyNodes;

struct Sets {
  LiteralSetData data;
  LiteralNodes cut;
  std::vector<LiteralNodes> published;
  LiteralTaxonomyNodes nodes;
  SetPair pair;

  Sets(LiteralSetData sets, LiteralNodes one_cut)
      : data(std::move(sets)),
        cut(std::move(one_cut)),
        published(GeneralizeSets(data, cut)),
        nodes(data.taxonomy) {
    pair.taxonomy = &nodes.taxonomy();
    for (size_t record = 0; record < data.size(); ++record) {
      const std::vector<uint32_t> secrets(data.sensitive[record].begin(),
                                          data.sensitive[record].end());
      pair.original.Add(nodes.NodesOf(data.items[record]), secrets);
      pair.published.Add(nodes.NodesOf(published[record]), secrets);
    }
    for (Node node = 0; node < nodes.taxonomy().node_count(); ++node) {
      pair.leaves.push_back(nodes.taxonomy().leaves(node));
    }
  }
  Sets(const Sets&) = delete;

  LiteralKnowledge ToLiteral(const SetKnowledge& knowledge, size_t victim) const {
    LiteralKnowledge literal;
    for (const Node node : knowledge.present) {
      literal.disjunctions.push_back({nodes.LiteralOf(node)});
    }
    for (const Node node : knowledge.absent) literal.absent.insert(nodes.LiteralOf(node));
    if (!knowledge.all_absent) return literal;
    for (const int leaf : testing::LeavesBelow(data.taxonomy, 0)) {
      if (!data.items[victim].contains(leaf)) literal.absent.insert(leaf);
    }
    return literal;
  }

  // From Definition 4.3 and Example 4.5: every original that a record may come from is tried.
  SetCandidates BruteForce(const LiteralKnowledge& knowledge, bool is_published) const {
    SetCandidates found;
    std::map<int, uint64_t> with;
    for (size_t record = 0; record < data.size(); ++record) {
      const bool may_be = is_published
                              ? MaySatisfy(data.taxonomy, cut, published[record], knowledge)
                              : Satisfies(data.taxonomy, data.items[record], knowledge);
      if (!may_be) continue;
      ++found.records;
      for (const int item : data.sensitive[record]) ++with[item];
    }
    for (const auto& [item, count] : with) {
      found.certainty = std::max(found.certainty,
                                 static_cast<double>(count) / static_cast<double>(found.records));
    }
    return found;
  }
};

LiteralNodes DrawCut(const LiteralSetData& data, Random& random) {
  const auto cuts = testing::LiteralSetCuts(data.taxonomy);
  return cuts[random.Below(cuts.size())];
}

SetAttackOptions DrawOptions(Random& random, uint64_t seed) {
  SetAttackOptions options{.seed = seed};
  if (random.Below(4) > 0) options.present = static_cast<uint32_t>(random.Below(4));
  if (random.Below(4) > 0) options.absent = static_cast<uint32_t>(random.Below(5));
  return options;
}

TEST(SetAdversaryTest, KnowsNoMoreThanIsAllowedAndOnlyTheTruth) {
  size_t groups = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random = Random::Seeded(seed);
    LiteralSetData data = testing::RandomLiteralSets(random);
    const LiteralNodes cut = DrawCut(data, random);
    const Sets sets(std::move(data), cut);
    const SetAttackOptions options = DrawOptions(random, seed);
    for (size_t victim = 0; victim < sets.data.size(); ++victim) {
      const SetKnowledge knowledge = DrawSetKnowledge(sets.pair, options, victim);
      if (options.present) {
        EXPECT_LE(knowledge.present.size(), *options.present);
      }
      if (options.absent) {
        EXPECT_LE(knowledge.absent.size(), *options.absent);
      }
      groups += knowledge.absent.size() > 1 ? 1 : 0;
      EXPECT_TRUE(Satisfies(sets.data.taxonomy, sets.data.items[victim],
                            sets.ToLiteral(knowledge, victim)));
    }
  }
  EXPECT_GT(groups, 100U);
}

TEST(SetAdversaryTest, CandidatesAreThoseOfTheDefinition) {
  size_t narrowed = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random = Random::Seeded(seed);
    LiteralSetData data = testing::RandomLiteralSets(random);
    const LiteralNodes cut = DrawCut(data, random);
    const Sets sets(std::move(data), cut);
    const SetAttackOptions options = DrawOptions(random, seed);
    for (size_t victim = 0; victim < sets.data.size(); ++victim) {
      const SetKnowledge knowledge = DrawSetKnowledge(sets.pair, options, victim);
      const LiteralKnowledge literal = sets.ToLiteral(knowledge, victim);
      for (const bool is_published : {false, true}) {
        const SetCandidates found = FindSetCandidates(
            sets.pair, is_published ? sets.pair.published : sets.pair.original, knowledge, victim);
        const SetCandidates expected = sets.BruteForce(literal, is_published);
        EXPECT_EQ(found.records, expected.records);
        EXPECT_DOUBLE_EQ(found.certainty, expected.certainty);
        narrowed += found.records < sets.data.size() ? 1 : 0;
      }
    }
  }
  EXPECT_GT(narrowed, 500U);
}

// Against a cut that keeps the promise nobody is found, whatever is drawn within it.
TEST(SetAdversaryTest, KlPrivacyBoundsTheAttack) {
  size_t played = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random = Random::Seeded(seed);
    LiteralSetData data = testing::RandomLiteralSets(random, {.most_records = 14});
    const LiteralSets literal(data, testing::RandomLiteralPrivacy(random, 3, 3));
    const auto best = literal.Best();
    if (!best || data.size() == 0) continue;
    const LiteralPrivacy& privacy = literal.privacy();
    const Sets sets(std::move(data), best->cut);
    Progress progress;
    const SetAttackReport report = AttackSets(sets.pair,
                                              {.present = static_cast<uint32_t>(privacy.m),
                                               .absent = static_cast<uint32_t>(privacy.n),
                                               .seed = seed},
                                              progress);
    EXPECT_EQ(report.published.victims, sets.data.size());
    EXPECT_EQ(report.published.misled, 0U);
    const bool knows_nothing = static_cast<int64_t>(sets.data.size()) < privacy.k;
    if (knows_nothing) continue;
    ++played;
    EXPECT_LE(report.published.worst_probability, 1.0 / static_cast<double>(privacy.k) + 1e-12);
  }
  EXPECT_GT(played, 100U);
}

// Example 4.1: Wine and Yogurt are Alice's, Beer without Wine is Darth.
TEST(SetAdversaryTest, FindsAliceAndDarthInTheOriginal) {
  const Sets sets(testing::BasketsSets(),
                  testing::BasketsNodes({"Liquor", "Dairy", "Jacket", "Pants", "Footwear"}));
  const auto node = [&](const char* name) { return sets.nodes.NodeOf(testing::BasketsNode(name)); };
  SetKnowledge alice{{node("Wine"), node("Yogurt")}, {}, false};
  std::sort(alice.present.begin(), alice.present.end());
  const SetKnowledge darth{{node("Beer")}, {node("Wine")}, false};
  EXPECT_EQ(FindSetCandidates(sets.pair, sets.pair.original, alice, 0).records, 1U);
  EXPECT_EQ(FindSetCandidates(sets.pair, sets.pair.original, darth, 1).records, 1U);
  EXPECT_EQ(FindSetCandidates(sets.pair, sets.pair.published, alice, 0).records, 2U);
  EXPECT_EQ(FindSetCandidates(sets.pair, sets.pair.published, darth, 1).records, 3U);
}

}  // namespace
}  // namespace thicket::set_adversary_test
