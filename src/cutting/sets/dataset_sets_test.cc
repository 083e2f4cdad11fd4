#include "cutting/sets/dataset_sets.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "testing/forest_text.h"

namespace thicket::dataset_sets_test {
namespace {

using testing::ParseForest;
using testing::ParseSchema;

// Drinks above Beer and Wine, and Dairy above Milk; Toy is sensitive.
EncodedDataset Encoded(const std::string& text) {
  auto schema = ParseSchema("basket{item(item)}");
  QuasiAttribute& item = schema->classes[1].quasi[0];
  item.recoding.file = "items";
  item.sensitive_items = {"Toy"};
  TaxonomyBuilder builder;
  const auto drinks = builder.Add(TaxonomyBuilder::root(), "Drinks");
  builder.Add(drinks, "Beer");
  builder.Add(drinks, "Wine");
  builder.Add(builder.Add(TaxonomyBuilder::root(), "Dairy"), "Milk");
  TaxonomyFiles files;
  files.emplace("items", std::move(builder).Build());
  return std::move(*Encode(ParseForest(schema, text), files));
}

TEST(DatasetSets, AreTheLeavesOfEachRecordOnce) {
  const EncodedDataset data = Encoded(
      "basket{item(Beer) item(Milk) item(Beer)} basket{item(Toy) item(Wine)} basket "
      "basket{item() item(Milk)}");
  const DatasetSets found = SetsOf(data);
  const ItemSets& sets = found.sets;
  const Taxonomy& taxonomy = data.classes[1].domains[0].taxonomy();
  // Neither the sensitive item nor the missing value is a leaf of the taxonomy.
  EXPECT_EQ(sets.all_leaves(), 3U);
  EXPECT_EQ(sets.record_count(), 4U);
  EXPECT_EQ(sets.all_occurrences(), 4U);
  const auto names = [&](size_t record) {
    std::vector<std::string> labels;
    for (const Item item : sets.items(sets.transaction_of_record()[record])) {
      labels.push_back(taxonomy.label(found.labels.label(found.label_of_item[item]).low));
    }
    return labels;
  };
  EXPECT_EQ(names(0), (std::vector<std::string>{"Beer", "Milk"}));
  EXPECT_EQ(names(1), (std::vector<std::string>{"Wine"}));
  EXPECT_TRUE(names(2).empty());
  EXPECT_EQ(names(3), (std::vector<std::string>{"Milk"}));
  EXPECT_EQ(sets.sensitive(sets.transaction_of_record()[1]).size(), 1U);
  EXPECT_EQ(sets.sensitive_occurrences(0), 1U);
}

TEST(DatasetSets, ItemsAndLabelsFindEachOther) {
  const EncodedDataset data = Encoded("basket{item(Beer) item(Toy) item()}");
  const DatasetSets found = SetsOf(data);
  ASSERT_EQ(found.label_of_item.size(), found.sets.forest().size());
  for (Item item = 0; item < found.label_of_item.size(); ++item) {
    EXPECT_EQ(found.item_of_label[found.label_of_item[item]], item);
  }
  const Taxonomy& taxonomy = data.classes[1].domains[0].taxonomy();
  EXPECT_EQ(found.item_of_label[found.labels.Id(1, 0, *taxonomy.Find("Toy"))], DatasetSets::kNone);
}

}  // namespace
}  // namespace thicket::dataset_sets_test
