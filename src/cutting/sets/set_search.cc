#include "cutting/sets/set_search.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "cutting/sets/conflicts.h"
#include "cutting/sets/itemset_tree.h"
#include "cutting/sets/rare_itemsets.h"
#include "cutting/sets/set_problem.h"

namespace thicket {

namespace {

using Clock = std::chrono::steady_clock;
using Proof = BestCuts::Proof;

class ProposalSearch {
 public:
  ProposalSearch(const ItemSets& sets, const OgOptions& options, Parallel& parallel,
                 Progress& progress)
      : sets_(sets),
        options_(options),
        progress_(progress),
        conflicts_(sets),
        rare_(sets, parallel) {}

  SetAnswer Run(std::span<const SetPromise> levels) {
    answer_.all_cuts = sets_.forest().CountCuts();
    if (!FindValid(levels)) return Conclude();
    valid_ = proposed_;
    while (!IsProven()) {
      BestCuts best = Propose(true);
      if (best.cuts.front().cost >= valid_->cost) {
        proof_ = best.proof;
        break;
      }
      if (!FindsThreats(best.cuts.front().labels, levels.back())) {
        valid_ = best.cuts.front();
        proof_ = best.proof;
        if (best.proof == Proof::kStopped) break;
      }
    }
    return Conclude();
  }

 private:
  // Proposes cuts until one is valid; false if none is.
  bool FindValid(std::span<const SetPromise> levels) {
    for (size_t level = 0; level < levels.size(); ++level) {
      // A good cut does to look for threats: it need not be the cheapest.
      size_t proposals = 0;
      do {
        if (TimeLeft() == 0.0) return FindValidInHaste(levels.back());
        if (!ProposeGood()) return false;
        ++proposals;
      } while (FindsThreats(proposed_.labels, levels[level]));
      // Where a level forbids nothing, the last one may forbid nothing, either.
      const bool may_end = proposals == 1 && level + 1 < levels.size() && level > 0;
      if (may_end && !levels[level].GuardsSensitive() &&
          !FindsThreats(proposed_.labels, levels.back())) {
        break;
      }
    }
    return true;
  }

  // No item of a conflict that is found from now on is specialized, so that a few proposals are enough.
  bool FindValidInHaste(const SetPromise& promise) {
    hasty_ = conflicts_;
    for (;;) {
      if (!ProposeGood()) return false;
      const size_t known = conflicts_.size();
      if (!FindsThreats(proposed_.labels, promise)) break;
      for (size_t i = known; i < conflicts_.size(); ++i) {
        if (conflicts_[i].empty()) hasty_->Add({});
        for (const Item item : conflicts_[i]) hasty_->Add({&item, 1});
      }
    }
    hasty_.reset();
    return true;
  }

  bool ProposeGood() {
    BestCuts best = Propose(false);
    if (best.cuts.empty()) return false;
    proposed_ = std::move(best.cuts.front());
    return true;
  }

  // The cheapest cut that avoids the conflicts, or a good one.
  BestCuts Propose(bool is_to_be_proven) {
    Conflicts& conflicts = hasty_ ? *hasty_ : conflicts_;
    conflicts.Reduce();
    const SetSpace space(conflicts, true);
    SetProblem problem(space, {.by_conflicts = is_to_be_proven});
    BranchAndBoundOptions search{.alpha = options_.alpha};
    if (is_to_be_proven) {
      search.limit_s = TimeLeft();
      // Its labels may be above what this space begins with, at the same cost.
      search.known.push_back({{}, valid_->cost});
    } else {
      search.limit_cuts = kCutsPerProposal + 2 * sets_.forest().size();
    }
    BestCuts best = FindBestCuts(problem, search, progress_);
    for (CutAnswer& cut : best.cuts) cut.labels = space.Labels(cut.labels);
    answer_.cuts += best.examined;
    judged_ += best.judged;
    counted_valid_ += best.valid;
    if (!best.cuts.empty() && !hasty_) bound_ = std::max(bound_, best.bound);
    return best;
  }

  std::optional<double> TimeLeft() const {
    if (!options_.limit_s) return std::nullopt;
    const std::chrono::duration<double> passed = Clock::now() - begin_;
    return std::max(0.0, *options_.limit_s - passed.count());
  }

  bool IsProven() const { return bound_ >= valid_->cost; }

  // Whether a cut is not valid; its conflicts are kept.
  bool FindsThreats(std::span<const Item> cut, const SetPromise& level) {
    // Where there are not even k records, everything that is known is a threat.
    const bool has_k = sets_.record_count() >= level.k;
    if (level.k > 1 && has_k && rare_.Find(cut, level, conflicts_, hasty_.has_value())) return true;
    if (!level.GuardsSensitive() && has_k) return false;
    std::vector<Item> labels;
    const ItemSets general = sets_.Generalized(cut, labels);
    Conflicts found(general);
    const SetPrunings prunings{.global = false, .covered = true};
    const TreeCount count = GrowItemsetTree(general, level, prunings, found);
    nodes_ += count.nodes;
    threats_ += count.threats;
    for (size_t i = 0; i < found.size(); ++i) {
      std::vector<Item> items;
      for (const Item item : found[i]) items.push_back(labels[item]);
      conflicts_.Add(LowestItems(sets_, items));
    }
    return found.size() > 0;
  }

  SetAnswer Conclude() {
    BestCuts& best = answer_.best;
    answer_.nodes = nodes_ + rare_.nodes();
    answer_.threats = threats_ + rare_.threats();
    best.examined = answer_.cuts;
    best.judged = judged_;
    best.valid = counted_valid_;
    if (!valid_) return std::move(answer_);
    best.cuts = {*valid_};
    best.bound = std::min(bound_, valid_->cost);
    best.proof = IsProven() ? Proof::kOptimal : proof_;
    return std::move(answer_);
  }

  // Beside two for each item: enough for a way down and some of what is beside it.
  static constexpr uint64_t kCutsPerProposal = 1000;

  const ItemSets& sets_;
  const OgOptions& options_;
  Progress& progress_;
  const Clock::time_point begin_ = Clock::now();
  Conflicts conflicts_;
  // Once time is up: more than there are.
  std::optional<Conflicts> hasty_;
  RareItemsets rare_;
  CutAnswer proposed_;
  // The cheapest valid cut so far.
  std::optional<CutAnswer> valid_;
  // Proven: no valid cut costs less.
  CutProblem::Cost bound_ = 0;
  Proof proof_ = Proof::kStopped;
  uint64_t nodes_ = 0;
  uint64_t threats_ = 0;
  uint64_t judged_ = 0;
  uint64_t counted_valid_ = 0;
  SetAnswer answer_;
};

}  // namespace

std::vector<SetPromise> LevelsOf(const SetPromise& promise) {
  std::vector<SetPromise> levels;
  SetPromise level = promise;
  level.m = level.n = 0;
  while (level.m < promise.m || level.n < promise.n) {
    ++(level.m < promise.m ? level.m : level.n);
    levels.push_back(level);
  }
  return levels;
}

std::vector<SetPromise> SteppedLevelsOf(const SetPromise& promise) {
  std::vector<SetPromise> levels;
  // All up to 4, then half as much again.
  const auto step = [](uint32_t from, uint32_t most) {
    return from < 4 ? from + 1 : std::min(most, from + from / 2);
  };
  SetPromise level = promise;
  level.m = level.n = 0;
  while (level.m < promise.m || level.n < promise.n) {
    if (level.m < promise.m) {
      level.m = step(level.m, promise.m);
    } else {
      level.n = step(level.n, promise.n);
    }
    levels.push_back(level);
  }
  return levels;
}

bool HoldsAsItIs(const ItemSets& sets, const SetPromise& promise, Parallel& parallel) {
  if (promise.GuardsSensitive() || sets.record_count() < promise.k) return false;
  if (promise.k <= 1) return true;
  std::vector<Item> leaves;
  for (Item item = 0; item < sets.forest().size(); ++item) {
    if (sets.forest().is_leaf(item)) leaves.push_back(item);
  }
  return !RareItemsets(sets, parallel).FindAny(leaves, promise);
}

SetAnswer SearchSets(const ItemSets& sets, std::span<const SetPromise> levels,
                     const OgOptions& options, Parallel& parallel, Progress& progress) {
  return ProposalSearch(sets, options, parallel, progress).Run(levels);
}

}  // namespace thicket
