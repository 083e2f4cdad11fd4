// A taxonomy for values that have none: neighbours in order stand together.
//
//   BalancedTaxonomy({"ale", "beer", "cider", "milk"}, 2);   // ale..beer, cider..milk, *
//
// A first draft for a person to edit: it knows nothing of what the values mean. Numbers are ordered as numbers.
#pragma once

#include <string>
#include <vector>

#include "taxonomy/taxonomy.h"

namespace thicket {

// Groups of `fanout` (at least 2) values, groups of groups, and so on up to the root; an inner label is "first..last".
// Values may come in any order and more than once.
Taxonomy BalancedTaxonomy(std::vector<std::string> values, size_t fanout);

}  // namespace thicket
