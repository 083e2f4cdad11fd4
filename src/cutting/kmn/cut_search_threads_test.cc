// Threads that look at one cut together find what one thread finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/random.h"
#include "cutting/kmn/cut_search.h"
#include "testing/random_cut_data.h"

namespace thicket::cut_search_threads_test {
namespace {

using testing::RandomCutData;

struct Case {
  Case(Random random, size_t records)
      : data(RandomCutData(random, 2000).WithRecords(records).Make()),
        items(data),
        shapes(Shapes::Of(items, data)) {
    options.limits.k = uint32_t{20} << random.Below(6);
    options.limits.m = static_cast<uint32_t>(2 + random.Below(2));
    options.limits.n = static_cast<uint32_t>(1 + random.Below(2));
    options.g = 1 + random.Below(3);
    options.patience = 1 + random.Below(3);
  }

  CutSolution Search(CutCost cost, int threads, bool from_scratch) const {
    CutSearchOptions chosen = options;
    chosen.cost = cost;
    chosen.from_scratch = from_scratch;
    Parallel parallel(threads);
    Progress progress;
    Result<std::optional<CutSolution>> found = SearchCut(items, shapes, chosen, parallel, progress);
    EXPECT_TRUE(found.ok() && found->has_value());
    return std::move(**found);
  }

  EncodedDataset data;
  ItemHierarchy items;
  Shapes shapes;
  CutSearchOptions options;
};

void ExpectSame(const CutSolution& a, const CutSolution& b) {
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.broken, b.broken);
  EXPECT_EQ(a.broken_support, b.broken_support);
  EXPECT_EQ(a.cost, b.cost);
  EXPECT_EQ(a.cuts, b.cuts);
  EXPECT_EQ(a.valid_cuts, b.valid_cuts);
}

TEST(CutSearchThreads, ShareTheRecordsOfOneCut) {
  constexpr std::array kCosts = {CutCost::kLoss, CutCost::kRpd, CutCost::kLabels};
  size_t most_shapes = 0;
  size_t most_broken = 0;
  for (uint64_t seed = 0; seed < 24; ++seed) {
    const Case one(Random::Seeded(seed), 4000);
    const CutCost cost = kCosts[seed % 4 % kCosts.size()];
    const CutSolution found = one.Search(cost, 1, false);
    for (const int threads : {2, 3, 8}) ExpectSame(one.Search(cost, threads, false), found);
    ExpectSame(one.Search(cost, 1, true), found);
    most_shapes = std::max(most_shapes, one.shapes.size());
    most_broken = std::max(most_broken, found.broken.size());
  }
  // Several ranges of shapes (shape_team.h), and relations to break.
  EXPECT_GT(most_shapes, 2048U);
  EXPECT_GT(most_broken, 0U);
}

}  // namespace
}  // namespace thicket::cut_search_threads_test
