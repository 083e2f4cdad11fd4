// Taxonomies for values that have none.
//
//   BalancedTaxonomy({"ale", "beer", "cider", "milk"}, 2);   // ale..beer, cider..milk, *
//
// First drafts for a person to edit: they know nothing of what the values mean. Numbers are ordered as numbers. The taxonomy that
// loses least is made from the data, in together.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "taxonomy/taxonomy.h"

namespace thicket {

// Groups of `fanout` (at least 2) neighbours in order, groups of groups, and so on up to the root; an inner label is
// "first..last". Values may come in any order and more than once.
Taxonomy BalancedTaxonomy(std::vector<std::string> values, size_t fanout);

// The same of values in any order, as the literature has it: every group is as likely as any other. Groups are called as
// those of GroupedTaxonomy().
Taxonomy RandomTaxonomy(std::vector<std::string> values, size_t fanout, Random& random);

// Puts values into their order, each once.
void SortValues(std::vector<std::string>& values);

// The taxonomy of groups of groups: levels[0][i] is the group of the i-th value, levels[1][g] the group of group g, and so on;
// the root is above the last level. Values must be in their order (SortValues). A group is called after its value of the greatest
// weight, of equals the first (without weights the first of all), and how many others there are: "beer+3". So a name that is
// published can be that of the most common value. Groups of one are left out. Lines follow the values' order.
Taxonomy GroupedTaxonomy(const std::vector<std::string>& values,
                         const std::vector<std::vector<uint32_t>>& levels,
                         const std::vector<uint64_t>& weights = {});

}  // namespace thicket
