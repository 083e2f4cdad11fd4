// Rare itemsets of labels against the reference (tests/testing/literal_sets.h): of every cut whether it is valid, and
// that no valid cut is in conflict with what was found.
#include "cutting/sets/rare_itemsets.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "cutting/sets/set_case_test.h"

namespace thicket::rare_itemsets_property_test {
namespace {

using set_case_test::SetCase;
using testing::LiteralNodes;
using testing::LiteralPrivacy;
using testing::LiteralSetCuts;
using testing::LiteralSetData;
using testing::LiteralSets;
using testing::RandomLiteralPrivacy;
using testing::RandomLiteralSets;

SetCase DrawCaseOfK(Random& random) {
  LiteralSetData data;
  LiteralPrivacy privacy;
  do {
    data = RandomLiteralSets(random, {.most_records = 20, .most_cuts = 60, .most_leaves = 9});
    privacy = RandomLiteralPrivacy(random, 6, 4);
    privacy.most_share = 1;
  } while (privacy.k < 2 || static_cast<int64_t>(data.size()) < privacy.k);
  return SetCase(LiteralSets(data, privacy));
}

RC_GTEST_PROP(RareItemsets, TellWhichCutsAreValid, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  const SetCase one = DrawCaseOfK(random);
  Parallel parallel(1);
  std::vector<std::vector<Item>> cuts;
  std::vector<bool> is_valid;
  for (const LiteralNodes& cut : LiteralSetCuts(one.literal.sets().taxonomy)) {
    cuts.emplace_back(cut.begin(), cut.end());
    is_valid.push_back(one.literal.IsValid(cut));
    RareItemsets rare(one.sets, parallel);
    RC_ASSERT(rare.FindAny(cuts.back(), one.promise) == !is_valid.back());
  }
  // One after the other, as proposals are: each avoids what is known, and what was looked at is not looked at again.
  RareItemsets rare(one.sets, parallel);
  Conflicts conflicts(one.sets);
  random.Shuffle(cuts);
  for (const std::vector<Item>& cut : cuts) {
    if (!conflicts.Allow(cut)) continue;
    const bool found = rare.Find(cut, one.promise, conflicts);
    RC_ASSERT(found == !one.literal.IsValid(set_case_test::ToLiteral(cut)));
    RC_ASSERT(found == !conflicts.Allow(cut));
  }
  for (const std::vector<Item>& cut : cuts) {
    RC_ASSERT(conflicts.Allow(cut) == one.literal.IsValid(set_case_test::ToLiteral(cut)));
  }
}

}  // namespace
}  // namespace thicket::rare_itemsets_property_test
