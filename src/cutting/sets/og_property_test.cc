// OG and mOG on random small sets: their answers against all cuts of the reference (tests/testing/literal_sets.h),
// whatever is switched off.
#include "cutting/sets/og.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <string_view>
#include <vector>

#include "base/phase.h"
#include "cutting/sets/mog.h"
#include "cutting/sets/set_case_test.h"

namespace thicket::og_property_test {
namespace {

using set_case_test::DrawSetCase;
using set_case_test::SetCase;
using set_case_test::ToLiteral;
using testing::LiteralFraction;
using testing::LiteralNodes;
using testing::LiteralSetCut;
using Proof = BestCuts::Proof;

SetAnswer Search(const SetCase& one, const OgOptions& options, int threads = 1) {
  Parallel parallel(threads);
  Progress progress;
  return FindOptimalCut(one.sets, one.promise, options, parallel, progress);
}

std::vector<OgOptions> AllWays() {
  std::vector<OgOptions> ways = {{}, {.thesis = true}};
  for (unsigned off = 0; off < 15; ++off) {
    const SetPrunings prunings{(off & 1) != 0, (off & 2) != 0, (off & 4) != 0, (off & 8) != 0};
    ways.push_back({.thesis = true, .prunings = prunings});
  }
  ways.push_back({.thesis = true, .by_cost = false});
  ways.push_back({.thesis = true, .by_weight = false});
  ways.push_back({.thesis = true, .tighten = false});
  ways.push_back({.thesis = true, .reduce = false});
  ways.push_back(
      {.thesis = true, .by_cost = false, .by_weight = false, .tighten = false, .reduce = false});
  return ways;
}

RC_GTEST_PROP(Og, FindsTheBestOfAllCuts, (uint64_t seed)) {
  const SetCase one = DrawSetCase(seed, 4, 4, {.most_leaves = 7});
  const std::optional<LiteralSetCut> best = one.literal.Best();
  for (const OgOptions& options : AllWays()) {
    const SetAnswer answer = Search(one, options);
    if (!best) {
      RC_ASSERT(answer.best.proof == Proof::kInfeasible);
      RC_ASSERT(answer.best.cuts.empty());
      continue;
    }
    RC_ASSERT(answer.best.proof == Proof::kOptimal);
    const CutAnswer& found = answer.best.cuts.front();
    RC_ASSERT(answer.best.bound == found.cost);
    RC_ASSERT(one.sets.SumCosts(found.labels) == found.cost);
    RC_ASSERT(one.CostIs(found.cost, best->ncp));
    const LiteralNodes cut = ToLiteral(found.labels);
    RC_ASSERT(one.literal.IsValid(cut));
    RC_ASSERT(one.literal.Ncp(cut) == best->ncp);
  }
}

// Many items, so that rounds of the search, limits and threads matter.
SetCase DrawLargeCase(uint64_t seed, int most_m, int most_n) {
  return DrawSetCase(seed, most_m, most_n,
                     {.most_records = 40, .most_cuts = 200, .most_leaves = 12});
}

RC_GTEST_PROP(Og, FindsTheBestOfManyCutsForLargeMAndN, (uint64_t seed)) {
  const SetCase one = DrawLargeCase(seed, 12, 2);
  const std::optional<LiteralSetCut> best = one.literal.Best();
  const SetAnswer answer = Search(one, {}, 2);
  if (!best) {
    RC_ASSERT(answer.best.proof == Proof::kInfeasible);
    return;
  }
  RC_ASSERT(answer.best.proof == Proof::kOptimal);
  RC_ASSERT(one.literal.IsValid(ToLiteral(answer.best.cuts.front().labels)));
  RC_ASSERT(one.CostIs(answer.best.cuts.front().cost, best->ncp));
}

// One phase at a time, and none that is further than its end.
class OnePhase : public Progress {
 public:
  void Begin(std::string_view phase, uint64_t total) override {
    holds = holds && !is_on_;
    is_on_ = true;
    total_ = total;
    done_ = 0;
    threats += phase == "threats" ? 1 : 0;
  }
  void Advance(uint64_t steps) override {
    done_ += steps;
    holds = holds && is_on_ && (total_ == 0 || done_ <= total_);
  }
  void End() override { is_on_ = false; }

  bool holds = true;
  size_t threats = 0;

 private:
  bool is_on_ = false;
  uint64_t total_ = 0;
  uint64_t done_ = 0;
};

RC_GTEST_PROP(Og, SaysHowFarItIsWhereItLooksForThreats, (uint64_t seed)) {
  const SetCase one = DrawLargeCase(seed, 4, 4);
  for (const bool thesis : {false, true}) {
    Parallel parallel(2);
    OnePhase progress;
    const ProgressScope scope(progress);
    const SetAnswer answer =
        FindOptimalCut(one.sets, one.promise, {.thesis = thesis}, parallel, progress);
    RC_ASSERT(progress.holds);
    RC_ASSERT(answer.nodes == 0 || progress.threats > 0);
  }
}

RC_GTEST_PROP(Og, IsWithinAlphaAndItsBoundIsProven, (uint64_t seed)) {
  const SetCase one = DrawLargeCase(seed, 3, 1);
  const std::optional<LiteralSetCut> best = one.literal.Best();
  for (const OgOptions& options :
       std::vector<OgOptions>{{.alpha = 0.5}, {.alpha = 0.5, .thesis = true}, {.limit_s = 0}}) {
    const SetAnswer answer = Search(one, options);
    if (!best) {
      RC_ASSERT(answer.best.proof == Proof::kInfeasible);
      continue;
    }
    const CutAnswer& found = answer.best.cuts.front();
    RC_ASSERT(one.literal.IsValid(ToLiteral(found.labels)));
    RC_ASSERT(answer.best.bound <= found.cost);
    const auto all = static_cast<int64_t>(one.sets.all_occurrences() * one.sets.all_leaves());
    if (all == 0) continue;
    RC_ASSERT(LiteralFraction(static_cast<int64_t>(answer.best.bound), all) <= best->ncp);
    if (answer.best.proof == Proof::kOptimal) RC_ASSERT(one.CostIs(found.cost, best->ncp));
    if (options.alpha > 0) {
      RC_ASSERT(answer.best.proof != Proof::kStopped);
      RC_ASSERT(2 * found.cost <= 3 * answer.best.bound);
    }
  }
}

RC_GTEST_PROP(Og, IsTheSameOnAnyNumberOfThreads, (uint64_t seed)) {
  const SetCase one = DrawLargeCase(seed, 4, 1);
  const SetAnswer alone = Search(one, {}, 1);
  const SetAnswer several = Search(one, {}, 3);
  RC_ASSERT(alone.best.proof == several.best.proof);
  RC_ASSERT(alone.best.cuts.size() == several.best.cuts.size());
  for (size_t i = 0; i < alone.best.cuts.size(); ++i) {
    RC_ASSERT(alone.best.cuts[i].labels == several.best.cuts[i].labels);
  }
  RC_ASSERT(alone.nodes == several.nodes);
  RC_ASSERT(alone.threats == several.threats);
  RC_ASSERT(alone.cuts == several.cuts);
}

RC_GTEST_PROP(Mog, EndsWhereTheRoundsOfTheReferenceCanEnd, (uint64_t seed)) {
  const SetCase one = DrawSetCase(seed, 4, 4, {.most_leaves = 6});
  const std::set<LiteralNodes> ends = one.literal.Rounds();
  for (const bool thesis : {false, true}) {
    Parallel parallel(1);
    Progress progress;
    const SetAnswer answer =
        FindCutInRounds(one.sets, one.promise, {.thesis = thesis}, parallel, progress);
    if (ends.empty()) {
      RC_ASSERT(answer.best.proof == Proof::kInfeasible);
      continue;
    }
    RC_ASSERT(answer.best.proof == Proof::kOptimal);
    const CutAnswer& found = answer.best.cuts.front();
    RC_ASSERT(one.sets.SumCosts(found.labels) == found.cost);
    RC_ASSERT(ends.contains(ToLiteral(found.labels)));
    RC_ASSERT(answer.rounds == one.promise.m + one.promise.n);
  }
}

}  // namespace
}  // namespace thicket::og_property_test
