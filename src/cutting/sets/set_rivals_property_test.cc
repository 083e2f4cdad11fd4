// The rivals of OG on random small sets: what they publish keeps what they promise, from the definitions
// (tests/testing/literal_set_rivals.h), and costs no less than the best.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "cutting/sets/aa.h"
#include "cutting/sets/lg.h"
#include "cutting/sets/mm.h"
#include "cutting/sets/set_case_test.h"
#include "testing/baskets_sets.h"
#include "testing/literal_set_rivals.h"

namespace thicket::set_rivals_property_test {
namespace {

using set_case_test::SetCase;
using set_case_test::ToLiteral;
using testing::LiteralFraction;
using testing::LiteralNodes;
using testing::LiteralPrivacy;
using testing::LiteralSetData;
using testing::LiteralSets;

// Without n, and without l where the method knows none.
SetCase DrawCase(uint64_t seed, bool with_sensitive) {
  Random random = Random::Seeded(seed);
  LiteralSetData data = testing::RandomLiteralSets(random);
  LiteralPrivacy privacy = testing::RandomLiteralPrivacy(random, 4, 0);
  if (!with_sensitive) privacy.most_share = 1;
  return SetCase(LiteralSets(std::move(data), privacy));
}

AaAnswer RunAa(const SetCase& one, std::optional<double> limit_s = std::nullopt) {
  Progress progress;
  return FindAprioriCut(one.sets, one.promise, {.limit_s = limit_s}, progress);
}

RC_GTEST_PROP(Aa, KeepsKmAnonymityWhereACutDoes, (uint64_t seed)) {
  const SetCase one = DrawCase(seed, false);
  const auto best = one.literal.Best();
  const AaAnswer answer = RunAa(one);
  RC_ASSERT(answer.is_feasible == best.has_value());
  RC_ASSERT(!answer.stopped_early);
  if (!best) return;
  const LiteralNodes cut = ToLiteral(answer.cut);
  RC_ASSERT(one.literal.IsValid(cut));
  RC_ASSERT(CombinationThreats(GeneralizeSets(one.literal.sets(), cut),
                               one.literal.sets().sensitive, one.literal.privacy())
                .empty());
  RC_ASSERT(one.literal.Ncp(cut) >= best->ncp);
}

RC_GTEST_PROP(Aa, ShowsTheRootsWhenTimeIsOver, (uint64_t seed)) {
  const SetCase one = DrawCase(seed, false);
  const AaAnswer answer = RunAa(one, 0);
  RC_ASSERT(answer.is_feasible == one.literal.Best().has_value());
  if (answer.is_feasible && answer.stopped_early) {
    RC_ASSERT(ToLiteral(answer.cut) == LiteralNodes{0});
  }
}

// {Liquor} is in three baskets, Wine in two: k = 3 needs one step.
TEST(AaTest, RaisesWhatIsRareAndNothingElse) {
  const SetCase one(LiteralSets(testing::BasketsSets(), LiteralPrivacy::Kl(3, 1, 1, 0)));
  const AaAnswer answer = RunAa(one);
  ASSERT_TRUE(answer.is_feasible);
  const std::set<std::string> cut = testing::BasketsNames(ToLiteral(answer.cut));
  EXPECT_TRUE(cut.contains("Milk"));
  EXPECT_TRUE(cut.contains("Yogurt"));
  EXPECT_TRUE(cut.contains("Liquor"));
}

MmAnswer RunMm(const SetCase& one, std::optional<double> limit_s = std::nullopt) {
  Progress progress;
  return FindSuppressedItems(one.sets, one.promise, {.limit_s = limit_s}, progress);
}

class Steps : public Progress {
 public:
  void Advance(uint64_t steps) override { sum += steps; }
  uint64_t sum = 0;
};

// With k = 1 nothing is a threat, and all combinations are counted all the same.
TEST(SetRivals, SayHowFarTheyAreWhereNothingIsFound) {
  const SetCase one(LiteralSets(testing::BasketsSets(), LiteralPrivacy::Kl(1, 1, 2, 0)));
  Steps of_aa;
  EXPECT_EQ(FindAprioriCut(one.sets, one.promise, {}, of_aa).threats, 0U);
  EXPECT_GT(of_aa.sum, 0U);
  Steps of_mm;
  EXPECT_EQ(FindSuppressedItems(one.sets, one.promise, {}, of_mm).threats, 0U);
  EXPECT_GT(of_mm.sum, 0U);
}

// What is left, as sets of their own.
LiteralSetData LeftOf(const SetCase& one, const MmAnswer& answer) {
  LiteralSetData left = one.literal.sets();
  left.items = SuppressLeaves(left, ToLiteral(answer.suppressed));
  return left;
}

RC_GTEST_PROP(Mm, KeepsCoherence, (uint64_t seed)) {
  const SetCase one = DrawCase(seed, true);
  const MmAnswer answer = RunMm(one);
  RC_ASSERT(!answer.stopped_early);
  const LiteralSetData left = LeftOf(one, answer);
  RC_ASSERT(CombinationThreats(left.items, left.sensitive, one.literal.privacy()).empty());
  RC_ASSERT(MeanLoss(one.literal.sets(), left.items) >=
            LeastSuppression(one.literal.sets(), one.literal.privacy()));
}

// Of groups above what is published, too: where every record has a sensitive item and k is 1, they are often the only threats.
RC_GTEST_PROP(Mm, KeepsKlPrivacy, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  LiteralSetData data = testing::RandomLiteralSets(random, {.most_records = 20});
  for (std::set<int>& sensitive : data.sensitive) {
    if (random.Below(2) == 0) sensitive.insert(0);
  }
  LiteralPrivacy privacy = testing::RandomLiteralPrivacy(random, 3, 0);
  privacy.k = 1;
  privacy.most_share = {4, 6};
  const SetCase one(LiteralSets(std::move(data), privacy));
  const LiteralSets left(LeftOf(one, RunMm(one)), privacy);
  RC_ASSERT(left.IsValid(left.Leaves()));
}

// Beer and Wine: neither tells of the sensitive item (1 of 2 records each), but Liquor does (2 of 3).
TEST(MmTest, BreaksThreatsOfGroupsWhoseItemsAreNone) {
  LiteralSetData data = testing::BasketsSets();
  const LiteralNodes beer = testing::BasketsNodes({"Beer"});
  const LiteralNodes wine = testing::BasketsNodes({"Wine"});
  data.items = {beer, wine, testing::BasketsNodes({"Beer", "Wine"}), {}, {}, {}};
  data.sensitive = {{0}, {0}, {}, {}, {}, {}};
  const SetCase one(LiteralSets(data, LiteralPrivacy::Kl(1, 2, 1, 0)));
  ASSERT_TRUE(CombinationThreats(data.items, data.sensitive, one.literal.privacy()).empty());
  ASSERT_FALSE(one.literal.IsValid(one.literal.Leaves()));
  const MmAnswer answer = RunMm(one);
  EXPECT_EQ(answer.suppressed.size(), 1U);
  const LiteralSets left(LeftOf(one, answer), one.literal.privacy());
  EXPECT_TRUE(left.IsValid(left.Leaves()));
}

RC_GTEST_PROP(Mm, CountsWhatIsSuppressed, (uint64_t seed)) {
  const SetCase one = DrawCase(seed, true);
  const MmAnswer answer = RunMm(one);
  const LiteralNodes suppressed = ToLiteral(answer.suppressed);
  uint64_t occurrences = 0;
  for (const LiteralNodes& record : one.literal.sets().items) {
    for (const int leaf : record) occurrences += suppressed.count(leaf);
  }
  RC_ASSERT(answer.suppressed_occurrences == occurrences);
}

RC_GTEST_PROP(Mm, SuppressesAllWhenTimeIsOver, (uint64_t seed)) {
  const SetCase one = DrawCase(seed, true);
  const MmAnswer answer = RunMm(one, 0);
  if (!answer.stopped_early) return;
  for (const LiteralNodes& record : LeftOf(one, answer).items) RC_ASSERT(record.empty());
}

LgAnswer RunLg(const SetCase& one, std::optional<double> limit_s = std::nullopt) {
  Progress progress;
  return GeneralizeLocally(one.sets, one.promise.k, {.limit_s = limit_s}, progress);
}

// The records that are published, and as what.
struct Local {
  LiteralSetData original;
  std::vector<LiteralNodes> published;
};

Local PublishedOf(const SetCase& one, const LgAnswer& answer) {
  Local local{{one.literal.sets().taxonomy, {}, {}}, {}};
  for (size_t record = 0; record < one.literal.sets().size(); ++record) {
    const uint32_t set = answer.set_of_record[record];
    if (set == LgAnswer::kLeftOut) continue;
    local.original.items.push_back(one.literal.sets().items[record]);
    local.original.sensitive.push_back(one.literal.sets().sensitive[record]);
    local.published.push_back(ToLiteral(answer.sets[set]));
  }
  return local;
}

void CheckLocal(const SetCase& one, const LgAnswer& answer) {
  const size_t all = one.literal.sets().size();
  size_t empty = 0;
  for (const LiteralNodes& record : one.literal.sets().items) empty += record.empty() ? 1 : 0;
  const size_t k = one.promise.k;
  RC_ASSERT(answer.is_feasible == (all == empty || all - empty >= k));
  if (!answer.is_feasible) return;
  const Local local = PublishedOf(one, answer);
  RC_ASSERT(local.published.size() + answer.left_out == all);
  RC_ASSERT(answer.left_out == (empty < k ? empty : 0));
  RC_ASSERT(IsLocalGeneralization(local.original, local.published));
  RC_ASSERT(local.published.empty() || testing::SmallestClass(local.published) >= k);
  RC_ASSERT(one.CostIs(answer.cost, MeanLoss(local.original, local.published)));
}

RC_GTEST_PROP(Lg, KeepsTransactionKAnonymity, (uint64_t seed)) {
  const SetCase one = DrawCase(seed, true);
  CheckLocal(one, RunLg(one));
}

RC_GTEST_PROP(Lg, IsValidWheneverItEnds, (uint64_t seed)) {
  const SetCase one = DrawCase(seed, true);
  CheckLocal(one, RunLg(one, 0));
}

TEST(LgTest, ShowsRecordsThatAreAlikeAsTheyAre) {
  LiteralSetData data = testing::BasketsSets();
  data.items = {data.items[0], data.items[1], data.items[0], data.items[1]};
  data.sensitive.resize(4);
  const SetCase one(LiteralSets(data, LiteralPrivacy::Kl(2, 1, 1, 0)));
  const LgAnswer answer = RunLg(one);
  ASSERT_TRUE(answer.is_feasible);
  EXPECT_EQ(PublishedOf(one, answer).published, data.items);
  EXPECT_EQ(answer.cost, 0U);
}

}  // namespace
}  // namespace thicket::set_rivals_property_test
