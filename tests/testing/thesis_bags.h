// The running example of Liu 2010, chapter 5: five vocabularies (Fig. 5.1 b), the taxonomy of Fig. 5.2 (a), and what
// is published of them by LG(bag) and by SSG (Fig. 5.6).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "record/dataset.h"
#include "taxonomy/taxonomy.h"

namespace thicket::testing {

using TextBags = std::vector<std::vector<std::string>>;

inline Taxonomy ThesisGoods() {
  TaxonomyBuilder builder("Goods");
  const auto add = [&](const std::string& parent, const std::string& label) {
    builder.Add(*builder.Find(parent), label);
  };
  add("Goods", "Edibles");
  add("Goods", "Clothing");
  add("Edibles", "Alcohol");
  add("Edibles", "Dairy");
  add("Clothing", "Outwear");
  add("Clothing", "Footwear");
  add("Alcohol", "Wine");
  add("Alcohol", "Vino");
  add("Dairy", "Raw-milk");
  add("Dairy", "Homo-milk");
  add("Outwear", "Jackets");
  add("Outwear", "Pants");
  add("Footwear", "Boots");
  add("Footwear", "Shoes");
  return std::move(builder).Build();
}

inline TextBags ThesisVocabularies() {
  return {{"Wine", "Wine", "Jackets", "Boots"},
          {"Vino", "Vino", "Jackets", "Shoes"},
          {"Wine", "Vino", "Raw-milk", "Jackets", "Shoes"},
          {"Vino", "Raw-milk", "Raw-milk", "Homo-milk"},
          {"Raw-milk", "Homo-milk", "Homo-milk", "Jackets", "Pants"}};
}

inline TextBags ThesisBySsg() {
  const std::vector<std::string> first = {"Wine", "Vino", "Jackets", "Shoes"};
  const std::vector<std::string> second = {"Raw-milk", "Raw-milk", "Homo-milk"};
  return {first, first, first, second, second};
}

inline TextBags ThesisByLgBag() {
  const std::vector<std::string> first(4, "Goods");
  const std::vector<std::string> second = {"Edibles", "Edibles", "Clothing", "Clothing"};
  return {first, second, second, first, second};
}

// Bags as data: a root above one class of terms with the quasi-identifier `term`, of a taxonomy file of that name.
inline Dataset BagData(const TextBags& bags) {
  auto schema = std::make_shared<Schema>();
  VertexClass bag;
  bag.name = "vocabulary";
  bag.children = {1};
  VertexClass term;
  term.name = "term";
  term.at = "terms";
  QuasiAttribute quasi;
  quasi.name = "term";
  quasi.recoding.file = "term";
  term.quasi.push_back(quasi);
  schema->classes = {bag, term};
  Dataset data = Dataset::Empty(schema, "bags");
  ForestBuilder builder(*schema);
  uint32_t line = 0;
  for (const auto& texts : bags) {
    builder.BeginRecord(++line);
    for (const std::string& text : texts) {
      builder.Open(1);
      builder.Set(0, data.dictionaries[1][0].Intern(ValueKind::kString, text));
      builder.Close();
    }
    builder.EndRecord();
  }
  data.forest = std::move(builder).Build();
  return data;
}

}  // namespace thicket::testing
