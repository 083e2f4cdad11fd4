// The sets of `baskets-table`: the five baskets of Table 4.1 of Liu 2010 with the taxonomy of Fig. 4.1, to follow the examples of its
// chapter 4 by hand.
//
//   Wine Milk Yogurt AdultToy
//
// Nothing is drawn: every seed gives the same sets, and there are five.
#pragma once

#include <cstdint>
#include <string>

namespace thicket {

inline constexpr uint64_t kBasketsInTable = 5;

// A line; `number` is below kBasketsInTable. Sensitive items stand among the others.
void AppendTableBasket(uint64_t number, std::string& out);

// The taxonomy file: 26 cuts. Sensitive items are not in it.
std::string TableItemTaxonomy();

}  // namespace thicket
