#include "generate/baskets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "taxonomy/taxonomy_file.h"

namespace thicket::baskets_test {
namespace {

using Baskets = std::vector<std::vector<uint32_t>>;

Baskets Sets(uint64_t n, uint64_t seed) {
  BasketWriter writer(seed);
  Baskets sets;
  for (uint64_t i = 0; i < n; ++i) {
    std::string line;
    writer.Append(i, line);
    EXPECT_EQ(line.back(), '\n');
    std::istringstream words(line);
    sets.emplace_back();
    for (uint32_t item = 0; words >> item;) sets.back().push_back(item);
  }
  return sets;
}

const Baskets& Many() {
  static const Baskets sets = Sets(50'000, 1);
  return sets;
}

TEST(BasketsTest, ASetHasEachItemOnceInOrder) {
  for (const std::vector<uint32_t>& set : Many()) {
    ASSERT_FALSE(set.empty());
    EXPECT_TRUE(std::adjacent_find(set.begin(), set.end(), std::greater_equal<>()) == set.end());
    EXPECT_GE(set.front(), 1U);
    EXPECT_LE(set.back(), kBasketItems);
  }
}

// Table 4.3 of Liu 2010: 1,657 items, 6.5 in a set on average, 164 at most.
TEST(BasketsTest, SizesAreThoseOfPos) {
  size_t all = 0;
  size_t most = 0;
  size_t small = 0;
  for (const std::vector<uint32_t>& set : Many()) {
    all += set.size();
    most = std::max(most, set.size());
    if (set.size() <= 4) ++small;
  }
  const double sets = static_cast<double>(Many().size());
  EXPECT_NEAR(static_cast<double>(all) / sets, 6.5, 0.15);
  EXPECT_GT(static_cast<double>(small) / sets, 0.5);
  EXPECT_GT(most, 100U);
  EXPECT_LE(most, kLargestBasket);
}

TEST(BasketsTest, AFewItemsAreInManySetsAndMostInFew) {
  std::map<uint32_t, size_t> count_of;
  for (const std::vector<uint32_t>& set : Many()) {
    for (const uint32_t item : set) ++count_of[item];
  }
  std::vector<double> shares;
  for (const auto& [item, count] : count_of) {
    shares.push_back(static_cast<double>(count) / static_cast<double>(Many().size()));
  }
  std::sort(shares.rbegin(), shares.rend());
  EXPECT_GT(shares[0], 0.3);
  EXPECT_GT(shares[9], 0.08);
  EXPECT_LT(shares[99], 0.02);
  EXPECT_LT(shares[799], 0.001);
  EXPECT_GT(shares.size(), 1500U);
}

// Items of one errand are in a set more often than chance would have it.
TEST(BasketsTest, ItemsAreBoughtTogether) {
  std::map<uint32_t, size_t> count_of;
  for (const auto& set : Many()) {
    for (const uint32_t item : set) ++count_of[item];
  }
  std::map<std::pair<uint32_t, uint32_t>, size_t> pairs;
  for (const auto& set : Many()) {
    if (set.size() > 10) continue;
    for (size_t i = 0; i < set.size(); ++i) {
      for (size_t j = i + 1; j < set.size(); ++j) ++pairs[{set[i], set[j]}];
    }
  }
  const double sets = static_cast<double>(Many().size());
  size_t together = 0;
  for (const auto& [pair, count] : pairs) {
    const double expected = static_cast<double>(count_of[pair.first]) *
                            static_cast<double>(count_of[pair.second]) / sets;
    if (count >= 20 && static_cast<double>(count) > 2 * expected) ++together;
  }
  EXPECT_GT(together, 100U);
}

TEST(BasketsTest, TheSameSeedGivesTheSameSetsAndMoreOnlyAppend) {
  const Baskets few = Sets(100, 7);
  const Baskets more = Sets(300, 7);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), more.begin()));
  EXPECT_NE(few, Sets(100, 8));
}

TEST(BasketsTest, TheTaxonomyHasAllItemsInGroupsOfTwelve) {
  const auto taxonomy = ParseTaxonomy(BasketItemTaxonomy(), "item.csv");
  ASSERT_TRUE(taxonomy.ok()) << taxonomy.error().message;
  EXPECT_EQ(taxonomy->leaf_count(), kBasketItems);
  EXPECT_EQ(taxonomy->label(taxonomy->parent(*taxonomy->Find("13"))), "13..24");
  EXPECT_EQ(taxonomy->label(taxonomy->parent(*taxonomy->Find("13..24"))), "1..144");
}

}  // namespace
}  // namespace thicket::baskets_test
