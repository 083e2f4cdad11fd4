// No grouping loses less than the bound: every way of dividing few small records into classes, with every pairing of their vertices.
#include "grouping/loss_bound.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "grouping/clustree.h"
#include "grouping/company_prices.h"
#include "grouping/label_sums.h"
#include "grouping/most_shared.h"
#include "grouping/near_sample.h"
#include "matching/merge.h"
#include "testing/random_forest.h"

namespace thicket::loss_bound_test {
namespace {

using testing::ForestShape;
using testing::RandomForest;

// The most that some records keep each, from the definition: over all ways to pair their vertices, parents with parents.
class BestClass {
 public:
  BestClass(const EncodedDataset& data, int l) : data_(data), l_(l) {}

  Units Kept(const std::vector<RecordId>& records) const {
    std::vector<Vertex> roots;
    for (const RecordId record : records) roots.push_back(data_.forest().root(record));
    return Together(roots);
  }

 private:
  bool MayStand(const std::vector<Vertex>& vertices) const {
    if (l_ == 0) return true;
    const ClassId id = data_.forest().class_of(vertices.front());
    for (size_t a = 0; a < data_.schema().classes[id].sensitive.size(); ++a) {
      std::map<uint32_t, size_t> count;
      for (const Vertex v : vertices) {
        if (++count[data_.Bucket(v, a)] * static_cast<size_t>(l_) > vertices.size()) return false;
      }
    }
    return true;
  }

  // What is kept of each vertex and of what is below, or -1 if they may not stand together.
  Units Together(const std::vector<Vertex>& vertices) const {
    if (!MayStand(vertices)) return -1;
    const Forest& forest = data_.forest();
    const ClassId id = forest.class_of(vertices.front());
    Units kept = 0;
    const auto& domains = data_.classes[id].domains;
    for (size_t slot = 0; slot < domains.size(); ++slot) {
      Label label = domains[slot].Leaf(data_.value(vertices.front(), slot));
      bool missing = true;
      for (const Vertex v : vertices) {
        label = domains[slot].Merge(label, domains[slot].Leaf(data_.value(v, slot)));
        missing = missing && domains[slot].IsMissing(data_.value(v, slot));
      }
      if (!missing) kept += kLabelUnits - domains[slot].Loss(label);
    }
    for (const ClassId child : data_.schema().classes[id].children) {
      std::vector<std::vector<Vertex>> siblings;
      for (const Vertex v : vertices) {
        siblings.emplace_back();
        for (const Vertex c : forest.Children(v)) {
          if (forest.class_of(c) == child) siblings.back().push_back(c);
        }
      }
      kept += Match(siblings);
    }
    return kept;
  }

  // The first sibling of the first vertex stands with one of each other, or with none.
  Units Match(const std::vector<std::vector<Vertex>>& siblings) const {
    if (std::any_of(siblings.begin(), siblings.end(), [](const auto& s) { return s.empty(); })) {
      return 0;
    }
    std::vector<std::vector<Vertex>> without = siblings;
    without[0].erase(without[0].begin());
    Units best = Match(without);
    std::vector<Vertex> chosen = {siblings[0][0]};
    const std::function<void(size_t)> choose = [&](size_t member) {
      if (member == siblings.size()) {
        const Units here = Together(chosen);
        if (here < 0) return;
        std::vector<std::vector<Vertex>> rest = siblings;
        for (size_t i = 0; i < rest.size(); ++i) std::erase(rest[i], chosen[i]);
        best = std::max(best, here + Match(rest));
        return;
      }
      for (const Vertex v : siblings[member]) {
        chosen.push_back(v);
        choose(member + 1);
        chosen.pop_back();
      }
    };
    choose(1);
    return best;
  }

  const EncodedDataset& data_;
  int l_;
};

// The most that any grouping keeps: every set of records is a class once, then the best partition, whoever is left out keeping nothing.
Units MostKept(const EncodedDataset& data, int class_size, int l) {
  const size_t n = data.forest().record_count();
  const BestClass best_class(data, l);
  std::vector<Units> of_set(size_t{1} << n, 0);
  for (size_t set = 1; set < of_set.size(); ++set) {
    std::vector<RecordId> records;
    for (size_t r = 0; r < n; ++r) {
      if ((set >> r & 1) != 0) records.push_back(static_cast<RecordId>(r));
    }
    if (records.size() >= static_cast<size_t>(class_size)) {
      const Units each = best_class.Kept(records);
      of_set[set] = std::max<Units>(0, each) * static_cast<Units>(records.size());
    }
    // With the lowest record in one of two parts.
    const size_t lowest = set & ~(set - 1);
    for (size_t part = (set - 1) & set; part != 0; part = (part - 1) & set) {
      if ((part & lowest) == 0) continue;
      of_set[set] = std::max(of_set[set], of_set[part] + of_set[set ^ part]);
    }
  }
  return of_set.back();
}

struct Case {
  EncodedDataset data;
  LossBoundOptions options;
};

Case DrawCase(uint64_t seed) {
  Random random = Random::Seeded(seed);
  Case drawn;
  ForestShape shape;
  // Seven rows, or fewer trees, whose pairings are many.
  const bool flat = random.Below(3) == 0;
  shape.records = 2 + random.Below(flat ? 6 : 4);
  shape.classes = flat ? 1 : 2 + random.Below(2);
  shape.depth = 3;
  shape.children = 2;
  shape.grandchildren = 1;
  shape.secrets = 2 + random.Below(5);
  shape.plenty = random.Below(3) == 0;
  drawn.data = RandomForest(seed, shape);
  drawn.options.class_size = 2 + static_cast<int>(random.Below(3));
  if (random.Below(3) != 0) {
    drawn.options.l = 2 + static_cast<int>(random.Below(2));
    drawn.options.class_size = std::max(drawn.options.class_size, drawn.options.l);
  }
  drawn.options.candidates = 1 + random.Below(8);
  drawn.options.comparisons = random.Below(8);
  drawn.options.branchings = random.Below(8);
  drawn.options.rounds = random.Below(30);
  return drawn;
}

RC_GTEST_PROP(LossBound, NoGroupingKeepsMore, ()) {
  const Case drawn = DrawCase(*rc::gen::arbitrary<uint64_t>());
  Parallel parallel(1);
  // Nothing is known to be kept: what a publication keeps would hide a bound that is too low.
  const LossBound bound = BoundLoss(drawn.data, {}, drawn.options, parallel);
  const Units most = MostKept(drawn.data, drawn.options.class_size, drawn.options.l);
  RC_ASSERT(bound.kept >= most);
  RC_ASSERT(bound.kept <= bound.total);
}

// The bound is worth something: on these data no cheap answer (all is kept) would do.
TEST(LossBound, IsAboveNothingOnMostData) {
  size_t positive = 0;
  size_t lossy = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Case drawn = DrawCase(seed);
    drawn.options.candidates = 16;
    drawn.options.comparisons = 16;
    drawn.options.branchings = 64;
    Parallel parallel(1);
    const LossBound bound = BoundLoss(drawn.data, {}, drawn.options, parallel);
    const Units most = MostKept(drawn.data, drawn.options.class_size, drawn.options.l);
    lossy += most < bound.total ? 1 : 0;
    positive += bound.kept < bound.total ? 1 : 0;
  }
  EXPECT_GT(lossy, 30U);
  EXPECT_GT(2 * positive, lossy);
}

RC_GTEST_PROP(LossBound, IsTheSameOnAnyNumberOfThreadsAndBelowWhatIsPublished, ()) {
  const uint64_t seed = *rc::gen::arbitrary<uint64_t>();
  const EncodedDataset data = RandomForest(seed, {.records = 40, .classes = 3, .depth = 3});
  LossBoundOptions options;
  options.class_size = 3;
  options.l = seed % 2 == 0 ? 3 : 0;
  ClusTreeOptions clustree;
  clustree.class_size = 3;
  clustree.rule = {.l = options.l};
  Parallel one(1);
  Parallel three(3);
  Progress progress;
  const Publication published = ClusTree(data, clustree, one, progress)->published;
  const LossBound bound = BoundLoss(data, published, options, one);
  RC_ASSERT(bound.kept == BoundLoss(data, published, options, three).kept);
  const GroupingLoss loss = LossOfGrouping(data, published);
  RC_ASSERT(loss.total == bound.total);
  RC_ASSERT(loss.kept <= bound.kept);
}

// Sums, items and similarities bound each other in this order, and who is left out has no more than the rest.
RC_GTEST_PROP(LabelSums, BoundsWhatRecordsHaveInCommon, ()) {
  const uint64_t seed = *rc::gen::arbitrary<uint64_t>();
  const int l = seed % 3 == 0 ? 0 : 2;
  const EncodedDataset data =
      RandomForest(seed, {.records = 12, .classes = 3, .depth = 3, .once = false});
  const TreeModel model(data, {.l = l});
  const CountedLabels labels(data);
  const std::vector<uint32_t> values =
      l > 0 ? SharedLabels::ValuesOf(model) : std::vector<uint32_t>();
  const LabelSums sums(model, labels, values);
  SharedLabels own(labels, values);
  const BestClass best(data, l);
  const auto roots = seed % 2 == 0 ? LabelSums::Roots::kApart : LabelSums::Roots::kAny;
  const size_t most = 1 + seed % 5;
  for (RecordId record = 0; record < 12; ++record) {
    own.Load(record);
    LabelSums::Query query;
    LabelSums::Workspace work;
    sums.Load(own, record, roots, 0, most, query);
    sums.Find({&query, 1}, work);
    RC_ASSERT(query.found().size() <= most);
    std::vector<uint64_t> mask(own.words());
    std::map<RecordId, Units> found;
    for (const LabelSums::Found& one : query.found()) found[one.record] = one.most;
    RC_ASSERT(found.count(record) == 0);
    for (RecordId other = 0; other < 12; ++other) {
      if (other == record) continue;
      // In a class of two no value stands twice where l = 2.
      const Units kept = best.Kept({record, other});
      if (kept <= 0) continue;
      own.Share(other, mask.data());
      RC_ASSERT(own.Weigh(mask.data()) >= kept);
      RC_ASSERT((found.count(other) != 0 ? found[other] : query.rest()) >= kept);
    }
  }
}

// Against every choice of the needed number of candidates.
RC_GTEST_PROP(MostShared, FindsTheHeaviestItemsThatSoManyShare, ()) {
  const uint64_t seed = *rc::gen::arbitrary<uint64_t>();
  const EncodedDataset data = RandomForest(seed, {.records = 9, .classes = 3, .depth = 3});
  const CountedLabels labels(data);
  const std::vector<uint32_t> no_values;
  SharedLabels own(labels, no_values);
  own.Load(0);
  if (own.items() == 0) return;
  const size_t needed = 1 + seed % 4;
  const size_t words = own.words();
  std::vector<uint64_t> masks(8 * words);
  for (RecordId other = 1; other < 9; ++other) own.Share(other, &masks[(other - 1) * words]);
  Units heaviest = 0;
  for (uint32_t set = 0; set < 256; ++set) {
    if (static_cast<size_t>(__builtin_popcount(set)) != needed) continue;
    std::vector<uint64_t> all(words, ~uint64_t{0});
    for (size_t i = 0; i < 8; ++i) {
      for (size_t w = 0; (set >> i & 1) != 0 && w < words; ++w) all[w] &= masks[i * words + w];
    }
    heaviest = std::max(heaviest, own.Weigh(all.data()));
  }
  for (const size_t branchings : {size_t{0}, size_t{2}, size_t{1'000'000}}) {
    MostShared search;
    search.Begin(own, needed, 0);
    for (size_t i = 0; i < 8; ++i) search.Add(&masks[i * words], own.Weigh(&masks[i * words]));
    const Units bound = search.Bound(branchings);
    RC_ASSERT(bound >= heaviest);
    RC_ASSERT(branchings < 1'000'000 || bound == heaviest);
  }
}

// One record that is near to three others who are far from each other: it can be with one of them.
TEST(PriceCompany, KnowsThatNobodyIsWithEverybody) {
  const auto make = [] {
    Acquaintances kind;
    kind.needed = 1;
    kind.rest.assign(4, 0);
    kind.lists = {{{1, true, 1000}, {2, true, 1000}, {3, true, 1000}},
                  {{0, true, 1000}},
                  {{0, true, 1000}},
                  {{0, true, 1000}}};
    return std::vector<Acquaintances>{kind};
  };
  const std::vector<Units> most(4, 1000);
  Parallel parallel(1);
  EXPECT_EQ(PriceCompany(make(), most, {.rounds = 0, .comparisons = 0}, parallel), 4000);
  const Units priced = PriceCompany(make(), most, {.rounds = 200, .comparisons = 0}, parallel);
  // Two of them are together, and two keep nothing.
  EXPECT_GE(priced, 2000);
  EXPECT_LE(priced, 2200);
}

TEST(NearSample, TakesWhatIsNearestAndAllOfLittle) {
  const EncodedDataset data = RandomForest(3, {.records = 30});
  const std::vector<RecordId> seven = NearSample(data, 7);
  EXPECT_TRUE(std::is_sorted(seven.begin(), seven.end()));
  EXPECT_EQ(seven.size(), 7U);
  EXPECT_EQ(seven, NearSample(data, 7));
  EXPECT_EQ(NearSample(data, 40).size(), 30U);
}

}  // namespace
}  // namespace thicket::loss_bound_test
