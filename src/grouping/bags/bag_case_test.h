// Random small bags for tests, and the running example of Liu 2010, Chapter 5; both for the reference and for what is
// tested.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "grouping/bags/bags.h"
#include "taxonomy/term_distances.h"
#include "testing/literal_bags.h"

namespace thicket::bag_case_test {

using testing::LiteralBags;

inline Bags ToBags(const LiteralBags& literal) {
  Bags bags;
  for (size_t bag = 0; bag < literal.bags.size(); ++bag) {
    const std::vector<uint32_t> terms(literal.bags[bag].begin(), literal.bags[bag].end());
    bags.Add(terms, static_cast<uint32_t>(literal.owners[bag]));
  }
  return bags;
}

inline TermDistances ToDistances(const LiteralBags& literal) {
  std::vector<std::vector<TermDistances::Near>> lists(literal.steps.size());
  for (uint32_t a = 0; a < literal.steps.size(); ++a) {
    for (uint32_t b = 0; b < literal.steps.size(); ++b) {
      if (literal.steps[a][b] < 0) continue;
      lists[a].push_back({b, static_cast<uint32_t>(literal.steps[a][b])});
    }
  }
  return TermDistances::FromLists(std::move(lists));
}

// Figures 5.1 (b) and 5.2 (a): Goods(Edibles(Alcohol(Wine, Vino), Milk(Raw-milk, Homo-milk)), Clothing(Outwear(Jackets,
// Pants), Footwear(Boots, Shoes))).
enum RunningTerm { kWine, kVino, kRawMilk, kHomoMilk, kJackets, kPants, kBoots, kShoes };

inline LiteralBags RunningExample(int epsilon) {
  LiteralBags literal;
  literal.bags = {{kWine, kWine, kJackets, kBoots},
                  {kVino, kVino, kJackets, kShoes},
                  {kWine, kVino, kRawMilk, kJackets, kShoes},
                  {kVino, kRawMilk, kRawMilk, kHomoMilk},
                  {kRawMilk, kHomoMilk, kHomoMilk, kJackets, kPants}};
  literal.owners = {0, 1, 2, 3, 4};
  literal.steps.assign(8, std::vector<int>(8));
  for (int a = 0; a < 8; ++a) {
    for (int b = 0; b < 8; ++b) {
      // Pairs of leaves meet one level up, pairs of pairs two, and all at Goods.
      const int steps = a == b ? 0 : a / 2 == b / 2 ? 2 : a / 4 == b / 4 ? 4 : 6;
      literal.steps[a][b] = steps <= epsilon ? steps : -1;
    }
  }
  return literal;
}

// Terms in which steps tie often; bags that are equal, empty or alike; owners with several bags.
inline LiteralBags RandomBags(Random& random, size_t most_bags, size_t most_terms_of_bag) {
  LiteralBags literal;
  const auto terms = static_cast<int>(1 + random.Below(10));
  const auto relevant_of_10 = random.Below(11);
  literal.steps.assign(terms, std::vector<int>(terms, -1));
  for (int a = 0; a < terms; ++a) {
    literal.steps[a][a] = 0;
    for (int b = 0; b < a; ++b) {
      if (random.Below(10) >= relevant_of_10) continue;
      const auto steps = static_cast<int>(1 + random.Below(6));
      literal.steps[a][b] = steps;
      literal.steps[b][a] = steps;
    }
  }
  const size_t bags = random.Below(most_bags + 1);
  const size_t owners = 1 + random.Below(bags + 1);
  for (size_t bag = 0; bag < bags; ++bag) {
    std::vector<int> drawn;
    if (bag > 0 && random.Below(4) == 0) {
      drawn = literal.bags[random.Below(bag)];
      random.Shuffle(drawn);
    } else {
      const size_t size = random.Below(most_terms_of_bag + 1);
      for (size_t i = 0; i < size; ++i) drawn.push_back(static_cast<int>(random.Below(terms)));
    }
    literal.bags.push_back(drawn);
    literal.owners.push_back(static_cast<int>(random.Below(owners)));
  }
  return literal;
}

}  // namespace thicket::bag_case_test
