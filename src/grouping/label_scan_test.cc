// A scan finds who has most in common, as far as what a pair saves is rounded, and never proposes whose root may not stand there.
#include "grouping/label_scan.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "matching/representative_merge.h"
#include "testing/cases.h"
#include "testing/random_forest.h"

namespace thicket::label_scan_test {
namespace {

using testing::ForestShape;
using testing::RandomForest;

constexpr int kClassSize = 4;

// The labels at and above those of a vertex, each as its class, its slot and the node.
using LabelKey = std::vector<uint32_t>;

std::vector<LabelKey> LabelsOf(const EncodedDataset& data, const Representative& tree, uint32_t p) {
  std::vector<LabelKey> labels;
  const ClassId id = tree.class_of(p);
  const auto& domains = data.classes[id].domains;
  for (uint32_t slot = 0; slot < domains.size(); ++slot) {
    if (domains[slot].is_numeric()) continue;
    const Taxonomy& taxonomy = domains[slot].taxonomy();
    for (Node node = tree.labels(p)[slot].low;; node = taxonomy.parent(node)) {
      labels.push_back({id, slot, node});
      if (node == Taxonomy::kRoot) break;
    }
  }
  return labels;
}

// What two trees can have in common at most, label by label.
Units CommonLabels(const EncodedDataset& data, const Representative& a, const Representative& b) {
  struct Count {
    Units here = 0;
    Units there = 0;
    Units saved = 0;
  };
  std::map<LabelKey, Count> counts;
  const auto add = [&](const Representative& tree, Units Count::*side) {
    for (uint32_t p = 0; p < tree.size(); ++p) {
      for (const LabelKey& key : LabelsOf(data, tree, p)) {
        const Domain& domain = data.classes[key[0]].domains[key[1]];
        const Node node = key[2];
        const Units above =
            node == Taxonomy::kRoot
                ? kLabelUnits
                : domain.Loss({domain.taxonomy().parent(node), domain.taxonomy().parent(node)});
        counts[key].saved = above - domain.Loss({node, node});
        ++(counts[key].*side);
      }
    }
  };
  add(a, &Count::here);
  add(b, &Count::there);
  Units most = 0;
  // Free intervals have no labels: vertices below the roots are taken to have the whole of these in common.
  const auto classes = static_cast<ClassId>(data.classes.size());
  for (ClassId id = 0; id < classes; ++id) {
    const auto of_class = [&](const Representative& tree) {
      Units count = 0;
      for (uint32_t p = 1; p < tree.size(); ++p) count += tree.class_of(p) == id ? 1 : 0;
      return count;
    };
    for (const Domain& domain : data.classes[id].domains) {
      if (domain.is_numeric()) most += std::min(of_class(a), of_class(b)) * kLabelUnits;
    }
  }
  for (const auto& [key, count] : counts) {
    const Units pairs = std::min(count.here, count.there);
    most += pairs * count.saved;
  }
  return most;
}

struct Scene {
  EncodedDataset data;
  DiversityRule rule;
};

// All records of a data set, as a scan wants them.
struct Items {
  explicit Items(const TreeModel& model) {
    for (RecordId record = 0; record < model.forest().record_count(); ++record) {
      trees.push_back(Representative::Of(model, record, kClassSize));
      all.push_back(record);
      weighted.push_back({record, trees.back().kept()});
    }
  }
  LabelScan::VisitTree visitor() const {
    return [this](LabelScan::Item item, const std::function<void(const Representative&)>& visit) {
      visit(trees[item]);
    };
  }

  std::vector<Representative> trees;
  std::vector<LabelScan::Item> all;
  std::vector<LabelScan::Weighted> weighted;
};

Scene MakeScene(uint64_t seed, size_t records) {
  Random random = Random::Seeded(seed);
  ForestShape shape;
  shape.records = records;
  shape.classes = 1 + random.Below(4);
  shape.once = false;
  Scene scene;
  scene.data = RandomForest(random.Next(), shape);
  scene.rule.l = static_cast<int>(random.Below(3)) * 2;
  return scene;
}

RC_GTEST_PROP(LabelScanTest, FindsEverybodyWhoMayStandThere, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  constexpr RecordId kRecords = 12;
  const Scene scene = MakeScene(seed, kRecords);
  const TreeModel model(scene.data, scene.rule);
  const Items items(model);
  const auto& [trees, all, weighted] = items;
  const LabelScan::VisitTree tree = items.visitor();
  LabelScan scan(model);
  scan.ChooseLabels(all, tree);
  // Some stand on another shelf, one is taken away again.
  std::vector<LabelScan::Weighted> first(weighted.begin(), weighted.begin() + 5);
  std::vector<LabelScan::Weighted> second(weighted.begin() + 5, weighted.end());
  scan.Add(0, first, tree);
  scan.Add(2, second, tree);
  scan.Remove(7);
  RepresentativeMerger merger(model, {});
  for (RecordId record = 0; record < kRecords; ++record) {
    LabelScan::Query query;
    LabelScan::Workspace work;
    LabelScan::Query* const queries[] = {&query};
    scan.Load(trees[record], query);
    for (size_t shelf = 0; shelf < 4; ++shelf) scan.Find(shelf, 1, 2, 100, queries, work);
    std::map<LabelScan::Item, Units> found;
    for (const LabelScan::Found& one : query.found()) {
      RC_ASSERT(found.emplace(one.item, one.key).second);
    }
    RC_ASSERT(found.count(7) == 0);
    for (RecordId other = 0; other < kRecords; ++other) {
      if (other == 7) continue;
      const bool may_meet = merger.Similarity(trees[record], trees[other], kClassSize) > 0;
      if (may_meet) RC_ASSERT(found.count(other) == 1);
      if (found.count(other) == 0) continue;
      // Sums are rounded by a quarter, and by half a unit for each label; labels that one record has are left out.
      const Units most = CommonLabels(scene.data, trees[record], trees[other]);
      const Units weight = trees[other].kept() / 2;
      const Units slack = trees[record].kept() / 4 + trees[other].kept() / 8 + kLabelUnits;
      RC_ASSERT(weight - found[other] <= most + slack);
    }
  }
}

TEST(LabelScanTest, ProposesTheNearestOfMany) {
  // Of 3,000 records, in blocks of 2,048, the best proposals hold nearly all that the bound of labels would choose.
  const Scene scene = [] {
    Scene made;
    made.data = RandomForest(5, {.records = 3000, .classes = 3, .plenty = true, .once = false});
    return made;
  }();
  const TreeModel model(scene.data, scene.rule);
  const Items items(model);
  const auto& [trees, all, weighted] = items;
  const LabelScan::VisitTree tree = items.visitor();
  LabelScan scan(model);
  scan.ChooseLabels(all, tree);
  scan.Add(1, weighted, tree);
  size_t hits = 0;
  for (RecordId record = 0; record < Cases(40); ++record) {
    LabelScan::Query query;
    LabelScan::Workspace work;
    LabelScan::Query* const queries[] = {&query};
    scan.Load(trees[record], query);
    scan.Find(1, 1, 2, 64, queries, work);
    EXPECT_EQ(query.found().size(), 64U);
    std::set<LabelScan::Item> proposed;
    for (const LabelScan::Found& found : query.found()) proposed.insert(found.item);
    std::vector<std::pair<Units, RecordId>> by_bound;
    for (RecordId other = 0; other < 3000; ++other) {
      by_bound.emplace_back(
          trees[other].kept() / 2 - CommonLabels(scene.data, trees[record], trees[other]), other);
    }
    std::sort(by_bound.begin(), by_bound.end());
    for (size_t i = 0; i < 8; ++i) hits += proposed.count(by_bound[i].second);
  }
  EXPECT_GE(hits, Cases(40) * 8 * 9 / 10);
}

TEST(LabelScanTest, GapsAreClosed) {
  const EncodedDataset data = RandomForest(9, {.records = 5000, .classes = 1, .plenty = true});
  const TreeModel model(data, {});
  const auto tree = [&](LabelScan::Item item,
                        const std::function<void(const Representative&)>& visit) {
    visit(Representative::Of(model, item, kClassSize));
  };
  LabelScan scan(model);
  std::vector<LabelScan::Item> items;
  for (RecordId record = 0; record < 5000; ++record) items.push_back(record);
  scan.ChooseLabels(items, tree);
  std::set<LabelScan::Item> there;
  const auto add = [&](RecordId begin, RecordId end) {
    std::vector<LabelScan::Weighted> weighted;
    for (RecordId record = begin; record < end; ++record) {
      weighted.push_back({record, Representative::Of(model, record, kClassSize).kept()});
      there.insert(record);
    }
    scan.Add(1, weighted, tree);
  };
  add(0, 4500);
  for (RecordId record = 0; record < 4400; ++record) {
    scan.Remove(record);
    there.erase(record);
  }
  add(4500, 5000);
  scan.Remove(4600);
  there.erase(4600);
  LabelScan::Query query;
  LabelScan::Workspace work;
  LabelScan::Query* const queries[] = {&query};
  scan.Load(Representative::Of(model, 0, kClassSize), query);
  scan.Find(1, 1, 2, 5000, queries, work);
  std::set<LabelScan::Item> found;
  for (const LabelScan::Found& one : query.found()) found.insert(one.item);
  EXPECT_EQ(found, there);
}

}  // namespace
}  // namespace thicket::label_scan_test
