// OG and mOG on random small sets: their answers against all cuts of the reference (tests/testing/literal_sets.h), whatever is
// switched off.
#include "cutting/sets/og.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <vector>

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
