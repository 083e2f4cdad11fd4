// Table 4.1 of Liu 2010, five shopping baskets, with the taxonomy of Fig. 4.1: by number for tests/testing/literal_sets.h,
// and by name.
//
//   LiteralSetData sets = BasketsSets();
//   LiteralNodes cut = BasketsNodes({"Nutrient", "Outwear", "Footwear"});
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "testing/literal_sets.h"
#include "testing/patients_table.h"

namespace thicket::testing {

// A node's number is its place here: in preorder, as Example 4.9 lists them.
inline const std::vector<std::string>& BasketsItems() {
  static const std::vector<std::string> kNames = {
      "Entity",   "Nutrient", "Liquor", "Beer",  "Wine",     "Dairy", "Milk", "Yogurt",
      "Clothing", "Outwear",  "Jacket", "Pants", "Footwear", "Geta",  "Hose", "Shoe"};
  return kNames;
}
inline const std::vector<std::string>& BasketsSensitive() {
  static const std::vector<std::string> kNames = {"AdultToy", "Viagra", "PregnancyTest"};
  return kNames;
}

inline int BasketsNode(const std::string& name) { return PlaceOf(name, BasketsItems()); }
inline LiteralNodes BasketsNodes(const std::vector<std::string>& names) {
  LiteralNodes nodes;
  for (const std::string& name : names) nodes.insert(BasketsNode(name));
  return nodes;
}
inline std::set<std::string> BasketsNames(const LiteralNodes& nodes) {
  std::set<std::string> names;
  for (const int node : nodes) names.insert(BasketsItems()[static_cast<size_t>(node)]);
  return names;
}

// As printed, t1 first, the sensitive items among the others.
inline const std::vector<std::vector<std::string>>& BasketsRows() {
  static const std::vector<std::vector<std::string>> kRows = {
      {"Wine", "Milk", "Yogurt", "AdultToy"},
      {"Beer", "Jacket", "Pants", "AdultToy", "Viagra"},
      {"Yogurt", "Jacket", "Hose", "Shoe", "Viagra"},
      {"Milk", "Yogurt", "Jacket", "Geta", "PregnancyTest"},
      {"Beer", "Wine", "Milk", "Jacket", "Pants"}};
  return kRows;
}

inline LiteralSetData BasketsSets() {
  LiteralSetData sets;
  sets.taxonomy.parents = {-1, 0, 1, 2, 2, 1, 5, 5, 0, 8, 9, 9, 8, 12, 12, 12};
  for (const std::vector<std::string>& row : BasketsRows()) {
    sets.items.emplace_back();
    sets.sensitive.emplace_back();
    for (const std::string& name : row) {
      const std::vector<std::string>& sensitive = BasketsSensitive();
      if (std::count(sensitive.begin(), sensitive.end(), name) > 0) {
        sets.sensitive.back().insert(PlaceOf(name, sensitive));
      } else {
        sets.items.back().insert(BasketsNode(name));
      }
    }
  }
  return sets;
}

}  // namespace thicket::testing
