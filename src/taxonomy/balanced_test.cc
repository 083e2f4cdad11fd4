#include "taxonomy/balanced.h"

#include <gtest/gtest.h>

namespace thicket::balanced_test {
namespace {

TEST(BalancedTaxonomy, GroupsNeighboursAndGroupsOfThem) {
  const Taxonomy taxonomy = BalancedTaxonomy({"7", "10", "2", "2", "1", "30"}, 2);
  EXPECT_EQ(taxonomy.leaf_count(), 5U);
  const auto parent = [&](const char* label) {
    return taxonomy.label(taxonomy.parent(*taxonomy.Find(label)));
  };
  EXPECT_EQ(parent("1"), "1..2");
  EXPECT_EQ(parent("7"), "7..10");
  EXPECT_EQ(parent("1..2"), "1..10");
  EXPECT_EQ(parent("1..10"), "*");
  EXPECT_EQ(parent("30"), "*");
}

TEST(BalancedTaxonomy, IsFlatWhenTheFanOutCoversAllValues) {
  const Taxonomy taxonomy = BalancedTaxonomy({"b", "a"}, 5);
  EXPECT_EQ(taxonomy.node_count(), 3U);
  EXPECT_EQ(taxonomy.label(taxonomy.first_leaf()), "a");
}

}  // namespace
}  // namespace thicket::balanced_test
