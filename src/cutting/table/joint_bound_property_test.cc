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

// By class and attribute: what its items share.
using Shares = std::vector<std::vector<std::map<Item, Cost>>>;

Shares SharesOf(const TableCase& one, const SearchForest& items, const Subtree& subtree) {
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
    for (size_t quasi = 0; quasi < labels.size(); ++quasi) {
      std::vector<AttributeBound::ItemCost> costs;
      bound.Measure(atoms, members, labels[quasi], quasi, loss - items.loss(labels[quasi]), costs);
      for (const auto& cost : costs) shares.back()[quasi][cost.item] = cost.shared;
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
  for (int draw = 0; draw < 10; ++draw) {
    const Subtree subtree(items.forest(), random);
    const Shares shares = SharesOf(one, items, subtree);
    std::vector<size_t> payer(shares.size());
    for (size_t& quasi : payer) quasi = random.Below(items.quasi_count());
    for (const auto& [labels, outcome] : cuts) {
      if (!outcome.valid || !subtree.Has(labels)) continue;
      Cost bound = 0;
      for (const Item label : labels) {
        if (is_lm) bound += items.occurrences(label) * items.loss(label);
        for (size_t number = 0; number < shares.size(); ++number) {
          const auto& of_attribute = shares[number][payer[number]];
          const auto found = of_attribute.find(label);
          if (found != of_attribute.end()) bound = AttributeBound::Sum(bound, found->second);
        }
      }
      RC_ASSERT(bound <= outcome.cost);
    }
  }
}

}  // namespace
}  // namespace thicket::joint_bound_property_test
