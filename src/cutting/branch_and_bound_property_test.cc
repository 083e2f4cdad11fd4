// The search over cuts against all cuts of random forests, with costs, validity and bounds that follow no rule but the
// contract.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/random.h"
#include "cutting/branch_and_bound.h"
#include "testing/naive_cuts.h"

namespace thicket::branch_and_bound_property_test {
namespace {

using Cost = CutProblem::Cost;
using Proof = BestCuts::Proof;
using testing::NaiveCut;
using testing::NaiveCuts;
using testing::RandomItemForest;

// Costs and validity are drawn for each cut. What is known of a subtree is found by going through all cuts, and told
// with more or less truth as far as the contract goes. Keeps its own account of what is open and what is locked.
class RandomProblem : public CutProblem {
 public:
  explicit RandomProblem(uint64_t seed)
      : random_(Random::Seeded(seed)), forest_(RandomItemForest(random_, 150)) {
    const uint64_t most = random_.Below(2) == 0 ? 8 : 1000;
    const uint64_t invalid_percent = random_.Below(3) * 45;
    for (const NaiveCut& cut : NaiveCuts(forest_)) {
      const bool is_valid = random_.Below(100) >= invalid_percent;
      cost_[cut] = is_valid ? random_.Below(most) : kNever;
    }
    slack_ = random_.Below(3) == 0 ? 0 : random_.Below(most);
    tells_percent_ = random_.Below(3) * 50;
    for (const Item root : forest_.roots()) Add(root);
  }

  const ItemForest& forest() const override { return forest_; }
  void Save() override { saved_.push_back(is_open_); }
  void Restore() override {
    is_open_ = saved_.back();
    saved_.pop_back();
  }
  void Specialize(const OpenCut& cut, Item value) override {
    RC_ASSERT(is_open_.at(value));
    is_open_.erase(value);
    for (const Item child : forest_.Children(value)) Add(child);
    Compare(cut);
  }
  void Lock(const OpenCut& cut, Item value) override {
    RC_ASSERT(is_open_.at(value));
    is_open_.at(value) = false;
    RC_ASSERT(!cut.is_open(value));
  }

  Verdict Judge(const OpenCut& cut) override {
    Compare(cut);
    const NaiveCut labels = Labels();
    RC_ASSERT(!judged_.contains(labels));
    judged_[labels] = true;
    const Cost cost = cost_.at(labels);
    if (cost != kNever) return {Validity::kValid, cost};
    return {Least() == kNever && Tells() ? Validity::kAllInvalid : Validity::kInvalid};
  }
  Cost Bound(const OpenCut& cut) override {
    Compare(cut);
    const Cost least = Least();
    if (least == kNever) return Tells() ? kNever : random_.Below(2000);
    const Cost less = slack_ == 0 ? 0 : random_.Below(slack_ + 1);
    return least < less ? 0 : least - less;
  }
  // Changes with the state.
  uint64_t Weight(const OpenCut& cut, Item value) override {
    return (value * uint64_t{7919} + cut.open().size() * uint64_t{31}) % 11;
  }
  void ListHopeless(const OpenCut& cut, std::vector<Item>& values) override {
    for (const Item value : cut.open()) {
      bool has_hope = false;
      for (const auto& [labels, cost] : cost_) {
        const bool specializes = !std::binary_search(labels.begin(), labels.end(), value);
        has_hope = has_hope || (cost != kNever && specializes && IsInSubtree(labels));
      }
      if (!has_hope && Tells()) values.push_back(value);
    }
  }

  // Costs of the valid cuts, ascending.
  std::vector<Cost> Costs() const {
    std::vector<Cost> costs;
    for (const auto& [labels, cost] : cost_) {
      if (cost != kNever) costs.push_back(cost);
    }
    std::sort(costs.begin(), costs.end());
    return costs;
  }
  const std::map<NaiveCut, Cost>& cost() const { return cost_; }
  void Forget() { judged_.clear(); }

 private:
  void Add(Item item) { is_open_[item] = !forest_.is_leaf(item); }
  bool Tells() { return random_.Below(100) < tells_percent_; }
  NaiveCut Labels() const {
    NaiveCut labels;
    for (const auto& [label, open] : is_open_) labels.push_back(label);
    return labels;
  }
  void Compare(const OpenCut& cut) const {
    RC_ASSERT(cut.Labels() == Labels());
    for (const auto& [label, open] : is_open_) RC_ASSERT(cut.is_open(label) == open);
  }
  bool IsInSubtree(const NaiveCut& labels) const {
    return std::all_of(labels.begin(), labels.end(), [&](Item item) {
      Item above = item;
      while (!is_open_.contains(above) && !forest_.is_root(above)) above = forest_.parent(above);
      const auto found = is_open_.find(above);
      return found != is_open_.end() && (above == item || found->second);
    });
  }
  Cost Least() const {
    Cost least = kNever;
    for (const auto& [labels, cost] : cost_) {
      if (IsInSubtree(labels)) least = std::min(least, cost);
    }
    return least;
  }

  Random random_;
  ItemForest forest_;
  std::map<NaiveCut, Cost> cost_;
  std::map<NaiveCut, bool> judged_;
  Cost slack_ = 0;
  uint64_t tells_percent_ = 0;
  // By label.
  std::map<Item, bool> is_open_;
  std::vector<std::map<Item, bool>> saved_;
};

// What holds of every result, however it came about.
void CheckClaims(const RandomProblem& problem, const BranchAndBoundOptions& options,
                 const BestCuts& found) {
  const std::vector<Cost> costs = problem.Costs();
  RC_ASSERT(found.cuts.size() <= options.best);
  std::map<NaiveCut, Cost> others = problem.cost();
  for (size_t i = 0; i < found.cuts.size(); ++i) {
    const BestCuts::Answer& one = found.cuts[i];
    RC_ASSERT(others.contains(one.labels));
    RC_ASSERT(others.at(one.labels) == one.cost);
    RC_ASSERT(one.cost != CutProblem::kNever);
    others.erase(one.labels);
    if (i > 0) RC_ASSERT(found.cuts[i - 1].cost <= one.cost);
  }
  for (const auto& [labels, cost] : others) RC_ASSERT(cost >= found.bound);
  if (!found.cuts.empty()) RC_ASSERT(costs.front() + found.Gap() >= found.cuts.front().cost);
  const size_t asked = std::min(options.best, costs.size());
  switch (found.proof) {
    case Proof::kInfeasible:
      RC_ASSERT(costs.empty());
      break;
    case Proof::kOptimal:
      RC_ASSERT(found.cuts.size() == asked);
      for (size_t i = 0; i < asked; ++i) RC_ASSERT(found.cuts[i].cost == costs[i]);
      break;
    case Proof::kWithinAlpha:
      RC_ASSERT(options.alpha > 0);
      RC_ASSERT(found.cuts.size() == asked);
      for (size_t i = 0; i < asked; ++i) {
        RC_ASSERT(static_cast<double>(found.cuts[i].cost) <=
                  (1 + options.alpha) * static_cast<double>(costs[i]));
      }
      break;
    case Proof::kStopped:
      RC_ASSERT(options.limit_cuts.has_value() || options.limit_s.has_value());
      break;
  }
}

BestCuts Find(RandomProblem& problem, const BranchAndBoundOptions& options) {
  Progress progress;
  problem.Forget();
  BestCuts found = FindBestCuts(problem, options, progress);
  CheckClaims(problem, options, found);
  return found;
}

BranchAndBoundOptions RandomOptions(Random& random) {
  BranchAndBoundOptions options;
  options.best = random.Below(2) == 0 ? 1 : 1 + random.Below(8);
  options.by_weight = random.Below(2) == 0;
  options.tighten = random.Below(2) == 0;
  return options;
}

RC_GTEST_PROP(BranchAndBound, FindsWhatLookingAtAllCutsFinds, (uint64_t seed)) {
  RandomProblem problem(seed);
  Random random = Random::Seeded(seed + 1);
  const BranchAndBoundOptions options = RandomOptions(random);
  const BestCuts found = Find(problem, options);
  RC_ASSERT(found.proof == (problem.Costs().empty() ? Proof::kInfeasible : Proof::kOptimal));
  // All switches, in one go: the same costs.
  BranchAndBoundOptions other = RandomOptions(random);
  other.best = options.best;
  const BestCuts again = Find(problem, other);
  RC_ASSERT(again.cuts.size() == found.cuts.size());
  for (size_t i = 0; i < found.cuts.size(); ++i) {
    RC_ASSERT(found.cuts[i].cost == again.cuts[i].cost);
  }
}

RC_GTEST_PROP(BranchAndBound, KeepsItsWordWithinAlpha, (uint64_t seed)) {
  RandomProblem problem(seed);
  Random random = Random::Seeded(seed + 1);
  BranchAndBoundOptions options = RandomOptions(random);
  options.alpha = random.Uniform() * (random.Below(2) == 0 ? 0.2 : 2);
  const BestCuts found = Find(problem, options);
  RC_ASSERT(found.proof != Proof::kStopped);
}

RC_GTEST_PROP(BranchAndBound, KnowsItsGapWhereverItIsStopped, (uint64_t seed)) {
  RandomProblem problem(seed);
  Random random = Random::Seeded(seed + 1);
  BranchAndBoundOptions options = RandomOptions(random);
  options.limit_cuts = random.Below(problem.cost().size() + 1);
  if (random.Below(2) == 0) options.alpha = random.Uniform();
  const BestCuts found = Find(problem, options);
  RC_ASSERT(found.examined <= std::max<uint64_t>(1, *options.limit_cuts));
}

}  // namespace
}  // namespace thicket::branch_and_bound_property_test
