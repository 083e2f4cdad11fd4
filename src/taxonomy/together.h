// A taxonomy made from sets of items, so that as little as possible is lost when the sets are anonymized.
//
// What makes a generalization costly are combinations that are rare. Two items that appear with the same others, though seldom
// with each other (two brands of beer), stand in for one another: seen as one, what was rare with either is common with both.
// Two items that appear in the same sets (beer and crisps) must not be one group: this throws away the combination that is common,
// and leaves the rare ones of both. And no group may be of rare items only: where one branch has to go up to the root, so
// has every other. So, level by level:
//
//   1. The most frequent items are the first of their groups, one each.
//   2. The next most frequent ones join a group each, then the next, until all are placed: every group has its share of frequent
//      and of rare items. An item takes, of the groups that have room, the one that has most of the item's company (the items it
//      appears with), less the share of the item's sets in which the group itself appears.
//   3. Groups are the items of the next level.
//
// At k = 5 and m = 3 on WebView-1 with fan-out 4 the best cut of such a taxonomy has an NCP of 0.011, of a random one 0.03, and of one
// over the sorted items 0.15 (docs/performance.md). A pair counts as company where two sets at least have it, so that no single record says who
// stands beside whom. Deterministic; the order of sets does not matter.
//
//   SetsOfItems sets;                                             // of ale, beer, crisps and nuts
//   Taxonomy taxonomy = TogetherTaxonomy(std::move(sets), 2);  // "ale+1": ale, beer; "crisps+1": crisps, nuts
//
// Of more than 4,096 items only the most frequent have a company; pairs of sets of more than 256 items are not counted. O(sum of
// squares of set sizes + items^2 * groups / 64) per level; 64 MiB at most. 500,000 sets of 1,657 items take a second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "taxonomy/taxonomy.h"

namespace thicket {

struct SetsOfItems {
  std::vector<std::string> items;
  // Set s has members[first[s]] to members[first[s + 1] - 1], numbers of items, each once.
  std::vector<size_t> first = {0};
  std::vector<uint32_t> members;
  // Of each set that is not empty: the item that stood first in the source. Not needed for a taxonomy.
  std::vector<uint32_t> first_items = {};
};

// `fanout` is at least 2; items are distinct.
Taxonomy TogetherTaxonomy(SetsOfItems sets, size_t fanout);

}  // namespace thicket
