#include "cutting/sets/item_sets.h"

#include <gtest/gtest.h>

#include <vector>

#include "cutting/sets/conflicts.h"
#include "cutting/sets/itemset_index.h"

namespace thicket::item_sets_test {
namespace {

// A root (0) above two groups (1, 2) of two leaves each (3, 4 and 5, 6).
SetRecords SmallRecords() {
  SetRecords records;
  records.parents = {0, 0, 0, 1, 1, 2, 2};
  records.Add({3, 4}, {});
  records.Add({4, 3, 3}, {});
  records.Add({5}, {1, 0, 1});
  records.Add({}, {});
  return records;
}

TEST(ItemSets, AreTransactionsWithCounts) {
  const ItemSets sets(SmallRecords());
  EXPECT_EQ(sets.record_count(), 4U);
  ASSERT_EQ(sets.transaction_count(), 3U);
  EXPECT_EQ(sets.transaction_of_record()[0], sets.transaction_of_record()[1]);
  EXPECT_EQ(sets.count(sets.transaction_of_record()[0]), 2U);
  EXPECT_EQ(sets.sensitive_occurrences(1), 1U);
  EXPECT_EQ(sets.all_leaves(), 4U);
  // An item twice in a record counts once.
  EXPECT_EQ(sets.all_occurrences(), 5U);
  EXPECT_EQ(sets.occurrences(1), 4U);
}

TEST(ItemSets, CostIsNcpInUnits) {
  const ItemSets sets(SmallRecords());
  const std::vector<Item> leaves = {3, 4, 5, 6};
  EXPECT_EQ(sets.SumCosts(leaves), 0U);
  const std::vector<Item> root = {0};
  EXPECT_DOUBLE_EQ(sets.Ncp(sets.SumCosts(root)), 1);
  EXPECT_DOUBLE_EQ(sets.Lm(root), 1);
  const std::vector<Item> some = {1, 5, 6};
  EXPECT_DOUBLE_EQ(sets.Ncp(sets.SumCosts(some)), 4.0 * 2 / (5 * 4));
  EXPECT_DOUBLE_EQ(sets.Lm(some), 4.0 * 1 / (5 * 3));
}

TEST(ItemSets, GeneralizedKeepCostsAndLeaves) {
  const ItemSets sets(SmallRecords());
  const std::vector<Item> cut = {1, 5, 6};
  std::vector<Item> labels;
  const ItemSets general = sets.Generalized(cut, labels);
  EXPECT_EQ(labels, (std::vector<Item>{0, 1, 2, 5, 6}));
  EXPECT_TRUE(general.forest().is_leaf(1));
  EXPECT_EQ(general.leaves(1), 2U);
  EXPECT_EQ(general.cost(1), sets.cost(1));
  EXPECT_EQ(general.all_occurrences(), sets.all_occurrences());
  EXPECT_EQ(general.record_count(), 4U);
  // Both leaves of the first record are one label now.
  for (size_t i = 0; i < general.transaction_count(); ++i) EXPECT_LE(general.items(i).size(), 1U);
}

TEST(ItemSets, WithoutRecordsLoseNothing) {
  SetRecords records;
  records.parents = {0};
  const ItemSets sets(records);
  const std::vector<Item> cut = {0};
  EXPECT_EQ(sets.SumCosts(cut), 0U);
  EXPECT_EQ(sets.Ncp(0), 0);
  EXPECT_EQ(sets.Lm(cut), 0);
}

TEST(ItemsetIndex, KnowsGeneralizations) {
  const ItemSets sets(SmallRecords());
  ItemsetIndex index(sets);
  const std::vector<Item> general = {1, 5};
  EXPECT_TRUE(index.Add(general));
  EXPECT_FALSE(index.Add(general));
  const std::vector<Item> below = {3, 5};
  const std::vector<Item> beside = {3, 6};
  EXPECT_TRUE(index.HasGeneralizationOf(below));
  EXPECT_FALSE(index.HasGeneralizationOf(beside));
  EXPECT_TRUE(index.Add({}));
  EXPECT_TRUE(index.HasGeneralizationOf(beside));
}

TEST(Conflicts, AreTheParentsOfAThreat) {
  const ItemSets sets(SmallRecords());
  Conflicts conflicts(sets);
  const std::vector<Item> threat = {3, 5};
  EXPECT_TRUE(conflicts.AddThreat(threat));
  const std::vector<Item> other = {4, 6};
  // The same parents.
  EXPECT_FALSE(conflicts.AddThreat(other));
  const std::vector<Item> leaves = {3, 4, 5, 6};
  const std::vector<Item> some = {1, 5, 6};
  EXPECT_FALSE(conflicts.Allow(leaves));
  EXPECT_TRUE(conflicts.Allow(some));
  // Nothing below the root: the other conflict says nothing new.
  const std::vector<Item> group = {2};
  EXPECT_TRUE(conflicts.AddThreat(group));
  EXPECT_TRUE(conflicts.is_locked(0));
  EXPECT_FALSE(conflicts.Allow(some));
  conflicts.Reduce();
  EXPECT_EQ(conflicts.size(), 1U);
  const std::vector<Item> root = {0};
  EXPECT_TRUE(conflicts.Allow(root));
  EXPECT_TRUE(conflicts.AddThreat(root));
  EXPECT_TRUE(conflicts.is_infeasible());
  EXPECT_FALSE(conflicts.Allow(root));
}

}  // namespace
}  // namespace thicket::item_sets_test
