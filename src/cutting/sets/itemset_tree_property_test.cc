// The inverse itemset enumeration tree against the reference's (tests/testing/literal_itemset_tree.h): the same nodes,
// the same threats, with each pruning on and off.
#include "cutting/sets/itemset_tree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <vector>

#include "cutting/sets/set_case_test.h"
#include "testing/literal_itemset_tree.h"

namespace thicket::itemset_tree_property_test {
namespace {

using set_case_test::DrawSetCase;
using set_case_test::SetCase;
using set_case_test::ToLiteral;
using testing::LiteralItemsetTree;
using testing::LiteralNodes;
using testing::LiteralPrunings;
using testing::LiteralSetCuts;

RC_GTEST_PROP(ItemsetTree, LooksAtTheNodesOfTheReference, (uint64_t seed)) {
  const SetCase one = DrawSetCase(seed, 3, 3, {.most_records = 8, .most_leaves = 6});
  for (unsigned choice = 0; choice < 16; ++choice) {
    const SetPrunings prunings{(choice & 1) != 0, (choice & 2) != 0, (choice & 4) != 0,
                               (choice & 8) != 0};
    const LiteralItemsetTree literal(
        one.literal, {prunings.global, prunings.local, prunings.generic, prunings.locked});
    Conflicts conflicts(one.sets);
    std::set<LiteralNodes> threats;
    const TreeCount count =
        GrowItemsetTree(one.sets, one.promise, prunings, conflicts,
                        [&](std::span<const Item> threat) { threats.insert(ToLiteral(threat)); });
    RC_ASSERT(count.nodes == literal.visited().size());
    RC_ASSERT(count.threats == literal.materialized());
    if (!prunings.locked) RC_ASSERT(threats == literal.threats());
    Conflicts reduced = conflicts;
    reduced.Reduce();
    for (const LiteralNodes& cut : LiteralSetCuts(one.literal.sets().taxonomy)) {
      const std::vector<Item> labels(cut.begin(), cut.end());
      RC_ASSERT(conflicts.Allow(labels) == one.literal.IsValid(cut));
      RC_ASSERT(reduced.Allow(labels) == one.literal.IsValid(cut));
    }
  }
}

}  // namespace
}  // namespace thicket::itemset_tree_property_test
