#include "cutting/table/annealing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "cutting/table/best_answers.h"

namespace thicket {

namespace {

using Clock = std::chrono::steady_clock;
using Cost = TableTask::Cost;

// Some items, of which one can be drawn, put in and taken out in constant time.
class ItemPool {
 public:
  explicit ItemPool(size_t items) : place_(items, kNowhere) {}

  size_t size() const { return items_.size(); }
  Item at(size_t place) const { return items_[place]; }
  void Set(Item item, bool in) {
    if (in == (place_[item] != kNowhere)) return;
    if (in) {
      place_[item] = static_cast<uint32_t>(items_.size());
      items_.push_back(item);
      return;
    }
    const Item last = items_.back();
    items_[place_[item]] = last;
    place_[last] = place_[item];
    items_.pop_back();
    place_[item] = kNowhere;
  }

 private:
  static constexpr uint32_t kNowhere = ~uint32_t{0};
  std::vector<Item> items_;
  // By item.
  std::vector<uint32_t> place_;
};

// A cut, the values of it that can be specialized, and those right above it that can take the place of their children.
class WalkingCut {
 public:
  explicit WalkingCut(const Table& table)
      : table_(table),
        is_label_(table.forest().size(), false),
        labels_below_(table.forest().size(), 0),
        fine_(table.forest().size()),
        coarse_(table.forest().size()) {
    for (const Item root : table.forest().roots()) Add(root);
  }

  size_t StepCount() const { return fine_.size() + coarse_.size(); }
  // A step is the item that is specialized or takes the place of its children; taken twice it changes nothing.
  Item StepAt(size_t number) const {
    return number < fine_.size() ? fine_.at(number) : coarse_.at(number - fine_.size());
  }
  void Take(Item step) {
    const std::span<const Item> children = table_.forest().Children(step);
    if (is_label_[step]) {
      Remove(step);
      for (const Item child : children) Add(child);
    } else {
      for (const Item child : children) Remove(child);
      Add(step);
    }
  }
  std::vector<Item> Labels() const {
    std::vector<Item> labels;
    for (Item item = 0; item < is_label_.size(); ++item) {
      if (is_label_[item]) labels.push_back(item);
    }
    return labels;
  }

 private:
  void Add(Item item) { Change(item, true); }
  void Remove(Item item) { Change(item, false); }
  void Change(Item item, bool in) {
    const ItemForest& forest = table_.forest();
    is_label_[item] = in;
    // What does not occur stays as high as it is.
    fine_.Set(item, in && !forest.is_leaf(item) && table_.occurrences(item) > 0);
    if (forest.is_root(item)) return;
    const Item parent = forest.parent(item);
    labels_below_[parent] += in ? 1 : -1;
    coarse_.Set(parent, labels_below_[parent] == static_cast<int>(forest.Children(parent).size()));
  }

  const Table& table_;
  std::vector<bool> is_label_;
  // By item: how many of its children are values of the cut.
  std::vector<int> labels_below_;
  ItemPool fine_;
  ItemPool coarse_;
};

class Annealing {
 public:
  Annealing(const TableTask& task, const AnnealingOptions& options, Random& random,
            Progress& progress)
      : options_(options),
        random_(random),
        progress_(progress),
        judge_(task),
        cut_(task.table()),
        best_(options.top_h) {}

  BestCuts Run() {
    progress_.Begin("search", options_.steps);
    const CutOutcome roots = Look();
    if (roots.valid) {
      cost_ = roots.cost;
      for (uint64_t step = 0; step < options_.steps && !IsOver(); ++step) {
        if (cut_.StepCount() == 0) break;
        Step(step);
        progress_.Advance(1);
      }
      found_.proof = BestCuts::Proof::kStopped;
      found_.bound = 0;
    }
    progress_.End();
    found_.cuts = std::move(best_).Take();
    return std::move(found_);
  }

 private:
  bool IsOver() const {
    if (!options_.limit_s) return false;
    return Seconds() >= *options_.limit_s;
  }
  double Seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  CutOutcome Look() {
    StopPoint();
    std::vector<Item> labels = cut_.Labels();
    const CutOutcome outcome = judge_.Judge(labels);
    ++found_.examined;
    ++found_.judged;
    if (outcome.valid) {
      ++found_.valid;
      best_.Offer(std::move(labels), outcome.cost);
    }
    return outcome;
  }

  void Step(uint64_t number) {
    const Item step = cut_.StepAt(static_cast<size_t>(random_.Below(cut_.StepCount())));
    cut_.Take(step);
    const CutOutcome outcome = Look();
    if (outcome.valid && Accepts(outcome.cost, number)) {
      cost_ = outcome.cost;
    } else {
      cut_.Take(step);
    }
  }

  bool Accepts(Cost cost, uint64_t step) {
    if (cost <= cost_) return true;
    const auto rise = static_cast<double>(cost - cost_);
    if (rises_ < kFirstRises) {
      sum_of_rises_ += rise;
      ++rises_;
    }
    const double highest = sum_of_rises_ / static_cast<double>(rises_);
    return random_.Uniform() < std::exp(-rise / (highest * std::pow(kCooling, Share(step))));
  }
  // How much of the search is over: of its steps, or of its time if that is shorter.
  double Share(uint64_t step) const {
    const double of_steps = static_cast<double>(step) / static_cast<double>(options_.steps);
    if (!options_.limit_s || *options_.limit_s <= 0) return of_steps;
    return std::min(1.0, std::max(of_steps, Seconds() / *options_.limit_s));
  }

  static constexpr uint64_t kFirstRises = 100;
  static constexpr double kCooling = 1e-4;

  const AnnealingOptions& options_;
  Random& random_;
  Progress& progress_;
  CutJudge judge_;
  WalkingCut cut_;
  Cost cost_ = 0;
  BestAnswers best_;
  BestCuts found_;
  double sum_of_rises_ = 0;
  uint64_t rises_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

TableAnswer FindCutsByAnnealing(const TableTask& task, const AnnealingOptions& options,
                                Random& random, Progress& progress) {
  TableAnswer answer;
  answer.best = Annealing(task, options, random, progress).Run();
  answer.all_cuts = task.table().forest().CountCuts();
  return answer;
}

}  // namespace thicket
