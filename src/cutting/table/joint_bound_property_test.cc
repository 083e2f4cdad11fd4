// What all attributes pay at once, against every cut of random subtrees: whichever attribute each class pays for, no cut costs
// less.
#include "cutting/table/joint_bound.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "cutting/table/attribute_bound.h"
#include "cutting/table/cut_judge.h"
#include "cutting/table/table_case_test.h"
#include "testing/naive_cuts.h"

namespace thicket::joint_bound_property_test {
namespace {

using table_case_test::DrawTableCase;
using table_case_test::TableCase;
using testing::NaiveCut;
using testing::NaiveCuts;
using Cost = JointBound::Cost;

// Any cut, and a floor below it.
struct Subtree {
  std::vector<bool> is_above;
  // By item: the label of the cut, and of the floor, at or above it.
  std::vector<Item> top;
  std::vector<Item> floor;

  Subtree(const ItemForest& forest, Random& random)
      : is_above(forest.size(), false), top(forest.size()), floor(forest.size()) {
    std::vector<bool> may_be_specialized(forest.size(), false);
    for (Item item = 0; item < forest.size(); ++item) {
      const Item parent = forest.parent(item);
      const bool is_root = forest.is_root(item);
      const bool is_free = is_root || is_above[parent];
      is_above[item] = is_free && !forest.is_leaf(item) && random.Below(3) == 0;
      top[item] = is_free ? item : top[parent];
      may_be_specialized[item] = is_above[item] || (!forest.is_leaf(item) && random.Below(4) > 0);
      const bool is_shown = is_root || (floor[parent] == parent && may_be_specialized[parent]);
      floor[item] = is_shown ? item : floor[parent];
    }
  }
  bool Has(const NaiveCut& labels) const {
    return std::all_of(labels.begin(), labels.end(),
                       [&](Item label) { return !is_above[label] && floor[label] == label; });
  }
};

// By class and attribute: what its items share, and pay beside.
using Shares = std::vector<std::vector<std::map<Item, AttributeBound::ItemCost>>>;

// By counts alone, where these say something.
Shares SharesOf(const TableCase& one, const SearchForest& items, const Subtree& subtree,
                bool by_counts) {
  const Atoms atoms = Atoms::Of(one.table, items).Merged(subtree.floor);
  std::map<std::vector<Item>, std::vector<uint32_t>> classes;
  for (uint32_t atom = 0; atom < atoms.size(); ++atom) {
    std::vector<Item> labels;
    for (const Item label : atoms.labels(atom)) labels.push_back(subtree.top[label]);
    classes[labels].push_back(atom);
  }
  AttributeBound bound(one.task, items);
  Shares shares;
  for (const auto& [labels, members] : classes) {
    Cost loss = 0;
    for (const Item label : labels) loss += items.loss(label);
    shares.emplace_back(labels.size());
    if (by_counts) {
      std::vector<AttributeBound::Asked> asked;
      for (size_t quasi = 0; quasi < labels.size(); ++quasi)
        asked.push_back({quasi, labels[quasi]});
      std::vector<AttributeBound::ItemCost> costs;
      std::vector<size_t> ends;
      bound.MeasureCounts(atoms, members, asked, loss, costs, ends);
      for (size_t quasi = 0, i = 0; quasi < labels.size(); ++quasi) {
        for (; i < ends[quasi]; ++i) shares.back()[quasi].emplace(costs[i].item, costs[i]);
      }
      continue;
    }
    for (size_t quasi = 0; quasi < labels.size(); ++quasi) {
      std::vector<AttributeBound::ItemCost> costs;
      bound.Measure(atoms, members, labels[quasi], quasi, loss - items.loss(labels[quasi]), costs);
      for (const auto& cost : costs) shares.back()[quasi].emplace(cost.item, cost);
    }
  }
  return shares;
}

RC_GTEST_PROP(JointBound, NoCutCostsLessWhicheverAttributePays, ()) {
  const uint64_t seed = *rc::gen::arbitrary<uint64_t>();
  const TableCase one = DrawTableCase(seed);
  const SearchForest items(one.task, *rc::gen::arbitrary<bool>());
  Random random = Random::Seeded(seed);
  CutJudge judge(one.task);
  std::vector<std::pair<NaiveCut, CutOutcome>> cuts;
  for (const NaiveCut& labels : NaiveCuts(items.forest())) {
    cuts.emplace_back(labels, judge.Judge(items.Labels(labels)));
  }
  const bool is_lm = one.task.goal().metric == TableMetric::kLm;
  const bool is_dm = one.task.goal().metric == TableMetric::kDm;
  const bool has_counts =
      is_dm || (is_lm && (one.task.goal().suppression == Suppression::kViolatingRecords ||
                          one.task.goal().suppression == Suppression::kNone));
  for (int draw = 0; draw < 10; ++draw) {
    const Subtree subtree(items.forest(), random);
    const Shares shares = SharesOf(one, items, subtree, has_counts && random.Below(2) == 0);
    std::vector<size_t> payer(shares.size());
    for (size_t& quasi : payer) quasi = random.Below(items.quasi_count());
    for (const auto& [labels, outcome] : cuts) {
      if (!outcome.valid || !subtree.Has(labels)) continue;
      Cost bound = 0;
      for (const Item label : labels) {
        if (is_lm) bound += items.occurrences(label) * items.loss(label);
        for (size_t number = 0; number < shares.size(); ++number) {
          const size_t quasi = items.quasi_of(label);
          const auto found = shares[number][quasi].find(label);
          if (found == shares[number][quasi].end()) continue;
          bound = AttributeBound::Sum(bound, found->second.own);
          if (quasi == payer[number]) bound = AttributeBound::Sum(bound, found->second.shared);
        }
      }
      RC_ASSERT(bound <= outcome.cost);
    }
  }
}

// With LM what counts say is all that there is to say.
RC_GTEST_PROP(AttributeBound, MeasuresTheSameByCounts, ()) {
  const uint64_t seed = *rc::gen::arbitrary<uint64_t>();
  const TableCase one = DrawTableCase(seed);
  const Suppression scheme = one.task.goal().suppression;
  if (one.task.goal().metric != TableMetric::kLm) return;
  if (scheme != Suppression::kViolatingRecords && scheme != Suppression::kNone) return;
  const SearchForest items(one.task, *rc::gen::arbitrary<bool>());
  Random random = Random::Seeded(seed);
  for (int draw = 0; draw < 5; ++draw) {
    const Subtree subtree(items.forest(), random);
    const Shares by_atoms = SharesOf(one, items, subtree, false);
    const Shares by_counts = SharesOf(one, items, subtree, true);
    RC_ASSERT(by_atoms.size() == by_counts.size());
    for (size_t number = 0; number < by_atoms.size(); ++number) {
      for (size_t quasi = 0; quasi < items.quasi_count(); ++quasi) {
        const auto& counted = by_counts[number][quasi];
        for (const auto& [item, cost] : by_atoms[number][quasi]) {
          const auto found = counted.find(item);
          RC_ASSERT(cost.shared == (found == counted.end() ? 0 : found->second.shared));
          RC_ASSERT(cost.own == (found == counted.end() ? 0 : found->second.own));
        }
        RC_ASSERT(counted.size() <= by_atoms[number][quasi].size());
      }
    }
  }
}

}  // namespace
}  // namespace thicket::joint_bound_property_test
