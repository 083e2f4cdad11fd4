// LG(bag) and LG on bags: Example 5.10 of Liu 2010, owners, and what must hold of any answer.
#include "cutting/sets/lg_bags.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "base/random.h"
#include "testing/thesis_bags.h"

namespace thicket::lg_bags_test {
namespace {

LgBagsAnswer RunLgBags(const LeafBags& bags, const Taxonomy& taxonomy, uint64_t k,
                       const LgBagsOptions& options) {
  Progress progress;
  return GeneralizeBags(bags, taxonomy, k, options, progress);
}

LeafBags ThesisLeafBags(const Taxonomy& taxonomy) {
  LeafBags bags;
  for (const std::vector<std::string>& vocabulary : testing::ThesisVocabularies()) {
    std::vector<Node> leaves;
    for (const std::string& term : vocabulary) leaves.push_back(*taxonomy.Find(term));
    bags.Add(leaves, static_cast<uint32_t>(bags.size()));
  }
  return bags;
}

// By bag: the labels that it is published as.
testing::TextBags PublishedOf(const LeafBags& bags, const Taxonomy& taxonomy,
                              const LgBagsAnswer& answer) {
  testing::TextBags published(bags.size());
  for (const LgBagClass& of : answer.classes) {
    for (const uint32_t bag : of.bags) {
      for (const LgBagClass::Label& label : of.labels) {
        published[bag].insert(published[bag].end(), label.count, taxonomy.label(label.node));
      }
    }
  }
  return published;
}

// Section 5.5.1, Example 5.10 and Figure 5.6: {t1, t4} become Goods four times, {t2, t3, t5} Edibles and Clothing
// twice.
TEST(LgBags, PublishesExample510AsTheThesisDoes) {
  const Taxonomy goods = testing::ThesisGoods();
  const LeafBags bags = ThesisLeafBags(goods);
  const LgBagsAnswer answer = RunLgBags(bags, goods, 2, {});
  ASSERT_TRUE(answer.is_feasible);
  const std::vector<std::string> four(4, "Goods");
  const std::vector<std::string> pairs = {"Edibles", "Edibles", "Clothing", "Clothing"};
  EXPECT_EQ(PublishedOf(bags, goods, answer), (testing::TextBags{four, pairs, pairs, four, pairs}));
}

// The third column of Figure 5.6.
TEST(LgBags, PublishesLabelsOnceAsSets) {
  const Taxonomy goods = testing::ThesisGoods();
  const LeafBags bags = ThesisLeafBags(goods);
  const LgBagsAnswer answer = RunLgBags(bags, goods, 2, {.as_sets = true});
  const std::vector<std::string> pair = {"Edibles", "Clothing"};
  EXPECT_EQ(PublishedOf(bags, goods, answer),
            (testing::TextBags{{"Goods"}, pair, pair, {"Goods"}, pair}));
}

// One of the three Edibles of the third and of the fifth vocabulary is left out, and stands below its label all the
// same.
TEST(LgBags, SaysWhereEveryOccurrenceStands) {
  const Taxonomy goods = testing::ThesisGoods();
  const LeafBags bags = ThesisLeafBags(goods);
  const LgBagsAnswer answer = RunLgBags(bags, goods, 2, {});
  for (const LgBagClass& of : answer.classes) {
    if (of.bags.size() != 3) continue;
    ASSERT_EQ(of.bags, (std::vector<uint32_t>{1, 2, 4}));
    ASSERT_EQ(of.labels.size(), 2);
    ASSERT_EQ(goods.label(of.labels[0].node), "Edibles");
    EXPECT_EQ(of.labels[0].places,
              (std::vector<std::vector<uint32_t>>{{0, 1}, {0, 1, 2}, {0, 1, 2}}));
    EXPECT_EQ(of.labels[1].places, (std::vector<std::vector<uint32_t>>{{2, 3}, {3, 4}, {3, 4}}));
    return;
  }
  FAIL() << "no class of three";
}

TEST(LgBags, NeedsKDifferentOwners) {
  const Taxonomy goods = testing::ThesisGoods();
  LeafBags bags = ThesisLeafBags(goods);
  bags.owners = {7, 7, 7, 7, 7};
  EXPECT_FALSE(RunLgBags(bags, goods, 2, {}).is_feasible);
  EXPECT_TRUE(RunLgBags(bags, goods, 1, {}).is_feasible);
}

struct Case {
  Taxonomy taxonomy;
  LeafBags bags;
  uint64_t k;
};

Case DrawCase(uint64_t seed) {
  Random random = Random::Seeded(seed);
  TaxonomyBuilder builder("*");
  std::vector<TaxonomyBuilder::Handle> nodes = {TaxonomyBuilder::root()};
  const size_t size = 1 + random.Below(14);
  for (size_t i = 0; i < size; ++i) {
    nodes.push_back(builder.Add(nodes[random.Below(nodes.size())], std::to_string(i)));
  }
  Case one{std::move(builder).Build(), {}, 1 + random.Below(4)};
  const size_t owners = 1 + random.Below(12);
  const size_t count = random.Below(25);
  for (size_t bag = 0; bag < count; ++bag) {
    std::vector<Node> leaves(random.Below(6));
    for (Node& leaf : leaves) {
      leaf = one.taxonomy.first_leaf() + static_cast<Node>(random.Below(one.taxonomy.leaf_count()));
    }
    one.bags.Add(leaves, static_cast<uint32_t>(random.Below(owners)));
  }
  return one;
}

// From the definitions: k owners in each class, every term below one label, counts that every member can show and one
// of them cannot exceed.
RC_GTEST_PROP(LgBags, KeepsItsPromise, (uint64_t seed)) {
  const Case one = DrawCase(seed);
  std::set<uint32_t> with_terms;
  std::set<uint32_t> without_terms;
  for (size_t bag = 0; bag < one.bags.size(); ++bag) {
    (one.bags.of(bag).empty() ? without_terms : with_terms).insert(one.bags.owners[bag]);
  }
  const LgBagsAnswer answer = RunLgBags(one.bags, one.taxonomy, one.k, {});
  RC_ASSERT(answer.is_feasible == (with_terms.empty() || with_terms.size() >= one.k));
  if (!answer.is_feasible) return;
  std::set<uint32_t> seen(answer.left_out.begin(), answer.left_out.end());
  for (const uint32_t bag : answer.left_out) RC_ASSERT(one.bags.of(bag).empty());
  RC_ASSERT(answer.left_out.empty() || without_terms.size() < one.k);
  for (const LgBagClass& of : answer.classes) {
    std::set<uint32_t> owners;
    for (const uint32_t bag : of.bags) {
      owners.insert(one.bags.owners[bag]);
      RC_ASSERT(seen.insert(bag).second);
    }
    RC_ASSERT(owners.size() >= one.k);
    for (size_t member = 0; member < of.bags.size(); ++member) {
      std::set<uint32_t> places;
      for (const LgBagClass::Label& label : of.labels) {
        RC_ASSERT(label.count >= 1);
        RC_ASSERT(label.places[member].size() >= label.count);
        for (const uint32_t place : label.places[member]) {
          RC_ASSERT(one.taxonomy.Covers(label.node, one.bags.of(of.bags[member])[place]));
          RC_ASSERT(places.insert(place).second);
        }
      }
      RC_ASSERT(places.size() == one.bags.of(of.bags[member]).size());
    }
    for (const LgBagClass::Label& label : of.labels) {
      RC_ASSERT(std::any_of(label.places.begin(), label.places.end(),
                            [&](const auto& places) { return places.size() == label.count; }));
    }
  }
  RC_ASSERT(seen.size() == one.bags.size());
}

}  // namespace
}  // namespace thicket::lg_bags_test
