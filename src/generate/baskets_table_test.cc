#include "generate/baskets_table.h"

#include <gtest/gtest.h>

#include <string>

#include "taxonomy/taxonomy_file.h"
#include "testing/baskets_sets.h"

namespace thicket::baskets_table_test {
namespace {

// Table 4.1 of Liu 2010.
TEST(BasketsTableTest, IsTheTableOfTheThesis) {
  std::string expected;
  std::string text;
  for (const auto& row : testing::BasketsRows()) {
    for (size_t i = 0; i < row.size(); ++i) expected += (i == 0 ? "" : " ") + row[i];
    expected += "\n";
  }
  for (uint64_t i = 0; i < kBasketsInTable; ++i) AppendTableBasket(i, text);
  EXPECT_EQ(text, expected);
}

// Fig. 4.1.
TEST(BasketsTableTest, TheTaxonomyIsThatOfTheFigure) {
  const auto taxonomy = ParseTaxonomy(TableItemTaxonomy(), "item.csv");
  ASSERT_TRUE(taxonomy.ok()) << taxonomy.error().message;
  const auto& names = testing::BasketsItems();
  ASSERT_EQ(taxonomy->node_count(), names.size());
  const auto parents = testing::BasketsSets().taxonomy.parents;
  for (size_t i = 1; i < names.size(); ++i) {
    const auto node = taxonomy->Find(names[i]);
    ASSERT_TRUE(node) << names[i];
    EXPECT_EQ(taxonomy->label(taxonomy->parent(*node)), names[static_cast<size_t>(parents[i])]);
  }
}

}  // namespace
}  // namespace thicket::baskets_table_test
