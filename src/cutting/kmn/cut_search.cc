#include "cutting/kmn/cut_search.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "base/stop.h"
#include "cutting/kmn/cut_examiner.h"
#include "cutting/kmn/known_shapes.h"
#include "cutting/open_cut.h"

namespace thicket {

namespace {

using Clock = std::chrono::steady_clock;

class Search {
 public:
  Search(const ItemHierarchy& items, const Shapes& shapes, const CutSearchOptions& options,
         Parallel& parallel, Progress& progress)
      : items_(items), options_(options), parallel_(parallel), progress_(progress), known_(shapes) {
    options_.must_stop = [this] { return has_begun_ && MustStop(); };
    for (size_t i = 0; i < parallel.threads(); ++i) {
      examiners_.push_back(std::make_unique<CutExaminer>(items, shapes, options_,
                                                         options.from_scratch ? nullptr : &known_));
    }
    wide_ = std::make_unique<CutExaminer>(items, shapes, options_,
                                          options.from_scratch ? nullptr : &known_, &parallel);
  }

  Result<std::optional<CutSolution>> Run() {
    progress_.Begin("search", 0);
    const std::shared_ptr<Cut> start = Start();
    has_begun_ = true;
    if (options_.method == CutMethod::kAcs) {
      OpenCut open(items_.forest());
      for (const Item root : items_.forest().roots()) {
        const bool is_label = std::binary_search(start->labels.begin(), start->labels.end(), root);
        if (!is_label) open.Specialize(root);
      }
      Deepen(*start, open);
    } else {
      Widen(start);
    }
    if (found_ && options_.cost == CutCost::kLabels && !AsksRelations()) {
      // The limit of time does not end the search between breaking one relation and the next: all must be broken.
      has_begun_ = false;
      best_.broken = wide_->Break(*best_cut_);
      best_.broken_support = SupportsOf(*best_cut_, best_.broken);
    }
    progress_.End();
    if (progress_.cancelled()) return Interrupted();
    if (!found_) return std::optional<CutSolution>();
    best_.cuts = cuts_;
    best_.valid_cuts = valid_cuts_;
    best_.stopped_early = stopped_;
    return std::optional<CutSolution>(std::move(best_));
  }

 private:
  struct Candidate {
    Cut* cut;
    Item label;
    // What the specialized cut costs if no relation has to be broken, once that is known.
    double hope = 0;
    std::optional<Outcome> outcome = std::nullopt;
  };
  // A candidate that waits for its turn.
  struct Waiting {
    // No more than the candidate costs, or is expected to cost: a bound, and once the hope is known, the hope.
    double at_least;
    bool is_hope;
    size_t candidate;

    // Of equals, candidates come first whose hope is not known: a candidate gets its turn only when the hopes of all
    // that could come before it are known.
    friend bool operator<(const Waiting& a, const Waiting& b) {
      return std::tie(a.at_least, a.is_hope, a.candidate) <
             std::tie(b.at_least, b.is_hope, b.candidate);
    }
  };

  // Whether the search must end; once true, true for good.
  bool MustStop() {
    if (progress_.cancelled()) return true;
    if (!options_.limit_s) return false;
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (seconds > *options_.limit_s) stopped_ = true;
    return stopped_;
  }

  // The cut in which all attributes are at their roots if that cut may be published, else the one in which all are left
  // out. Notes the cut if it may be published.
  std::shared_ptr<Cut> Start() {
    std::shared_ptr<Cut> most_general = wide_->MostGeneralCut();
    std::shared_ptr<Cut> cut;
    Outcome outcome;
    for (const ItemHierarchy::Attribute& attribute : items_.attributes()) {
      const Cut& from = cut ? *cut : *most_general;
      outcome = wide_->Examine(from, attribute.left_out);
      progress_.Advance(1);
      if (outcome.is_dead()) break;
      cut = wide_->Descend(from, attribute.left_out, outcome);
    }
    cuts_ = 1;
    if (outcome.kind == Outcome::Kind::kValid) {
      cut->cost = outcome.cost;
      Note(cut, outcome);
      return cut;
    }
    const BrokenRelations none(items_.size());
    if (!AsksRelations() ||
        options_.facts->MayPublish(most_general->label_of, none, std::nullopt)) {
      Outcome empty;
      // Records without labels have an RPD of 1; the synopsis says nothing about them. Under kLoss no cut costs more
      // than 2 for its labels and 1 for its relations.
      if (options_.cost != CutCost::kSynopsis) empty.cost = options_.cost == CutCost::kLoss ? 3 : 1;
      Note(most_general, empty);
    }
    return most_general;
  }

  bool AsksRelations() const {
    return options_.facts != nullptr && options_.facts->asks_relations();
  }

  // Keeps the cut if it is the best so far.
  void Note(const std::shared_ptr<Cut>& cut, const Outcome& outcome) {
    ++valid_cuts_;
    if (found_ && !(outcome.cost < best_.cost)) return;
    found_ = true;
    best_cut_ = cut;
    best_.labels = cut->labels;
    best_.label_of = cut->label_of;
    best_.broken = outcome.broken;
    best_.broken_support = SupportsOf(*cut, outcome.broken);
    best_.cost = outcome.cost;
  }

  static std::vector<uint64_t> SupportsOf(const Cut& cut, const std::vector<Relation>& relations) {
    std::vector<uint64_t> supports;
    for (const Relation& relation : relations) {
      supports.push_back(cut.related.at(std::minmax(relation.above, relation.below))->records);
    }
    return supports;
  }

  // Hands what was found about a cut's other labels down to the cut that the chosen label leads to.
  static void HandDown(const std::vector<Candidate>& candidates, size_t chosen, Cut& below) {
    const Cut& cut = *candidates[chosen].cut;
    below.dearer_with = cut.dearer_with;
    if (candidates[chosen].outcome->kind == Outcome::Kind::kValid) {
      below.cost = candidates[chosen].outcome->cost;
    }
    for (size_t i = 0; i < candidates.size(); ++i) {
      const Candidate& one = candidates[i];
      if (i == chosen || one.cut != &cut || !one.outcome) continue;
      if (!one.outcome->is_dead()) below.rare_before[one.label] = one.outcome->rare;
      if (one.outcome->kind == Outcome::Kind::kValid && cut.cost) {
        below.dearer_with[one.label] = one.outcome->cost - *cut.cost;
      }
    }
  }

  // What a candidate is expected to cost at least, from what the same specialization added to the cost in the cuts
  // above. The finer other labels are, the more relations have to be broken for a specialization, as a rule, while what
  // its own labels lose less stays the same.
  double Expected(const Candidate& one) const {
    if (options_.cost != CutCost::kLoss || !one.cut->cost) return kNothingKnown;
    const auto dearer = one.cut->dearer_with.find(one.label);
    return dearer == one.cut->dearer_with.end() ? kNothingKnown : *one.cut->cost + dearer->second;
  }

  // ACS: every cut below, each once; `open` is the same cut. Open labels are specialized in ascending order.
  void Deepen(Cut& cut, OpenCut& open) {
    Forget();
    std::vector<Item> labels = open.open();
    std::sort(labels.begin(), labels.end());
    std::vector<Candidate> candidates;
    for (const Item label : labels) candidates.push_back({&cut, label});
    if (candidates.empty() || MustStop()) return;
    parallel_.For(candidates.size(), 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end && !progress_.cancelled(); ++i) {
        candidates[i].outcome = examiners_[worker]->Examine(cut, candidates[i].label);
      }
    });
    progress_.Advance(candidates.size());
    if (MustStop()) return;
    for (const Candidate& one : candidates) {
      StopPoint();
      if (one.outcome->is_dead()) open.Lock(one.label);
    }
    cuts_ += candidates.size();
    for (size_t i = 0; i < candidates.size(); ++i) {
      const Outcome& outcome = *candidates[i].outcome;
      if (outcome.is_dead()) continue;
      if (MustStop()) return;
      const std::shared_ptr<Cut> below = wide_->Descend(cut, candidates[i].label, outcome);
      if (outcome.kind == Outcome::Kind::kValid) Note(below, outcome);
      HandDown(candidates, i, *below);
      open.Save();
      open.Specialize(candidates[i].label);
      Deepen(*below, open);
      open.Restore();
      open.Lock(candidates[i].label);
    }
  }

  // GCS and OCS: level by level.
  void Widen(const std::shared_ptr<Cut>& start) {
    std::vector<std::shared_ptr<Cut>> level = {start};
    size_t levels_in_vain = 0;
    while (!level.empty() && levels_in_vain < options_.patience && !MustStop()) {
      const double best_before = best_.cost;
      Forget();
      std::vector<Candidate> candidates = Candidates(level);
      const std::vector<size_t> chosen = Cheapest(candidates);
      if (progress_.cancelled()) return;
      std::vector<std::shared_ptr<Cut>> next = DescendTo(candidates, chosen);
      for (size_t i = 0; i < chosen.size(); ++i) {
        const Outcome& outcome = *candidates[chosen[i]].outcome;
        if (outcome.kind == Outcome::Kind::kValid) Note(next[i], outcome);
      }
      level = std::move(next);
      ForgetAllBut(level);
      levels_in_vain = found_ && best_.cost < best_before ? 0 : levels_in_vain + 1;
    }
  }

  std::vector<std::shared_ptr<Cut>> DescendTo(const std::vector<Candidate>& candidates,
                                              const std::vector<size_t>& chosen) {
    std::vector<std::shared_ptr<Cut>> next;
    for (const size_t i : chosen) {
      const Candidate& one = candidates[i];
      next.push_back(wide_->Descend(*one.cut, one.label, *one.outcome));
      HandDown(candidates, i, *next.back());
    }
    return next;
  }

  // Examiners hold specializations of cuts that may be gone soon.
  void Forget() {
    for (const auto& examiner : examiners_) examiner->Forget();
    wide_->Forget();
  }

  // Below these cuts, only their labels and what is finer are labels.
  void ForgetAllBut(const std::vector<std::shared_ptr<Cut>>& level) {
    std::vector<bool> is_needed(items_.size(), false);
    for (const std::shared_ptr<Cut>& cut : level) {
      for (const Item label : cut->labels) {
        is_needed[label] = true;
        for (const Item child : items_.Children(label)) is_needed[child] = true;
      }
    }
    known_.Retain(is_needed);
  }

  // The specializations of the cuts of a level. A cut that two cuts of the level lead to counts once.
  std::vector<Candidate> Candidates(const std::vector<std::shared_ptr<Cut>>& level) const {
    std::vector<Candidate> candidates;
    std::set<std::vector<Item>> seen;
    for (const std::shared_ptr<Cut>& cut : level) {
      StopPoint();
      for (const Item label : cut->labels) {
        if (cut->closed[label] || items_.is_leaf(label)) continue;
        if (seen.insert(Specialized(*cut, label)).second) candidates.push_back({cut.get(), label});
      }
    }
    return candidates;
  }

  // Looks at candidates in the order of their hopes until the g cheapest are known; candidates that may not be
  // published come last. All threads look at one candidate together: nobody looks at one that does not get its turn.
  std::vector<size_t> Cheapest(std::vector<Candidate>& candidates) {
    std::vector<double> bounds(candidates.size());
    parallel_.For(candidates.size(), 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        bounds[i] = examiners_[worker]->Bound(*candidates[i].cut, candidates[i].label);
      }
    });
    std::set<Waiting> waiting;
    for (size_t i = 0; i < candidates.size(); ++i) waiting.insert({bounds[i], false, i});
    std::vector<size_t> order;
    const auto cost = [&](size_t i) { return candidates[i].outcome->cost; };
    const auto cheaper = [&](size_t a, size_t b) { return cost(a) < cost(b); };
    while (!waiting.empty()) {
      const Waiting first = *waiting.begin();
      if (order.size() >= options_.g && cost(order[options_.g - 1]) <= first.at_least) break;
      if (MustStop()) break;
      Candidate& one = candidates[first.candidate];
      if (!one.outcome) {
        if (HopeAhead(candidates, waiting)) continue;
        one.outcome = wide_->Examine(*one.cut, one.label, one.hope);
        progress_.Advance(1);
        continue;
      }
      waiting.erase(waiting.begin());
      ++cuts_;
      if (one.outcome->is_dead()) {
        one.cut->closed[one.label] = true;
        continue;
      }
      order.insert(std::upper_bound(order.begin(), order.end(), first.candidate, cheaper),
                   first.candidate);
    }
    if (order.size() > options_.g) order.resize(options_.g);
    return order;
  }

  // Finds the hopes of the candidates next in turn, one for each thread. False if these hopes are known.
  bool HopeAhead(std::vector<Candidate>& candidates, std::set<Waiting>& waiting) {
    std::vector<Waiting> next;
    auto one = waiting.begin();
    for (size_t i = 0; i < parallel_.threads() && one != waiting.end(); ++i, ++one) {
      if (!one->is_hope) next.push_back(*one);
    }
    for (const Waiting& each : next) waiting.erase(each);
    parallel_.For(next.size(), 1, [&](size_t worker, size_t begin, size_t end) {
      for (size_t i = begin; i < end && !progress_.cancelled(); ++i) {
        Candidate& candidate = candidates[next[i].candidate];
        candidate.hope = examiners_[worker]->Hope(*candidate.cut, candidate.label);
        next[i].at_least = std::max(candidate.hope, Expected(candidate));
        next[i].is_hope = true;
      }
    });
    waiting.insert(next.begin(), next.end());
    return !next.empty();
  }

  std::vector<Item> Specialized(const Cut& cut, Item label) const {
    std::vector<Item> labels;
    for (const Item one : cut.labels) {
      if (one != label) labels.push_back(one);
    }
    const auto children = items_.Children(label);
    labels.insert(labels.end(), children.begin(), children.end());
    std::sort(labels.begin(), labels.end());
    return labels;
  }

  static constexpr double kNothingKnown = -std::numeric_limits<double>::infinity();

  const ItemHierarchy& items_;
  CutSearchOptions options_;
  Parallel& parallel_;
  Progress& progress_;
  KnownShapes known_;
  // By worker: for loops over cuts.
  std::vector<std::unique_ptr<CutExaminer>> examiners_;
  // Looks at one cut with all threads.
  std::unique_ptr<CutExaminer> wide_;
  const Clock::time_point begin_ = Clock::now();
  // Whether there is something to publish already, so that a limit may end the search.
  bool has_begun_ = false;
  std::atomic<bool> stopped_ = false;
  bool found_ = false;
  uint64_t cuts_ = 0;
  uint64_t valid_cuts_ = 0;
  CutSolution best_;
  // The best cut so far: under CutCost::kLabels its relations are broken at the end.
  std::shared_ptr<const Cut> best_cut_;
};

}  // namespace

Result<std::optional<CutSolution>> SearchCut(const ItemHierarchy& items, const Shapes& shapes,
                                             const CutSearchOptions& options, Parallel& parallel,
                                             Progress& progress) {
  return Search(items, shapes, options, parallel, progress).Run();
}

}  // namespace thicket
