// What holds of random small data, with bitmaps and one by one.
#include "cutting/kmn/fact_check.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "cutting/kmn/fact_index.h"
#include "cutting/kmn/fact_store.h"
#include "cutting/kmn/recode.h"
#include "cutting/kmn/shapes.h"
#include "testing/forest_text.h"
#include "testing/literal_fact_check.h"
#include "testing/random_cut_data.h"

namespace thicket::fact_check_property_test {
namespace {

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

// Sets of items of two kinds: what several items of a kind give away together, and none by itself.
EncodedDataset RandomSets(Random& random) {
  const auto schema = testing::ParseSchema("p(|s){c(item)}");
  TaxonomyFiles taxonomies;
  TaxonomyBuilder builder("*");
  for (const char* kind : {"a", "b"}) {
    const auto inner = builder.Add(TaxonomyBuilder::root(), kind);
    for (const char* leaf : {"1", "2", "3"}) builder.Add(inner, std::string(kind) + leaf);
  }
  taxonomies.emplace("t", std::move(builder).Build());
  schema->classes[1].quasi[0].recoding.file = "t";
  // Who has one of the kind has S, as a rule, and who has both has not.
  std::string text;
  for (uint64_t records = 6 + random.Below(7); records > 0; --records) {
    const bool first = random.Below(2) == 0;
    const bool second = random.Below(2) == 0;
    text += first != second && random.Below(10) < 8 ? "p(|S){" : "p(|){";
    if (first) text += "c(a1)";
    if (second) text += "c(a2)";
    if (random.Below(6) == 0) text += "c(b1)";
    text += "}";
  }
  Result<EncodedDataset> data = Encode(testing::ParseForest(schema, text), taxonomies);
  if (!data.ok()) throw std::logic_error(data.error().message);
  return std::move(*data);
}

EncodedDataset RandomData(Random& random) {
  if (random.Below(4) == 0) return RandomSets(random);
  return testing::RandomCutData(random, 200, 3 + random.Below(6)).Make();
}

struct Case {
  explicit Case(uint64_t seed) : Case(Random::Seeded(seed)) {}
  explicit Case(Random random)
      : data(RandomData(random)),
        items(data),
        shapes(Shapes::Of(items, data)),
        label_of(RandomCut(random, items)),
        broken(RandomBroken(random, items, label_of)),
        published(Recode(items, data, label_of, broken.relations())) {
    limits.k = 1 + static_cast<uint32_t>(random.Below(4));
    limits.m = 1 + static_cast<uint32_t>(random.Below(3));
    limits.n = static_cast<uint32_t>(random.Below(limits.m * (limits.m - 1) / 2 + 1));
    l = 1 + static_cast<uint32_t>(random.Below(3));
    for (const PublishedTree tree : published.trees()) {
      records.push_back(LiteralRecord::Of(items, data, tree));
    }
  }

  bool Holds(const FactQuestion& question, const FactRows& rows) const {
    FactStore store(items, shapes, rows);
    const FactIndex index(store, label_of, broken, {.relations = limits.n > 0});
    return FactsHold(index, items, limits, question);
  }
  bool HoldsLiterally(const FactQuestion& question) const {
    return LiteralFactCounter(items, limits, question.l, question.negative, records).Holds();
  }

  EncodedDataset data;
  ItemHierarchy items;
  Shapes shapes;
  std::vector<Item> label_of;
  BrokenRelations broken;
  Publication published;
  KnowledgeLimits limits;
  uint32_t l = 0;
  std::vector<LiteralRecord> records;
};

// Cases are small, and some of what is looked for is rare: many at a time.
constexpr uint64_t kAtATime = 60;

RC_GTEST_PROP(FactCheck, NegativeKnowledgeIsThatOfTheReference, (uint64_t seed)) {
  for (uint64_t i = 0; i < kAtATime; ++i) {
    const Case one(seed + i);
    const FactQuestion question = {.l = 0, .negative = true};
    const bool expected = one.HoldsLiterally(question);
    RC_ASSERT(one.Holds(question, FactRows::OfRecords(one.data, one.shapes)) == expected);
    RC_ASSERT(one.Holds(question, FactRows::OfShapes(one.shapes)) == expected);
  }
}

// A k of 1 asks for no more than one record, so that diversity decides.
void CompareDiversity(uint64_t seed, bool negative) {
  for (uint64_t i = 0; i < kAtATime; ++i) {
    Case one(seed + i);
    if (i % 2 == 0) one.limits.k = 1;
    const FactQuestion question = {.l = one.l, .negative = negative};
    const FactRows rows = FactRows::OfRecords(one.data, one.shapes);
    const bool expected = one.HoldsLiterally(question);
    RC_ASSERT(one.Holds(question, rows) == expected);
  }
}

RC_GTEST_PROP(FactCheck, DiversityIsThatOfTheReference, (uint64_t seed)) {
  CompareDiversity(seed, false);
}

RC_GTEST_PROP(FactCheck, DiversityWithNegativeKnowledgeIsThatOfTheReference, (uint64_t seed)) {
  CompareDiversity(seed, true);
}

// What labels alone break is broken in every finer cut.
RC_GTEST_PROP(FactCheck, WhatLabelsBreakStaysBrokenBelow, (uint64_t seed)) {
  for (uint64_t i = 0; i < kAtATime; ++i) {
    Case one(seed + i);
    Random random = Random::Seeded(seed + i);
    one.limits.n = 0;
    const FactQuestion question = {.l = one.l, .negative = random.Below(2) == 0};
    const FactRows rows = FactRows::OfRecords(one.data, one.shapes);
    if (one.Holds(question, rows)) continue;
    // Some labels give way to their children.
    for (Item item = 0; item < one.items.size(); ++item) {
      if (one.label_of[item] != item || one.items.is_leaf(item) || random.Below(2) == 0) continue;
      for (Item below = item + 1; below < one.items.attribute(item).end; ++below) {
        if (one.label_of[below] != item) continue;
        const Item above = one.items.parent(below);
        one.label_of[below] = above == item ? below : one.label_of[above];
      }
    }
    RC_ASSERT(!one.Holds(question, rows));
  }
}

// What a cut above says need not be asked again; and labels first, relations after that, is all at once.
RC_GTEST_PROP(FactCheck, AsksOnlyWhatIsNew, (uint64_t seed)) {
  for (uint64_t i = 0; i < kAtATime; ++i) {
    const Case one(seed + i);
    Random random = Random::Seeded(seed + i);
    const FactQuestion question = {.l = one.l, .negative = random.Below(2) == 0};
    const FactRows rows = FactRows::OfRecords(one.data, one.shapes);
    const BrokenRelations none(one.items.size());
    FactStore store(one.items, one.shapes, rows);
    const auto holds = [&](const std::vector<Item>& label_of, std::span<const Item> fresh,
                           bool only_related, uint32_t n) {
      const FactIndex index(store, label_of, none, {.relations = n > 0, .fresh = fresh});
      return FactsHold(index, one.items, {one.limits.k, one.limits.m, n},
                       {question.l, question.negative, !fresh.empty(), only_related});
    };
    const bool all = holds(one.label_of, {}, false, one.limits.n);
    RC_ASSERT((holds(one.label_of, {}, false, 0) &&
               (one.limits.n == 0 || holds(one.label_of, {}, true, one.limits.n))) == all);
    if (!all) continue;
    // One label gives way to its children.
    std::vector<Item> inner;
    for (Item item = 0; item < one.items.size(); ++item) {
      if (one.label_of[item] == item && !one.items.is_leaf(item)) inner.push_back(item);
    }
    if (inner.empty()) continue;
    const Item label = inner[random.Below(inner.size())];
    std::vector<Item> finer = one.label_of;
    for (Item below = label + 1; below < one.items.attribute(label).end; ++below) {
      if (one.label_of[below] != label) continue;
      const Item above = one.items.parent(below);
      finer[below] = above == label ? below : finer[above];
    }
    const auto fresh = one.items.Children(label);
    const uint32_t n = one.limits.n;
    const bool new_holds =
        holds(finer, fresh, false, 0) && (n == 0 || holds(finer, fresh, true, n));
    RC_ASSERT(holds(finer, {}, false, n) == new_holds);
  }
}

// Whether a label of the tree at or below `upper` stands above one at or below `lower`, looked for one by one.
bool StandsOver(const ItemHierarchy& items, const LabelTree& tree, Item upper, Item lower) {
  const auto is_at_or_below = [&](Item item, Item above) {
    while (item != above && !items.is_left_out(item)) item = items.parent(item);
    return item == above;
  };
  for (uint32_t node = 0; node < tree.size(); ++node) {
    if (!is_at_or_below(tree.label(node), lower)) continue;
    for (uint32_t above = tree.parent(node); above != LabelTree::kNoParent;
         above = tree.parent(above)) {
      if (is_at_or_below(tree.label(above), upper)) return true;
    }
  }
  return false;
}

// Compares what an index says of each shape with the tree of that shape.
void CompareWithTrees(const Case& one, const FactRows& rows, const FactIndex& index,
                      const std::vector<Item>& label_of, const BrokenRelations& broken) {
  std::vector<bool> overlaps(index.nodes(), false);
  std::vector<bool> is_over(size_t{index.nodes()} * index.nodes(), false);
  for (uint32_t shape = 0; shape < one.shapes.size(); ++shape) {
    LabelTree tree(one.items);
    tree.Load(one.shapes, shape, label_of);
    tree.Apply(broken);
    const uint32_t row = rows.first(shape);
    for (uint32_t node = 0; node < index.nodes(); ++node) {
      std::set<Item> below;
      for (uint32_t i = 0; i < tree.size(); ++i) {
        Item up = tree.label(i);
        while (up != index.item(node) && !one.items.is_left_out(up)) up = one.items.parent(up);
        if (up == index.item(node)) below.insert(tree.label(i));
      }
      RC_ASSERT(index.present(node).Contains(row) == !below.empty());
      overlaps[node] = overlaps[node] || below.size() > 1;
      if (one.items.IsOfRoot(one.items.attribute_of(index.item(node)))) continue;
      for (uint32_t lower = 0; lower < index.nodes(); ++lower) {
        const bool expected = StandsOver(one.items, tree, index.item(node), index.item(lower));
        const ShapeWords* set = index.over(node, lower);
        const bool found = set != nullptr && ((*set)[row / 64] >> (row % 64) & 1) != 0;
        RC_ASSERT(found == expected);
        is_over[size_t{node} * index.nodes() + lower] =
            is_over[size_t{node} * index.nodes() + lower] || expected;
      }
    }
  }
  for (uint32_t node = 0; node < index.nodes(); ++node) {
    RC_ASSERT(index.overlaps(node) == overlaps[node]);
    for (uint32_t lower = 0; lower < index.nodes(); ++lower) {
      RC_ASSERT((index.over(node, lower) != nullptr) ==
                is_over[size_t{node} * index.nodes() + lower]);
    }
  }
}

// One store for all cuts, whichever came before, says of each what its trees say.
RC_GTEST_PROP(FactStore, KnowsOfEveryCutWhatItsTreesSay, (uint64_t seed)) {
  for (uint64_t i = 0; i < kAtATime / 6; ++i) {
    const Case one(seed + i);
    Random random = Random::Seeded(seed + i);
    const FactRows rows = random.Below(2) == 0 ? FactRows::OfRecords(one.data, one.shapes)
                                               : FactRows::OfShapes(one.shapes);
    FactStore store(one.items, one.shapes, rows);
    for (int cuts = 0; cuts < 6; ++cuts) {
      const std::vector<Item> label_of = RandomCut(random, one.items);
      const BrokenRelations broken = RandomBroken(random, one.items, label_of);
      // Of some cuts nothing but the labels is asked.
      if (random.Below(4) == 0) {
        const FactIndex labels(store, label_of, broken, {});
        if (labels.nodes() > 0) RC_ASSERT(labels.over(0, 0) == nullptr);
        continue;
      }
      const FactIndex index(store, label_of, broken, {.relations = true});
      CompareWithTrees(one, rows, index, label_of, broken);
    }
  }
}

TEST(FactRows, NamesTheFirstAttributeOfWhichAValueIsTooFrequent) {
  const auto schema = testing::ParseSchema("p(q|s){c(r|t,u)}");
  for (VertexClass& of : schema->classes) {
    for (QuasiAttribute& quasi : of.quasi) {
      quasi.recoding.kind = Recoding::Kind::kMask;
      quasi.recoding.mask = 1;
    }
  }
  // Of t, V stands in three of four records, twice in one of them; a missing value is none.
  Result<EncodedDataset> data =
      Encode(testing::ParseForest(
                 schema, "p(a|S){c(a|V,) c(b|V,)} p(b|T){c(a|V,)} p(c|S){c(a|W,) c(b|V,)} p(d|T)"),
             {});
  ASSERT_TRUE(data.ok()) << data.error().message;
  const ItemHierarchy items(*data);
  const FactRows rows = FactRows::OfRecords(*data, Shapes::Of(items, *data));
  EXPECT_FALSE(rows.TooFrequent(1).has_value());
  const std::optional<FrequentSecret> found = rows.TooFrequent(2);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->class_id, 1U);
  EXPECT_EQ(found->attribute, 0U);
  EXPECT_EQ(found->records, 3U);
}

}  // namespace
}  // namespace thicket::fact_check_property_test
