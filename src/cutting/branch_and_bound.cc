#include "cutting/branch_and_bound.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/stop.h"

namespace thicket {

namespace {

using Clock = std::chrono::steady_clock;
using Cost = CutProblem::Cost;
using Validity = CutProblem::Validity;
__extension__ using Wide = unsigned __int128;

// What alpha is rounded down to: one over this. Comparisons are exact from there on.
constexpr uint64_t kAlphaUnits = uint64_t{1} << 30;

class Search {
 public:
  Search(CutProblem& problem, const BranchAndBoundOptions& options, Progress& progress)
      : problem_(problem), options_(options), progress_(progress), cut_(problem.forest()) {
    if (!(options.alpha > 0)) return;
    const double alpha = std::min(options.alpha, BranchAndBoundOptions::kMostAlpha);
    alpha_ = static_cast<uint64_t>(alpha * static_cast<double>(kAlphaUnits));
  }

  BestCuts Run() {
    progress_.Begin("search", 0);
    for (const CutAnswer& answer : options_.known) Insert(answer);
    problem_.Save();
    cut_.Save();
    Enter(0);
    while (!frames_.empty()) {
      Frame& here = frames_.back();
      if (cut_.open().empty()) {
        Leave();
      } else if (IsOver() || Suffices(here.bound)) {
        // What is left of this cut is not looked at. Once the search is over, so it is with the cuts above.
        PassOver(here.bound);
        Leave();
      } else {
        AskForBetter();
        const Item value = Choose();
        problem_.Save();
        cut_.Save();
        cut_.Specialize(value);
        problem_.Specialize(cut_, value);
        Enter(value);
      }
    }
    progress_.Advance(found_.examined - reported_);
    progress_.End();
    return Conclude();
  }

 private:
  // A cut on the way from the roots to the current one.
  struct Frame {
    // The value that was specialized last on the way here.
    Item value;
    // No cut of its subtree that was not looked at yet costs less.
    Cost bound;
  };

  // Looks at the cut that the problem is at: its subtree is searched if it gets a frame.
  void Enter(Item value) {
    StopPoint();
    if (++found_.examined % kCutsPerReport == 0) {
      progress_.Advance(found_.examined - reported_);
      reported_ = found_.examined;
    }
    hopeless_.clear();
    problem_.ListHopeless(cut_, hopeless_);
    for (const Item one : hopeless_) Lock(one);
    LockPointless();
    const Cost above = frames_.empty() ? 0 : frames_.back().bound;
    frames_.push_back({value, std::max(above, problem_.Bound(cut_))});
    const Cost bound = frames_.back().bound;
    if (Suffices(bound)) {
      PassOver(bound);
      Leave();
      return;
    }
    ++found_.judged;
    const CutProblem::Verdict verdict = problem_.Judge(cut_);
    if (verdict.validity == Validity::kValid) Note(verdict.cost);
    if (verdict.validity == Validity::kAllInvalid) Leave();
  }

  // What is looked at next may be spared then; the frames on the way are looked at again when the search comes back.
  void AskForBetter() {
    if (has_asked_ || !options_.find_better || found_.cuts.empty()) return;
    if (found_.examined < options_.cuts_before_asking) return;
    has_asked_ = true;
    Insert(options_.find_better(CutAnswer(found_.cuts.front())));
  }

  // Goes back to the cut above, in the rest of which the value is locked.
  void Leave() {
    const Item value = frames_.back().value;
    frames_.pop_back();
    problem_.Restore();
    cut_.Restore();
    if (frames_.empty()) return;
    Lock(value);
    if (!options_.tighten || cut_.open().empty()) return;
    LockPointless();
    Frame& above = frames_.back();
    above.bound = std::max(above.bound, problem_.Bound(cut_));
  }

  void Lock(Item value) {
    cut_.Lock(value);
    problem_.Lock(cut_, value);
  }

  void LockPointless() {
    hopeless_.clear();
    const Cost enough = Enough();
    if (problem_.ListPointless(cut_, enough, hopeless_)) PassOver(enough);
    for (const Item one : hopeless_) Lock(one);
  }

  Item Choose() {
    const std::vector<Item>& open = cut_.open();
    if (!options_.by_weight) return *std::min_element(open.begin(), open.end());
    Item best = open.front();
    uint64_t most = problem_.Weight(cut_, best);
    for (size_t i = 1; i < open.size(); ++i) {
      const uint64_t weight = problem_.Weight(cut_, open[i]);
      if (weight < most || (weight == most && open[i] > best)) continue;
      best = open[i];
      most = weight;
    }
    return best;
  }

  // Once true, true for good.
  bool IsOver() {
    if (is_over_) return true;
    is_over_ = options_.limit_cuts && found_.examined >= *options_.limit_cuts;
    if (options_.limit_s) {
      const std::chrono::duration<double> passed = Clock::now() - begin_;
      is_over_ = is_over_ || passed.count() > *options_.limit_s;
    }
    return is_over_;
  }

  bool HasAll() const { return found_.cuts.size() >= std::max<size_t>(options_.best, 1); }

  // Whether nothing that costs so much at least is needed beside the answers.
  bool Suffices(Cost bound) const {
    if (bound == CutProblem::kNever) return true;
    if (!HasAll()) return false;
    const Cost worst = found_.cuts.back().cost;
    return bound >= worst || Wide{bound} * (kAlphaUnits + alpha_) >= Wide{worst} * kAlphaUnits;
  }

  // The least bound that suffices; kNever if none does.
  Cost Enough() const {
    if (!HasAll()) return CutProblem::kNever;
    const Cost worst = found_.cuts.back().cost;
    const Wide units = kAlphaUnits + alpha_;
    return static_cast<Cost>((Wide{worst} * kAlphaUnits + units - 1) / units);
  }

  // Cuts that cost so much at least are not looked at.
  void PassOver(Cost bound) { passed_over_ = std::min(passed_over_, bound); }

  void Note(Cost cost) {
    ++found_.valid;
    if (HasAll() && cost >= found_.cuts.back().cost) return;
    Insert({cut_.Labels(), cost});
  }

  // Unless it is among the answers already, or no better than these.
  void Insert(CutAnswer answer) {
    std::vector<CutAnswer>& cuts = found_.cuts;
    if (HasAll() && answer.cost >= cuts.back().cost) return;
    for (const CutAnswer& other : cuts) {
      if (other.cost == answer.cost && other.labels == answer.labels) return;
    }
    if (HasAll()) cuts.pop_back();
    const auto place =
        std::upper_bound(cuts.begin(), cuts.end(), answer.cost,
                         [](Cost value, const CutAnswer& one) { return value < one.cost; });
    cuts.insert(place, std::move(answer));
  }

  BestCuts Conclude() {
    using Proof = BestCuts::Proof;
    const bool saw_all = passed_over_ == CutProblem::kNever;
    found_.bound = HasAll() ? std::min(passed_over_, found_.cuts.back().cost) : passed_over_;
    if (found_.cuts.empty()) {
      found_.proof = saw_all ? Proof::kInfeasible : Proof::kStopped;
    } else if (saw_all || (HasAll() && found_.bound >= found_.cuts.back().cost)) {
      found_.proof = Proof::kOptimal;
    } else {
      found_.proof = Suffices(found_.bound) ? Proof::kWithinAlpha : Proof::kStopped;
    }
    return std::move(found_);
  }

  static constexpr uint64_t kCutsPerReport = 64;

  CutProblem& problem_;
  const BranchAndBoundOptions& options_;
  Progress& progress_;
  const Clock::time_point begin_ = Clock::now();
  // In units of 1 / kAlphaUnits.
  uint64_t alpha_ = 0;
  OpenCut cut_;
  std::vector<Frame> frames_;
  std::vector<Item> hopeless_;
  bool is_over_ = false;
  bool has_asked_ = false;
  uint64_t reported_ = 0;
  // The least that a cut may cost that was not looked at.
  Cost passed_over_ = CutProblem::kNever;
  BestCuts found_;
};

}  // namespace

BestCuts FindBestCuts(CutProblem& problem, const BranchAndBoundOptions& options,
                      Progress& progress) {
  return Search(problem, options, progress).Run();
}

}  // namespace thicket
