// l+-Optimize on random small tables: its answers against all cuts of the reference (tests/testing/literal_tables.h), and its
// bounds against every cut of the subtrees that they are about.
#include "cutting/table/lplus.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cutting/table/descent.h"
#include "cutting/table/search_forest.h"
#include "cutting/table/table_case_test.h"
#include "cutting/table/table_problem.h"
#include "testing/cases.h"
#include "testing/naive_cuts.h"

namespace thicket::lplus_property_test {
namespace {

using table_case_test::DrawTableCase;
using table_case_test::TableCase;
using testing::LiteralAnonymization;
using testing::LiteralTableCut;
using testing::NaiveCut;
using testing::NaiveCuts;
using Cost = CutProblem::Cost;
using Proof = BestCuts::Proof;

TableAnswer Search(const TableCase& one, const LplusOptions& options, int threads = 1) {
  Parallel parallel(threads);
  Progress progress;
  return FindBestTableCuts(one.task, options, parallel, progress);
}

std::vector<LplusOptions> AllWays() {
  std::vector<LplusOptions> ways;
  for (const bool probe : {true, false}) {
    ways.push_back({.probe = probe});
    ways.push_back({.by_weight = false, .probe = probe});
    ways.push_back({.tighten = false, .probe = probe});
  }
  ways.push_back({.joint = false});
  return ways;
}

RC_GTEST_PROP(Lplus, FindsTheBestOfAllCuts, ()) {
  const TableCase one = DrawTableCase(*rc::gen::arbitrary<uint64_t>());
  const std::vector<LiteralAnonymization> best = one.literal.Best(1);
  for (const LplusOptions& options : AllWays()) {
    const TableAnswer answer = Search(one, options);
    RC_ASSERT(answer.all_cuts == one.table.forest().CountCuts());
    if (best.empty()) {
      RC_ASSERT(answer.best.proof == Proof::kInfeasible);
      RC_ASSERT(answer.best.cuts.empty());
      continue;
    }
    RC_ASSERT(answer.best.proof == Proof::kOptimal);
    RC_ASSERT(one.CostIs(answer.best.cuts[0].cost, best[0].cost));
    const LiteralAnonymization tried = one.literal.Try(one.ToLiteral(answer.best.cuts[0].labels));
    RC_ASSERT(tried.is_valid);
    RC_ASSERT(tried.cost == best[0].cost);
    RC_ASSERT(answer.best.Gap() == 0U);
  }
}

// Hundreds of tables with each of them.
TEST(Lplus, FindsTheBestOfAllCutsWithEverySchemeAndMetric) {
  std::map<std::pair<TableMetric, Suppression>, uint64_t> tables;
  for (uint64_t seed = 0; seed < Cases(4000); ++seed) {
    const TableCase one = DrawTableCase(seed);
    ++tables[{one.task.goal().metric, one.task.goal().suppression}];
    const std::vector<LiteralAnonymization> best = one.literal.Best(1);
    const TableAnswer answer = Search(one, {});
    ASSERT_EQ(answer.best.cuts.empty(), best.empty()) << "seed " << seed;
    if (best.empty()) continue;
    ASSERT_EQ(answer.best.proof, Proof::kOptimal) << "seed " << seed;
    ASSERT_TRUE(one.CostIs(answer.best.cuts[0].cost, best[0].cost)) << "seed " << seed;
    const LiteralTableCut cut = one.ToLiteral(answer.best.cuts[0].labels);
    ASSERT_TRUE(one.literal.Try(cut).cost == best[0].cost) << "seed " << seed;
  }
  EXPECT_EQ(tables.size(), 11U);
  for (const auto& [setting, count] : tables) EXPECT_GE(count, Cases(200));
}

// Cuts that specialize nothing that does not occur: those that publish something else than all others.
bool IsShown(const TableCase& one, const LiteralTableCut& cut) {
  for (Item item = 0; item < one.table.forest().size(); ++item) {
    if (one.table.occurrences(item) > 0) continue;
    const size_t quasi = one.table.quasi_of(item);
    const auto node = static_cast<int>(item - one.table.first_item(quasi));
    for (const int label : cut[quasi]) {
      for (int above = label; above != 0;) {
        above = one.literal_table.taxonomies[quasi].parents[static_cast<size_t>(above)];
        if (above == node) return false;
      }
    }
  }
  return true;
}

RC_GTEST_PROP(Lplus, FindsTheBestFew, ()) {
  const TableCase one = DrawTableCase(*rc::gen::arbitrary<uint64_t>());
  const auto most = *rc::gen::inRange<size_t>(2, 12);
  std::vector<LiteralAnonymization> best = one.literal.Best(one.literal_table.size() + 1000);
  best.erase(std::remove_if(best.begin(), best.end(),
                            [&](const auto& tried) { return !IsShown(one, tried.cut); }),
             best.end());
  if (best.size() > most) best.erase(best.begin() + static_cast<int64_t>(most), best.end());
  for (const bool probe : {true, false}) {
    const TableAnswer answer = Search(one, {.top_h = most, .probe = probe});
    RC_ASSERT(answer.best.cuts.size() == best.size());
    for (size_t i = 0; i < best.size(); ++i) {
      RC_ASSERT(one.CostIs(answer.best.cuts[i].cost, best[i].cost));
      for (size_t j = 0; j < i; ++j) {
        RC_ASSERT(answer.best.cuts[i].labels != answer.best.cuts[j].labels);
      }
    }
  }
}

RC_GTEST_PROP(Lplus, SaysHowFarOffItMayBe, ()) {
  const TableCase one = DrawTableCase(*rc::gen::arbitrary<uint64_t>());
  const std::vector<LiteralAnonymization> best = one.literal.Best(1);
  const bool probe = *rc::gen::arbitrary<bool>();
  const double alpha = *rc::gen::element(0.0, 0.25, 1.0);
  const auto cuts = *rc::gen::inRange<uint64_t>(1, 20);
  const TableAnswer answer = Search(one, {.alpha = alpha, .limit_cuts = cuts, .probe = probe});
  if (best.empty()) {
    RC_ASSERT(answer.best.cuts.empty());
    return;
  }
  const double least = static_cast<double>(best[0].cost.above()) /
                       static_cast<double>(best[0].cost.below()) *
                       static_cast<double>(one.task.unit());
  RC_ASSERT(static_cast<double>(answer.best.bound) <= least * (1 + 1e-12));
  if (answer.best.cuts.empty()) return;
  const auto cost = static_cast<double>(answer.best.cuts[0].cost);
  RC_ASSERT(cost >= least * (1 - 1e-12));
  if (answer.best.proof == Proof::kWithinAlpha) RC_ASSERT(cost <= least * (1 + alpha) * 1.000001);
  if (answer.best.proof == Proof::kOptimal) RC_ASSERT(cost <= least * (1 + 1e-12));
}

RC_GTEST_PROP(CutJudge, SaysWhatTheReferenceSays, ()) {
  const uint64_t seed = *rc::gen::arbitrary<uint64_t>();
  const TableCase one = DrawTableCase(seed);
  Random random = Random::Seeded(seed);
  CutJudge judge(one.task);
  for (const NaiveCut& labels : NaiveCuts(one.table.forest())) {
    const LiteralAnonymization tried = one.literal.Try(one.ToLiteral(labels));
    const CutOutcome outcome = judge.Judge(labels);
    RC_ASSERT(outcome.valid == tried.is_valid);
    if (!tried.is_valid) continue;
    RC_ASSERT(one.CostIs(outcome.cost, tried.cost));
    RC_ASSERT(outcome.suppressed_records == tried.deleted.size());
    RC_ASSERT(outcome.suppressed_values == tried.starred.size());
    // Records that are deleted may be others of the same value; stars are the same.
    const TableSuppression suppression = judge.Suppress(labels, random);
    RC_ASSERT(suppression.records.size() == tried.deleted.size());
    std::set<std::pair<size_t, size_t>> starred;
    for (const auto& value : suppression.values) starred.insert({value.record, value.attribute});
    RC_ASSERT(starred == tried.starred);
    std::multiset<std::vector<int>> deleted;
    std::multiset<std::vector<int>> wanted;
    for (const uint32_t record : suppression.records) {
      deleted.insert(one.literal_table.sensitive[record]);
    }
    for (const size_t record : tried.deleted) wanted.insert(one.literal_table.sensitive[record]);
    RC_ASSERT(deleted == wanted);
  }
}

RC_GTEST_PROP(DescendAgain, GivesAValidCutThatIsNoDearer, ()) {
  const TableCase one = DrawTableCase(*rc::gen::arbitrary<uint64_t>());
  const SearchForest items(one.task, *rc::gen::arbitrary<bool>());
  const Atoms cells = Atoms::Of(one.table, items);
  Parallel parallel(1);
  const std::vector<CutAnswer> known = Descend(one.task, items, cells, parallel);
  if (known.empty()) return;
  const CutAnswer found =
      DescendAgain(one.task, items, cells, parallel, known[0], [] { return false; });
  RC_ASSERT(found.cost <= known[0].cost);
  const LiteralAnonymization tried = one.literal.Try(one.ToLiteral(items.Labels(found.labels)));
  RC_ASSERT(tried.is_valid);
  RC_ASSERT(one.CostIs(found.cost, tried.cost));
  const CutAnswer at_once =
      DescendAgain(one.task, items, cells, parallel, known[0], [] { return true; });
  RC_ASSERT(at_once.labels == known[0].labels);
}

// Of a large table: what is come by may be dearer, but is a cut, and costs what is said.
RC_GTEST_PROP(Descend, GivesAValidCutOfLargeTables, ()) {
  const TableCase one = DrawTableCase(*rc::gen::arbitrary<uint64_t>());
  const SearchForest items(one.task, *rc::gen::arbitrary<bool>());
  const Atoms cells = Atoms::Of(one.table, items);
  Parallel parallel(1);
  const std::vector<CutAnswer> known =
      Descend(one.task, items, cells, parallel, AttributeBound::kFewKinds, 0);
  if (known.empty()) return;
  const LiteralAnonymization tried = one.literal.Try(one.ToLiteral(items.Labels(known[0].labels)));
  RC_ASSERT(tried.is_valid);
  RC_ASSERT(one.CostIs(known[0].cost, tried.cost));
}

// Classes that are counted bucket by bucket, and classes of atoms that are merged.
RC_GTEST_PROP(Descend, GivesTheSameCutHoweverClassesAreCounted, ()) {
  const TableCase one = DrawTableCase(*rc::gen::arbitrary<uint64_t>());
  const SearchForest items(one.task, *rc::gen::arbitrary<bool>());
  const Atoms cells = Atoms::Of(one.table, items);
  Parallel parallel(1);
  const std::vector<CutAnswer> counted = Descend(one.task, items, cells, parallel, 64);
  const std::vector<CutAnswer> merged = Descend(one.task, items, cells, parallel, 0);
  RC_ASSERT(counted.size() == merged.size());
  if (counted.empty()) return;
  RC_ASSERT(counted[0].cost == merged[0].cost);
  RC_ASSERT(counted[0].labels == merged[0].labels);
}

// Descents end where no attribute by itself can be improved.
TEST(DescendAgain, FindsWhatTheDescentsMiss) {
  int better = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const TableCase one = DrawTableCase(seed);
    const SearchForest items(one.task, true);
    const Atoms cells = Atoms::Of(one.table, items);
    Parallel parallel(1);
    const std::vector<CutAnswer> known = Descend(one.task, items, cells, parallel);
    if (known.empty()) continue;
    const CutAnswer again =
        DescendAgain(one.task, items, cells, parallel, known[0], [] { return false; });
    better += again.cost < known[0].cost ? 1 : 0;
  }
  EXPECT_GT(better, 0);
}

// A search that goes anywhere: at each step the bounds are compared with all cuts of the subtree.
class Wanderer {
 public:
  Wanderer(const TableCase& one, bool contract, TableProblem::Options options, uint64_t seed)
      : items_(one.task, contract),
        parallel_(1),
        problem_(one.task, items_, options, parallel_),
        cut_(items_.forest()),
        random_(Random::Seeded(seed)) {
    CutJudge judge(one.task);
    for (const NaiveCut& labels : NaiveCuts(items_.forest())) {
      const CutOutcome outcome = judge.Judge(items_.Labels(labels));
      cuts_.push_back({labels, outcome.valid ? outcome.cost : CutProblem::kNever});
    }
  }

  void Wander(int depth) {
    Check();
    for (int step = 0; step < 3 && !cut_.open().empty(); ++step) {
      const Item value = cut_.open()[random_.Below(cut_.open().size())];
      if (depth < 6 && random_.Below(3) > 0) {
        problem_.Save();
        cut_.Save();
        cut_.Specialize(value);
        problem_.Specialize(cut_, value);
        Wander(depth + 1);
        problem_.Restore();
        cut_.Restore();
      }
      if (!cut_.is_open(value)) continue;
      Lock(value);
      if (random_.Below(2) == 0) Check();
    }
  }

 private:
  struct Known {
    NaiveCut labels;
    Cost cost;
  };

  void Lock(Item value) {
    cut_.Lock(value);
    problem_.Lock(cut_, value);
  }
  // Whether the known cut is at or below the cut, and shows all its locked values.
  bool IsInSubtree(const Known& known) const {
    for (const Item label : known.labels) {
      if (cut_.is_above(label)) return false;
      Item above = label;
      while (!cut_.is_label(above)) above = items_.forest().parent(above);
      if (above != label && !cut_.is_open(above)) return false;
    }
    return true;
  }
  void Check() {
    std::vector<Cost> costs;
    for (const Known& known : cuts_) {
      if (IsInSubtree(known)) costs.push_back(known.cost);
    }
    const Cost least = *std::min_element(costs.begin(), costs.end());
    if (least < enough_) RC_ASSERT(problem_.Bound(cut_) <= least);
    // Any cost may be enough, and what is enough once is enough from there on.
    if (random_.Below(3) == 0) {
      enough_ = std::min(enough_, cuts_[random_.Below(cuts_.size())].cost);
    }
    std::vector<Item> pointless;
    problem_.ListPointless(cut_, enough_, pointless);
    for (const Item value : pointless) Lock(value);
    Cost left = CutProblem::kNever;
    for (const Known& known : cuts_) {
      if (IsInSubtree(known)) left = std::min(left, known.cost);
    }
    // Nothing that matters was ruled out, and the bound is one of what matters.
    if (least < enough_) {
      RC_ASSERT(left == least);
      RC_ASSERT(problem_.Bound(cut_) <= least);
    }
    const CutProblem::Verdict verdict = problem_.Judge(cut_);
    const NaiveCut here = cut_.Labels();
    for (const Known& known : cuts_) {
      if (known.labels != here) continue;
      const bool valid = verdict.validity == CutProblem::Validity::kValid;
      RC_ASSERT(valid == (known.cost != CutProblem::kNever));
      if (valid) RC_ASSERT(verdict.cost == known.cost);
      if (verdict.validity == CutProblem::Validity::kAllInvalid) {
        RC_ASSERT(left == CutProblem::kNever);
      }
    }
  }

  SearchForest items_;
  Parallel parallel_;
  TableProblem problem_;
  OpenCut cut_;
  Random random_;
  std::vector<Known> cuts_;
  Cost enough_ = CutProblem::kNever;
};

RC_GTEST_PROP(TableProblem, BoundsEveryCutOfASubtreeFromBelow, ()) {
  const uint64_t seed = *rc::gen::arbitrary<uint64_t>();
  const TableCase one = DrawTableCase(seed);
  const TableProblem::Options options = {.probe = *rc::gen::arbitrary<bool>(),
                                         .joint = *rc::gen::arbitrary<bool>(),
                                         .few_kinds = *rc::gen::element<size_t>(0, 64),
                                         .squares = *rc::gen::element(0.0, 4.0, 160.0)};
  Wanderer(one, *rc::gen::arbitrary<bool>(), options, seed).Wander(0);
}

// Groups that are put together from counts, and groups that are counted anew: what differs of the bounds, and of the way through
// the cuts.
std::string DifferenceByCounting(uint64_t seed, bool contract) {
  const TableCase one = DrawTableCase(seed);
  const SearchForest items(one.task, contract);
  const auto search = [&](size_t few_kinds) {
    Parallel parallel(1);
    Progress progress;
    TableProblem problem(one.task, items, {.few_kinds = few_kinds}, parallel);
    return FindBestCuts(problem, {}, progress);
  };
  const BestCuts together = search(64);
  const BestCuts anew = search(0);
  if (together.examined != anew.examined) return "cuts examined";
  if (together.judged != anew.judged) return "cuts judged";
  if (together.bound != anew.bound) return "bound";
  const bool are_same = std::equal(
      together.cuts.begin(), together.cuts.end(), anew.cuts.begin(), anew.cuts.end(),
      [](const BestCuts::Answer& a, const BestCuts::Answer& b) { return a.labels == b.labels; });
  return are_same ? "" : "best cuts";
}

RC_GTEST_PROP(TableProblem, BoundsAreTheSameHoweverGroupsAreCounted, ()) {
  const auto seed = *rc::gen::arbitrary<uint64_t>();
  RC_ASSERT(DifferenceByCounting(seed, *rc::gen::arbitrary<bool>()) == "");
}

// Of several sensitive attributes, a group that is too small for any of their values goes whole, as it does of one.
TEST(TableProblem, BoundsAreTheSameForGroupsTooSmallForAnyValue) {
  for (const uint64_t seed : {345, 844, 4965, 22480, 25115, 32092}) {
    for (const bool contract : {false, true}) {
      EXPECT_EQ(DifferenceByCounting(seed, contract), "") << "seed " << seed;
    }
  }
}

// DM by counts alone finds what it finds with squares, with more work.
TEST(TableProblem, FindsTheSameWithoutSquares) {
  uint64_t cuts_with = 0;
  uint64_t cuts_without = 0;
  for (uint64_t seed = 0; seed < Cases(600); ++seed) {
    const TableCase one = DrawTableCase(seed);
    if (one.task.goal().metric != TableMetric::kDm) continue;
    const SearchForest items(one.task, true);
    const auto search = [&](double squares) {
      Parallel parallel(1);
      Progress progress;
      TableProblem problem(one.task, items, {.squares = squares}, parallel);
      return FindBestCuts(problem, {}, progress);
    };
    const BestCuts with = search(160);
    const BestCuts without = search(0);
    ASSERT_EQ(with.proof, without.proof) << "seed " << seed;
    ASSERT_EQ(with.cuts.empty(), without.cuts.empty()) << "seed " << seed;
    cuts_with += with.examined;
    cuts_without += without.examined;
    if (with.cuts.empty()) continue;
    ASSERT_EQ(with.cuts[0].cost, without.cuts[0].cost) << "seed " << seed;
  }
  EXPECT_LT(cuts_with, cuts_without);
}

// The bound of the thesis for DM with violating-records, 20, is above the cost of the cut, 19.
TEST(TableProblem, BoundsWhatTheThesisBoundsTooHigh) {
  TableColumns columns;
  columns.record_count = 6;
  columns.parents = {0, 0, 0};
  columns.quasi = {{.first = 0, .leaves = {1, 1, 2, 2, 2, 2}}};
  columns.sensitive = {{.value_count = 4, .values = {0, 1, 2, 2, 2, 3}}};
  const Table table(columns);
  TableGoal goal;
  goal.promise = TablePromise::Uniform(table, {2, 3});
  goal.metric = TableMetric::kDm;
  const TableTask task(table, goal);
  Parallel parallel(1);
  const SearchForest items(task, true);
  TableProblem problem(task, items, {}, parallel);
  OpenCut cut(items.forest());
  EXPECT_LE(problem.Bound(cut), 19U);
  Progress progress;
  const TableAnswer answer = FindBestTableCuts(task, {}, parallel, progress);
  EXPECT_EQ(answer.best.cuts[0].cost, 19U);
}

}  // namespace
}  // namespace thicket::lplus_property_test
