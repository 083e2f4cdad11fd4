#include "generate/baskets_table.h"

#include <array>
#include <string_view>

namespace thicket {

namespace {

constexpr std::array<std::string_view, kBasketsInTable> kBaskets = {
    "Wine Milk Yogurt AdultToy",      "Beer Jacket Pants AdultToy Viagra",
    "Yogurt Jacket Hose Shoe Viagra", "Milk Yogurt Jacket Geta PregnancyTest",
    "Beer Wine Milk Jacket Pants",
};

}  // namespace

void AppendTableBasket(uint64_t number, std::string& out) {
  out += kBaskets.at(number);
  out += '\n';
}

std::string TableItemTaxonomy() {
  return "Beer;Liquor;Nutrient;Entity\n"
         "Wine;Liquor;Nutrient;Entity\n"
         "Milk;Dairy;Nutrient;Entity\n"
         "Yogurt;Dairy;Nutrient;Entity\n"
         "Jacket;Outwear;Clothing;Entity\n"
         "Pants;Outwear;Clothing;Entity\n"
         "Geta;Footwear;Clothing;Entity\n"
         "Hose;Footwear;Clothing;Entity\n"
         "Shoe;Footwear;Clothing;Entity\n";
}

}  // namespace thicket
