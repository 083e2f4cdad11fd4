// The search over cuts by itself: a small problem made up for Fig. 3.1 of Liu 2010, and what it does at limits.
#include "cutting/branch_and_bound.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "base/stop.h"
#include "testing/naive_cuts.h"

namespace thicket::branch_and_bound_test {
namespace {

using ::testing::ElementsAre;
using enum testing::FigureItem;
using Proof = BestCuts::Proof;
using testing::FigureForest;
using testing::NaiveCut;

// Every label loses so much, and two labels that must not be shown together make a cut and all below it invalid, much
// as in Section 4.4 of the thesis. The bound is the loss of locked labels, as if all others could be shown in full.
class FigureProblem : public CutProblem {
 public:
  const ItemForest& forest() const override { return forest_; }
  void Save() override { saved_.push_back(locked_loss_); }
  void Restore() override {
    locked_loss_ = saved_.back();
    saved_.pop_back();
  }
  void Specialize(const OpenCut& /*cut*/, Item value) override {
    specialized.push_back(value);
    for (const Item child : forest_.Children(value)) {
      if (forest_.is_leaf(child)) locked_loss_ += kLoss[child];
    }
  }
  void Lock(const OpenCut& /*cut*/, Item value) override { locked_loss_ += kLoss[value]; }

  Verdict Judge(const OpenCut& cut) override {
    const auto shows = [&](Item item) { return cut.is_label(item) || cut.is_above(item); };
    if (shows(kBa) && shows(kUsa)) return {Validity::kAllInvalid};
    if (shows(kJr) && shows(kEu)) return {Validity::kAllInvalid};
    Verdict verdict;
    for (const Item label : cut.Labels()) verdict.cost += kLoss[label];
    return verdict;
  }
  Cost Bound(const OpenCut& /*cut*/) override { return uses_bound ? locked_loss_ : 0; }
  uint64_t Weight(const OpenCut& /*cut*/, Item value) override { return kLoss[value]; }
  void ListHopeless(const OpenCut& cut, std::vector<Item>& values) override {
    if (knows_hopeless && cut.is_above(kAnyCountry) && cut.is_open(kSec)) values.push_back(kSec);
  }

  bool uses_bound = true;
  bool knows_hopeless = false;
  std::vector<Item> specialized;

 private:
  static constexpr std::array<Cost, 14> kLoss = {12, 4, 4, 0, 0, 0, 0, 9, 3, 2, 0, 0, 0, 0};

  ItemForest forest_ = FigureForest();
  std::vector<Cost> saved_;
  Cost locked_loss_ = 0;
};

BestCuts Find(CutProblem& problem, const BranchAndBoundOptions& options = {}) {
  Progress progress;
  return FindBestCuts(problem, options, progress);
}

TEST(BranchAndBound, FindsTheBestOfThe25CutsOfTheFigure) {
  FigureProblem problem;
  const BestCuts best = Find(problem);
  ASSERT_EQ(best.cuts.size(), 1U);
  // By hand: Secondary may be shown in full only where Country stays at its root, which loses 9. So it stays and loses
  // 4; of University and America only one may be shown in full, and America loses less where it stays, 2.
  EXPECT_EQ(best.cuts[0].cost, 6U);
  EXPECT_THAT(best.cuts[0].labels, ElementsAre(kSec, kBa, kGrad, kAm, kFr, kUk));
  EXPECT_EQ(best.proof, Proof::kOptimal);
  EXPECT_EQ(best.bound, 6U);
  EXPECT_EQ(best.Gap(), 0U);
  EXPECT_LT(best.examined, 25U);
}

TEST(BranchAndBound, LooksAtEveryCutOnceWhereNothingCanBeLeftOut) {
  class Free : public FigureProblem {
   public:
    Verdict Judge(const OpenCut& cut) override {
      judged.insert(cut.Labels());
      return {Validity::kInvalid};
    }
    Cost Bound(const OpenCut& /*cut*/) override { return 0; }
    std::set<NaiveCut> judged;
  } problem;
  const BestCuts best = Find(problem);
  EXPECT_EQ(best.examined, 25U);
  EXPECT_EQ(problem.judged.size(), 25U);
  EXPECT_EQ(best.proof, Proof::kInfeasible);
  EXPECT_EQ(best.bound, CutProblem::kNever);
}

TEST(BranchAndBound, GivesAllValidCutsInOrderWhereMoreAreAskedFor) {
  FigureProblem problem;
  const BestCuts best = Find(problem, {.best = 100});
  EXPECT_EQ(best.proof, Proof::kOptimal);
  EXPECT_EQ(best.bound, CutProblem::kNever);
  EXPECT_EQ(best.valid, best.cuts.size());
  for (size_t i = 1; i < best.cuts.size(); ++i) {
    EXPECT_LE(best.cuts[i - 1].cost, best.cuts[i].cost);
  }
  EXPECT_EQ(best.cuts.front().cost, 6U);
  EXPECT_EQ(best.cuts.back().cost, 21U) << "the roots";
  const BestCuts three = Find(problem, {.best = 3});
  ASSERT_EQ(three.cuts.size(), 3U);
  EXPECT_EQ(three.proof, Proof::kOptimal);
  EXPECT_LT(three.examined, best.examined);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(three.cuts[i].cost, best.cuts[i].cost);
}

TEST(BranchAndBound, SpecializesWhatLosesMostFirst) {
  FigureProblem problem;
  Find(problem);
  ASSERT_GE(problem.specialized.size(), 4U);
  EXPECT_EQ(problem.specialized[0], kAnyEdu);
  EXPECT_EQ(problem.specialized[1], kAnyCountry) << "its 9 are more than Secondary's 4";
  EXPECT_EQ(problem.specialized[2], kSec) << "of equals the lowest";
  FigureProblem by_number;
  Find(by_number, {.by_weight = false});
  EXPECT_EQ(by_number.specialized[1], kSec);
}

TEST(BranchAndBound, WorksLessWithEachOfItsMeans) {
  FigureProblem plain;
  plain.uses_bound = false;
  const uint64_t without_bound = Find(plain).examined;
  FigureProblem problem;
  const uint64_t untightened = Find(problem, {.tighten = false}).examined;
  const uint64_t full = Find(problem).examined;
  EXPECT_LT(untightened, without_bound);
  EXPECT_LT(full, untightened);
  FigureProblem knowing;
  knowing.knows_hopeless = true;
  EXPECT_EQ(Find(knowing).cuts[0].cost, 6U);
  EXPECT_LT(Find(knowing, {.best = 100}).examined, Find(problem, {.best = 100}).examined);
}

TEST(BranchAndBound, SaysHowFarOffAStoppedAnswerMayBe) {
  FigureProblem problem;
  const BestCuts best = Find(problem, {.limit_cuts = 1});
  EXPECT_EQ(best.examined, 1U);
  ASSERT_EQ(best.cuts.size(), 1U);
  EXPECT_THAT(best.cuts[0].labels, ElementsAre(kAnyEdu, kAnyCountry));
  EXPECT_EQ(best.proof, Proof::kStopped);
  EXPECT_EQ(best.bound, 0U);
  EXPECT_EQ(best.Gap(), 21U);
  const BestCuts none = Find(problem, {.limit_s = 0.0});
  EXPECT_EQ(none.examined, 1U) << "the roots are looked at in any case";
  EXPECT_EQ(none.proof, Proof::kStopped);
  // The gap closes, and never opens again.
  CutProblem::Cost gap = 21;
  for (uint64_t cuts = 2; cuts < 25; ++cuts) {
    const BestCuts more = Find(problem, {.limit_cuts = cuts});
    EXPECT_LE(more.Gap(), gap);
    gap = more.Gap();
  }
  EXPECT_EQ(gap, 0U);
}

TEST(BranchAndBound, EndsEarlierWhereLessWillDo) {
  FigureProblem problem;
  const BestCuts exact = Find(problem);
  // The first valid cuts cost 21, 17, 13, and so on.
  const BestCuts rough = Find(problem, {.alpha = 3});
  EXPECT_LT(rough.examined, exact.examined);
  EXPECT_LE(rough.cuts[0].cost, 4 * exact.cuts[0].cost);
  EXPECT_LE(rough.cuts[0].cost, 4 * rough.bound);
  EXPECT_EQ(rough.proof, rough.Gap() == 0 ? Proof::kOptimal : Proof::kWithinAlpha);
}

TEST(BranchAndBound, AsksForABetterCutOnceWhereItTakesLong) {
  FigureProblem problem;
  const BestCuts alone = Find(problem);
  BranchAndBoundOptions options;
  int asked = 0;
  options.cuts_before_asking = 2;
  options.find_better = [&](const CutAnswer& best) {
    ++asked;
    EXPECT_GT(best.cost, alone.cuts[0].cost);
    return alone.cuts[0];
  };
  const BestCuts told = Find(problem, options);
  EXPECT_EQ(asked, 1);
  EXPECT_LE(told.examined, alone.examined);
  EXPECT_EQ(told.proof, Proof::kOptimal);
  EXPECT_EQ(told.cuts[0].labels, alone.cuts[0].labels);
  // A search that ends early has what it was told.
  EXPECT_GT(Find(problem, {.limit_cuts = 3}).cuts[0].cost, alone.cuts[0].cost);
  options.limit_cuts = 3;
  EXPECT_EQ(Find(problem, options).cuts[0].cost, alone.cuts[0].cost);
  EXPECT_EQ(asked, 2);
  options.limit_cuts.reset();
  options.cuts_before_asking = alone.examined + 1;
  EXPECT_EQ(Find(problem, options).examined, alone.examined);
  EXPECT_EQ(asked, 2);
  options.cuts_before_asking = 2;
  options.find_better = [](const CutAnswer& best) { return best; };
  const BestCuts same = Find(problem, options);
  EXPECT_EQ(same.examined, alone.examined);
  EXPECT_EQ(same.cuts[0].labels, alone.cuts[0].labels);
}

TEST(BranchAndBound, IsInterruptedByTheUser) {
  FigureProblem problem;
  Progress progress;
  progress.Cancel();
  const Result<BestCuts> result = Stoppable(
      progress, [&]() -> Result<BestCuts> { return FindBestCuts(problem, {}, progress); });
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kInterrupted);
}

// One value below the other, so deep that a recursion would not return.
TEST(BranchAndBound, GoesDownAnyNumberOfLevels) {
  constexpr Item kLevels = 100000;
  class Chain : public CutProblem {
   public:
    Chain() {
      std::vector<Item> parents = {0};
      for (Item item = 1; item < kLevels; ++item) parents.push_back(item - 1);
      forest_ = ItemForest(parents);
    }
    const ItemForest& forest() const override { return forest_; }
    void Save() override {}
    void Restore() override {}
    void Specialize(const OpenCut& /*cut*/, Item /*value*/) override {}
    Verdict Judge(const OpenCut& cut) override {
      return {cut.open().empty() ? Validity::kValid : Validity::kInvalid, 3};
    }
    Cost Bound(const OpenCut& /*cut*/) override { return 2; }

   private:
    ItemForest forest_;
  } problem;
  const BestCuts best = Find(problem);
  EXPECT_EQ(best.examined, kLevels);
  ASSERT_EQ(best.cuts.size(), 1U);
  EXPECT_THAT(best.cuts[0].labels, ElementsAre(kLevels - 1));
  EXPECT_EQ(best.proof, Proof::kOptimal);
}

}  // namespace
}  // namespace thicket::branch_and_bound_test
