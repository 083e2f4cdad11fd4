#include "cutting/table/incognito.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "cutting/table/best_answers.h"

namespace thicket {

namespace {

using Clock = std::chrono::steady_clock;
using Cost = TableTask::Cost;

// By quasi-identifier: a level of its taxonomy.
using Levels = std::vector<uint16_t>;

// The levels of all taxonomies. Of values that do not occur a level shows the highest below those that do.
class Lattice {
 public:
  explicit Lattice(const TableTask& task) {
    const Table& table = task.table();
    const ItemForest& forest = table.forest();
    std::vector<uint16_t> depth(forest.size(), 0);
    for (Item item = 0; item < forest.size(); ++item) {
      if (!forest.is_root(item))
        depth[item] = static_cast<uint16_t>(depth[forest.parent(item)] + 1);
    }
    const auto occurs = [&](Item item) {
      return forest.is_root(item) || table.occurrences(item) > 0;
    };
    levels_.resize(table.quasi_count());
    for (size_t quasi = 0; quasi < table.quasi_count(); ++quasi) {
      const Item first = table.first_item(quasi);
      const Item end = table.first_item(quasi + 1);
      uint16_t deepest = 0;
      for (Item item = first; item < end; ++item) {
        if (occurs(item)) deepest = std::max(deepest, depth[item]);
      }
      levels_[quasi].resize(size_t{deepest} + 1);
      for (Item item = first; item < end; ++item) {
        if (!occurs(item) && !occurs(forest.parent(item))) continue;
        const bool stays = forest.is_leaf(item) || !occurs(item);
        const uint16_t last = stays ? deepest : depth[item];
        for (uint16_t level = depth[item]; level <= last; ++level) {
          levels_[quasi][level].labels.push_back(item);
          levels_[quasi][level].loss += table.occurrences(item) * task.loss(item);
        }
      }
    }
  }

  size_t quasi_count() const { return levels_.size(); }
  uint16_t Deepest(size_t quasi) const { return static_cast<uint16_t>(levels_[quasi].size() - 1); }
  std::vector<Item> Labels(const Levels& node) const {
    std::vector<Item> labels;
    for (size_t quasi = 0; quasi < node.size(); ++quasi) {
      const std::vector<Item>& some = levels_[quasi][node[quasi]].labels;
      labels.insert(labels.end(), some.begin(), some.end());
    }
    return labels;
  }
  // What all records lose by these labels, if none is left out.
  Cost Loss(const Levels& node) const {
    Cost loss = 0;
    for (size_t quasi = 0; quasi < node.size(); ++quasi) loss += levels_[quasi][node[quasi]].loss;
    return loss;
  }
  double NodeCount() const {
    double count = 1;
    for (const auto& levels : levels_) count *= static_cast<double>(levels.size());
    return count;
  }

 private:
  struct Level {
    std::vector<Item> labels;
    Cost loss = 0;
  };
  std::vector<std::vector<Level>> levels_;
};

bool IsKAnonymity(const TablePromise& promise) {
  return std::all_of(promise.theta.begin(), promise.theta.end(), [](const Fraction& theta) {
    return !(theta < Fraction{1, 1});
  });
}

// The task that leaves out as few records as any: its suppressed records are F(node).
TableTask FewestTask(const TableTask& task) {
  TableGoal goal{.promise = task.goal().promise,
                 .suppression = Suppression::kViolatingRecords,
                 .metric = TableMetric::kDm};
  return {task.table(), std::move(goal)};
}

class Search {
 public:
  Search(const TableTask& task, const IncognitoOptions& options, Parallel& parallel,
         Progress& progress)
      : task_(task),
        options_(options),
        parallel_(parallel),
        progress_(progress),
        lattice_(task),
        fewest_task_(FewestTask(task)),
        best_(options.top_h) {
    const TableGoal& goal = task.goal();
    const bool one_attribute = task.table().sensitive_count() <= 1;
    const bool fewest_by_scheme =
        goal.suppression == Suppression::kViolatingRecords || IsKAnonymity(goal.promise);
    const bool leaves_out = SuppressesRecords(goal.suppression);
    knows_fewest_ = leaves_out && (fewest_by_scheme || one_attribute);
    asks_fewest_ = knows_fewest_ && !fewest_by_scheme;
    for (size_t quasi = 0; quasi < lattice_.quasi_count(); ++quasi) {
      most_loss_ += task.loss(task.table().first_item(quasi));
    }
    for (size_t worker = 0; worker < parallel.threads(); ++worker) {
      judges_.emplace_back(task);
      if (asks_fewest_) fewest_judges_.emplace_back(fewest_task_);
    }
  }

  TableAnswer Run() {
    progress_.Begin("search", 0);
    Layer layer;
    layer[Levels(lattice_.quasi_count(), 0)] = {};
    Descend();
    while (!layer.empty()) {
      Layer next;
      if (!Walk(layer, next)) break;
      layer = std::move(next);
    }
    progress_.End();
    return Conclude();
  }

 private:
  // A node that was reached.
  struct Reached {
    // How many nodes right above it were passed.
    uint32_t passed_above = 0;
    // So many records go, in all of its specializations.
    uint64_t fewest = 0;
  };
  using Layer = std::map<Levels, Reached>;
  struct Judged {
    CutOutcome outcome;
    uint64_t fewest = 0;
  };

  bool IsOver() const {
    if (!options_.limit_s) return false;
    return std::chrono::duration<double>(Clock::now() - start_).count() >= *options_.limit_s;
  }

  // A first answer: from the roots, each time to the cheapest of the nodes right below, until none is cheaper.
  void Descend() {
    Levels here(lattice_.quasi_count(), 0);
    JudgeAll({here});
    const CutOutcome& roots = judged_.at(here).outcome;
    if (!roots.valid) return;
    for (Cost cost = roots.cost; !IsOver();) {
      std::vector<Levels> below;
      for (size_t quasi = 0; quasi < here.size(); ++quasi) {
        if (here[quasi] == lattice_.Deepest(quasi)) continue;
        below.push_back(here);
        ++below.back()[quasi];
      }
      JudgeAll(below);
      const Levels* cheapest = nullptr;
      for (const Levels& node : below) {
        const CutOutcome& outcome = judged_.at(node).outcome;
        if (!outcome.valid || outcome.cost >= cost) continue;
        cost = outcome.cost;
        cheapest = &node;
      }
      if (cheapest == nullptr) return;
      here = *cheapest;
    }
  }

  // Judges those that are not known yet, and offers them as answers.
  void JudgeAll(const std::vector<Levels>& nodes) {
    std::vector<Levels> fresh;
    for (const Levels& node : nodes) {
      if (!judged_.contains(node)) fresh.push_back(node);
    }
    std::vector<Judged> results(fresh.size());
    parallel_.For(fresh.size(), 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        StopPoint();
        const std::vector<Item> labels = lattice_.Labels(fresh[i]);
        results[i].outcome = judges_[worker].Judge(labels);
        if (asks_fewest_) {
          results[i].fewest = fewest_judges_[worker].Judge(labels).suppressed_records;
        } else if (knows_fewest_) {
          results[i].fewest = results[i].outcome.suppressed_records;
        }
      }
    });
    for (size_t i = 0; i < fresh.size(); ++i) {
      const CutOutcome& outcome = results[i].outcome;
      ++found_.examined;
      ++found_.judged;
      found_.valid += outcome.valid ? 1 : 0;
      if (outcome.valid) best_.Offer(lattice_.Labels(fresh[i]), outcome.cost);
      judged_.emplace(fresh[i], results[i]);
    }
    progress_.Advance(fresh.size());
  }

  // No specialization of a node costs less, if so many records go. Those that stay lose nothing at best.
  Cost BoundBelow(uint64_t fewest) const { return fewest * task_.record_cost(); }
  // Nor does the node itself: who goes costs at least what all labels together can lose, so much more than that.
  Cost BoundOf(const Levels& node, uint64_t fewest) const {
    const Cost below = BoundBelow(fewest);
    if (task_.goal().metric != TableMetric::kLm) return below;
    if (!SuppressesRecords(task_.goal().suppression)) return lattice_.Loss(node);
    if (task_.record_cost() < most_loss_) return below;
    return std::max(below, lattice_.Loss(node) + fewest * (task_.record_cost() - most_loss_));
  }

  uint32_t CountAbove(const Levels& node) const {
    return static_cast<uint32_t>(
        std::count_if(node.begin(), node.end(), [](uint16_t level) { return level > 0; }));
  }

  // Whether there was time for all of a layer. What is reached below it goes to `next`.
  bool Walk(Layer& layer, Layer& next) {
    std::vector<std::pair<Levels, Reached>> nodes;
    for (auto& [node, reached] : layer) {
      if (reached.passed_above == CountAbove(node)) nodes.emplace_back(node, reached);
    }
    for (size_t begin = 0; begin < nodes.size(); begin += kTogether) {
      const size_t end = std::min(nodes.size(), begin + kTogether);
      if (IsOver() || next.size() > kMostReached) {
        for (size_t i = begin; i < nodes.size(); ++i) PassOver(nodes[i].second.fewest);
        for (const auto& [node, reached] : next) PassOver(reached.fewest);
        return false;
      }
      std::vector<Levels> wanted;
      for (size_t i = begin; i < end; ++i) {
        const auto& [node, reached] = nodes[i];
        if (DecidesBelow() || BoundOf(node, reached.fewest) < best_.Limit()) wanted.push_back(node);
      }
      JudgeAll(wanted);
      for (size_t i = begin; i < end; ++i) Pass(nodes[i].first, nodes[i].second, next);
    }
    return true;
  }

  // Whether a node that is not valid says so of everything below.
  bool DecidesBelow() const {
    const TableGoal& goal = task_.goal();
    return goal.suppression == Suppression::kNone ||
           (SuppressesValues(goal.suppression) && goal.promise.k > 1);
  }

  void Pass(const Levels& node, const Reached& reached, Layer& next) {
    uint64_t fewest = reached.fewest;
    const auto found = judged_.find(node);
    if (found != judged_.end()) {
      if (!found->second.outcome.valid) return;
      fewest = std::max(fewest, found->second.fewest);
      // A layer is never come back to.
      judged_.erase(found);
    }
    if (BoundBelow(fewest) >= best_.Limit()) return;
    for (size_t quasi = 0; quasi < node.size(); ++quasi) {
      if (node[quasi] == lattice_.Deepest(quasi)) continue;
      Levels below = node;
      ++below[quasi];
      Reached& there = next[below];
      ++there.passed_above;
      there.fewest = std::max(there.fewest, fewest);
    }
  }

  void PassOver(uint64_t fewest) {
    stopped_ = true;
    bound_of_rest_ = std::min(bound_of_rest_, BoundBelow(fewest));
  }

  TableAnswer Conclude() {
    TableAnswer answer;
    answer.all_cuts = lattice_.NodeCount();
    found_.bound = std::min(best_.Limit(), bound_of_rest_);
    const bool any = !best_.empty();
    found_.cuts = std::move(best_).Take();
    if (stopped_) {
      found_.proof = BestCuts::Proof::kStopped;
    } else {
      found_.proof = any ? BestCuts::Proof::kOptimal : BestCuts::Proof::kInfeasible;
    }
    answer.best = std::move(found_);
    return answer;
  }

  // Nodes that are judged without knowing of each other: always the same, so that threads change nothing.
  static constexpr size_t kTogether = 16;
  // More nodes of a layer are not kept.
  static constexpr size_t kMostReached = 1'000'000;

  const TableTask& task_;
  const IncognitoOptions& options_;
  Parallel& parallel_;
  Progress& progress_;
  Lattice lattice_;
  TableTask fewest_task_;
  // By worker.
  std::vector<CutJudge> judges_;
  std::vector<CutJudge> fewest_judges_;
  BestAnswers best_;
  BestCuts found_;
  std::map<Levels, Judged> judged_;
  // Whether F(node) is known, and must be asked for by itself.
  bool knows_fewest_ = false;
  bool asks_fewest_ = false;
  // Of a record with all labels at their roots.
  Cost most_loss_ = 0;
  bool stopped_ = false;
  Cost bound_of_rest_ = CutProblem::kNever;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

TableAnswer FindBestFullDomainCuts(const TableTask& task, const IncognitoOptions& options,
                                   Parallel& parallel, Progress& progress) {
  return Search(task, options, parallel, progress).Run();
}

}  // namespace thicket
