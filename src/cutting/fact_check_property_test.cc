// What holds of random small data, with bitmaps and one by one.
#include "cutting/fact_check.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "base/random.h"
#include "cutting/recode.h"
#include "cutting/shapes.h"
#include "testing/literal_fact_check.h"
#include "testing/random_cut_data.h"

namespace thicket {
namespace {

using testing::LiteralDiversity;
using testing::LiteralFactCounter;
using testing::LiteralRecord;

std::vector<Item> RandomCut(Random& random, const ItemHierarchy& items) {
  std::vector<Item> label_of(items.size(), 0);
  std::vector<bool> is_open(items.size(), false);
  for (Item item = 0; item < items.size(); ++item) {
    const bool is_below = items.is_left_out(item) || is_open[items.parent(item)];
    label_of[item] = is_below ? item : label_of[items.parent(item)];
    // Roots of taxonomies are rarely left out.
    is_open[item] = is_below && random.Below(10) < (items.is_left_out(item) ? 9 : 6);
  }
  return label_of;
}

BrokenRelations RandomBroken(Random& random, const ItemHierarchy& items,
                             const std::vector<Item>& label_of) {
  BrokenRelations broken(items.size());
  for (uint64_t tries = items.size() == 0 ? 0 : random.Below(8); tries > 0; --tries) {
    const Item above = label_of[random.Below(items.size())];
    const Item below = label_of[random.Below(items.size())];
    if (items.is_left_out(above) || items.is_left_out(below)) continue;
    const uint32_t upper = items.attribute_of(above);
    if (items.IsOfRoot(upper) || !items.MayStandBelow(upper, items.attribute_of(below))) continue;
    broken.Add({above, below});
  }
  return broken;
}

struct Case {
  explicit Case(uint64_t seed) : Case(Random::Seeded(seed)) {}
  explicit Case(Random random)
      : data(testing::RandomCutData(random, 200).Make()),
        items(data),
        shapes(Shapes::Of(items, data)),
        label_of(RandomCut(random, items)),
        broken(RandomBroken(random, items, label_of)),
        recoded(Recode(items, data, label_of, broken.relations())) {
    limits.k = 1 + static_cast<uint32_t>(random.Below(4));
    limits.m = 1 + static_cast<uint32_t>(random.Below(3));
    limits.n = static_cast<uint32_t>(random.Below(limits.m * (limits.m - 1) / 2 + 1));
    l = 1 + static_cast<uint32_t>(random.Below(3));
    KnowledgeReader reader(items, data, recoded);
    for (RecordId record = 0; record < recoded.record_count(); ++record) {
      records.push_back(LiteralRecord::Of(reader.Read(record)));
    }
  }

  FactIndex OfRecords(bool negative) const {
    return FactIndex::OfRecords(items, data, recoded, label_of, negative);
  }
  FactIndex OfShapes(bool negative) const {
    return FactIndex::OfShapes(items, shapes, label_of, broken, negative);
  }

  EncodedDataset data;
  ItemHierarchy items;
  Shapes shapes;
  std::vector<Item> label_of;
  BrokenRelations broken;
  Recoded recoded;
  KnowledgeLimits limits;
  uint32_t l = 0;
  std::vector<LiteralRecord> records;
};

// Cases are small, and some of what is looked for is rare: many at a time.
constexpr uint64_t kAtATime = 60;

RC_GTEST_PROP(FactCheck, NegativeKnowledgeIsThatOfTheReference, (uint64_t seed)) {
  for (uint64_t i = 0; i < kAtATime; ++i) {
    const Case one(seed + i);
    const bool expected = LiteralFactCounter(one.items, one.limits, 0, one.records).Holds();
    const FactQuestion question = {.l = 0, .negative = true};
    RC_ASSERT(FactsHold(one.OfRecords(true), one.items, one.limits, question) == expected);
    RC_ASSERT(FactsHold(one.OfShapes(true), one.items, one.limits, question) == expected);
  }
}

RC_GTEST_PROP(FactCheck, DiversityWithNegativeKnowledgeIsThatOfTheReference, (uint64_t seed)) {
  for (uint64_t i = 0; i < kAtATime; ++i) {
    const Case one(seed + i);
    const bool expected = LiteralFactCounter(one.items, one.limits, one.l, one.records).Holds();
    const FactQuestion question = {.l = one.l, .negative = true};
    RC_ASSERT(FactsHold(one.OfRecords(true), one.items, one.limits, question) == expected);
  }
}

// The reference does not ask how many records there are; k = 1 asks for no more than one.
RC_GTEST_PROP(FactCheck, DiversityIsThatOfTheReference, (uint64_t seed)) {
  for (uint64_t i = 0; i < kAtATime; ++i) {
    Case one(seed + i);
    one.limits.k = 1;
    const bool expected = LiteralDiversity(one.records, one.limits, one.l).Holds();
    const FactQuestion question = {.l = one.l, .negative = false};
    RC_ASSERT(FactsHold(one.OfRecords(false), one.items, one.limits, question) == expected);
  }
}

}  // namespace
}  // namespace thicket
