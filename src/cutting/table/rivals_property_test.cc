// Incognito and simulated annealing on random small tables: against all full-domain cuts, and all cuts, of the reference
// (tests/testing/literal_tables.h).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/random.h"
#include "base/silent_progress.h"
#include "cutting/table/annealing.h"
#include "cutting/table/incognito.h"
#include "cutting/table/table_case_test.h"
#include "testing/cases.h"
#include "testing/literal_tables.h"

namespace thicket::rivals_property_test {
namespace {

using table_case_test::DrawTableCase;
using table_case_test::TableCase;
using testing::LiteralAnonymization;
using testing::LiteralFraction;
using testing::LiteralTableCut;
using testing::LiteralTables;
using testing::LiteralTaxonomy;

std::set<int> LevelOf(const LiteralTaxonomy& taxonomy, int level) {
  std::set<int> labels;
  for (int node = 0; node < static_cast<int>(taxonomy.parents.size()); ++node) {
    int depth = 0;
    for (int above = node; above != 0; ++depth) {
      above = taxonomy.parents[static_cast<size_t>(above)];
    }
    if (depth == level || (depth < level && taxonomy.IsLeaf(node))) labels.insert(node);
  }
  return labels;
}

// Levels beyond the deepest leaf come several times, which changes nothing.
std::vector<LiteralTableCut> FullDomainCuts(const std::vector<LiteralTaxonomy>& taxonomies) {
  std::vector<LiteralTableCut> cuts = {{}};
  for (const LiteralTaxonomy& taxonomy : taxonomies) {
    std::set<std::set<int>> levels;
    for (int level = 0; level <= static_cast<int>(taxonomy.parents.size()); ++level) {
      levels.insert(LevelOf(taxonomy, level));
    }
    std::vector<LiteralTableCut> longer;
    for (const LiteralTableCut& cut : cuts) {
      for (const std::set<int>& labels : levels) {
        longer.push_back(cut);
        longer.back().push_back(labels);
      }
    }
    cuts = std::move(longer);
  }
  return cuts;
}

// The least cost of the valid ones.
std::optional<LiteralFraction> Least(const LiteralTables& literal,
                                     const std::vector<LiteralTableCut>& cuts) {
  std::optional<LiteralFraction> least;
  for (const LiteralTableCut& cut : cuts) {
    const LiteralAnonymization tried = literal.Try(cut);
    if (tried.is_valid && (!least || tried.cost < *least)) least = tried.cost;
  }
  return least;
}

RC_GTEST_PROP(Incognito, FindsTheBestOfAllFullDomainCuts, (uint64_t seed, bool two_threads)) {
  const TableCase drawn = DrawTableCase(seed);
  const std::vector<LiteralTableCut> cuts = FullDomainCuts(drawn.literal_table.taxonomies);
  const std::optional<LiteralFraction> least = Least(drawn.literal, cuts);
  Progress progress;
  Parallel parallel(two_threads ? 2 : 1);
  const TableAnswer answer = FindBestFullDomainCuts(drawn.task, {}, parallel, progress);
  RC_CLASSIFY(!least, "no valid cut");
  if (!least) {
    RC_ASSERT(answer.best.proof == BestCuts::Proof::kInfeasible);
    RC_ASSERT(answer.best.cuts.empty());
    return;
  }
  RC_ASSERT(answer.best.proof == BestCuts::Proof::kOptimal);
  RC_ASSERT(answer.best.cuts.size() == 1U);
  RC_ASSERT(drawn.CostIs(answer.best.cuts[0].cost, *least));
  RC_ASSERT(answer.best.bound == answer.best.cuts[0].cost);
  // What is published is what that cut publishes: the reference says so, too.
  const LiteralAnonymization tried = drawn.literal.Try(drawn.ToLiteral(answer.best.cuts[0].labels));
  RC_ASSERT(tried.is_valid);
  RC_ASSERT(tried.cost == *least);
  RC_ASSERT(answer.all_cuts <= static_cast<double>(cuts.size()));
}

// The h cheapest of all that publish different labels.
RC_GTEST_PROP(Incognito, FindsTheBestFew, (uint64_t seed)) {
  const TableCase drawn = DrawTableCase(seed);
  std::map<std::set<std::vector<int>>, LiteralFraction> by_labels;
  for (const LiteralTableCut& cut : FullDomainCuts(drawn.literal_table.taxonomies)) {
    const LiteralAnonymization tried = drawn.literal.Try(cut);
    if (!tried.is_valid) continue;
    std::set<std::vector<int>> shown;
    for (const auto& [labels, records] : tried.classes) shown.insert(labels);
    by_labels.insert_or_assign(shown, tried.cost);
  }
  std::vector<LiteralFraction> costs;
  for (const auto& [labels, cost] : by_labels) costs.push_back(cost);
  std::sort(costs.begin(), costs.end(), [](const auto& a, const auto& b) { return a < b; });
  Progress progress;
  Parallel parallel(1);
  const TableAnswer answer = FindBestFullDomainCuts(drawn.task, {.top_h = 3}, parallel, progress);
  RC_ASSERT(answer.best.cuts.size() == std::min<size_t>(3, costs.size()));
  for (size_t i = 0; i < answer.best.cuts.size(); ++i) {
    RC_ASSERT(drawn.CostIs(answer.best.cuts[i].cost, costs[i]));
  }
}

RC_GTEST_PROP(Annealing, IsValidAndNeverBetterThanTheBestCut, (uint64_t seed)) {
  const TableCase drawn = DrawTableCase(seed);
  const std::vector<LiteralAnonymization> best = drawn.literal.Best(1);
  Progress progress;
  Random random = Random::Seeded(seed);
  const TableAnswer answer = FindCutsByAnnealing(drawn.task, {.steps = 50}, random, progress);
  if (best.empty()) {
    RC_ASSERT(answer.best.proof == BestCuts::Proof::kInfeasible);
    RC_ASSERT(answer.best.cuts.empty());
    return;
  }
  RC_ASSERT(answer.best.proof == BestCuts::Proof::kStopped);
  RC_ASSERT(answer.best.bound == 0U);
  const LiteralAnonymization tried =
      drawn.literal.Try(drawn.ToLiteral(answer.best.cuts.at(0).labels));
  RC_ASSERT(tried.is_valid);
  RC_ASSERT(drawn.CostIs(answer.best.cuts[0].cost, tried.cost));
  RC_ASSERT(!(tried.cost < best[0].cost));
  Random again = Random::Seeded(seed);
  const TableAnswer same = FindCutsByAnnealing(drawn.task, {.steps = 50}, again, progress);
  RC_ASSERT(same.best.cuts[0].labels == answer.best.cuts[0].labels);
  RC_ASSERT(same.best.examined == answer.best.examined);
}

// Small tables have few cuts: with patience nearly all are looked at.
TEST(Annealing, NearlyAlwaysFindsTheBestCutOfASmallTable) {
  uint64_t best_found = 0;
  const uint64_t cases = Cases(40);
  for (uint64_t seed = 0; seed < cases; ++seed) {
    const TableCase drawn = DrawTableCase(seed);
    const std::vector<LiteralAnonymization> best = drawn.literal.Best(1);
    Progress progress;
    Random random = Random::Seeded(seed);
    const TableAnswer answer = FindCutsByAnnealing(drawn.task, {.steps = 400}, random, progress);
    best_found += best.empty() || drawn.CostIs(answer.best.cuts.at(0).cost, best[0].cost) ? 1 : 0;
  }
  EXPECT_GE(best_found, cases * 9 / 10);
}

TEST(Incognito, EndsAtALimitOfTimeWithTheBestFoundSoFar) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const TableCase drawn = DrawTableCase(seed);
    Progress progress;
    Parallel parallel(1);
    const TableAnswer whole = FindBestFullDomainCuts(drawn.task, {}, parallel, progress);
    const TableAnswer answer =
        FindBestFullDomainCuts(drawn.task, {.limit_s = 0}, parallel, progress);
    if (answer.best.proof != BestCuts::Proof::kStopped) continue;
    if (whole.best.cuts.empty()) continue;
    EXPECT_LE(answer.best.bound, whole.best.cuts[0].cost);
    if (!answer.best.cuts.empty()) {
      EXPECT_GE(answer.best.cuts[0].cost, whole.best.cuts[0].cost);
    }
  }
}

}  // namespace
}  // namespace thicket::rivals_property_test
