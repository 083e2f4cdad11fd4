// The search for the nearest bag, on bags of which some are gone, from any centre: it finds what comparing every bag
// finds, from the definition (tests/testing/literal_bags.h).
#include "grouping/bags/nearest_bag.h"

#include <gtest/gtest.h>

#include <set>

#include "grouping/bags/bag_case_test.h"
#include "testing/cases.h"

namespace thicket::nearest_bag_test {
namespace {

using testing::LiteralBags;
using testing::LiteralMatching;
using testing::LiteralSsgOptions;

// Terms on a line, of which some stand at the same place, so that there are many ties and terms that are 0 steps apart.
LiteralBags LineOfTerms(Random& random, size_t bag_count) {
  LiteralBags literal;
  const size_t terms = 5 + random.Below(40);
  const auto epsilon = static_cast<int>(random.Below(7));
  std::vector<int> at;
  for (size_t i = 0; i < terms; ++i) at.push_back(static_cast<int>(random.Below(2 * terms)));
  for (size_t a = 0; a < terms; ++a) {
    literal.steps.emplace_back();
    for (size_t b = 0; b < terms; ++b) {
      const int apart = std::abs(at[a] - at[b]);
      literal.steps.back().push_back(apart <= epsilon ? apart : -1);
    }
  }
  for (size_t bag = 0; bag < bag_count; ++bag) {
    literal.bags.emplace_back();
    while (random.Below(4) != 0 && literal.bags.back().size() < 6) {
      // Some terms are much more frequent than others.
      literal.bags.back().push_back(static_cast<int>(random.Below(1 + random.Below(terms))));
    }
    literal.owners.push_back(static_cast<int>(random.Below(1 + bag_count / 2)));
  }
  return literal;
}

// Ranks of the bags, and what each costs.
struct Expected {
  uint32_t bag = 0;
  int64_t cost = -1;
};

class Scan {
 public:
  Scan(const LiteralBags& literal, const std::set<uint32_t>& gone, const std::set<int>& excluded)
      : literal_(literal) {
    for (uint32_t bag = 0; bag < literal.bags.size(); ++bag) {
      if (!gone.contains(bag) && !excluded.contains(literal.owners[bag])) left_.push_back(bag);
    }
    std::stable_sort(left_.begin(), left_.end(), [&](uint32_t a, uint32_t b) {
      return literal.bags[a].size() < literal.bags[b].size();
    });
  }

  Expected Nearest(const LiteralBags::Hyper& hyper, int64_t members,
                   const LiteralSsgOptions& options) const {
    Expected nearest;
    for (const uint32_t bag : left_) {
      const LiteralMatching matching = literal_.Match(hyper, literal_.bags[bag], options);
      const int64_t cost = LiteralBags::Cost(matching, members, options.omega_halves);
      if (nearest.cost >= 0 && cost >= nearest.cost) continue;
      nearest = {bag, cost};
    }
    return nearest;
  }

 private:
  const LiteralBags& literal_;
  std::vector<uint32_t> left_;
};

// Those that are near every term of the row.
NearList NearTo(const LiteralBags& literal, const std::vector<int>& row) {
  NearList near;
  for (uint32_t term = 0; term < literal.steps.size(); ++term) {
    const int64_t weight = literal.Weight(row, static_cast<int>(term));
    if (weight >= 0) near.push_back({term, static_cast<uint32_t>(weight)});
  }
  std::sort(near.begin(), near.end(), [](const auto& a, const auto& b) {
    return std::tie(a.steps, a.term) < std::tie(b.steps, b.term);
  });
  return near;
}

void CheckOne(uint64_t seed) {
  Random random = Random::Seeded(seed);
  const LiteralBags literal = LineOfTerms(random, random.Below(120));
  const Bags bags = bag_case_test::ToBags(literal);
  const TermDistances distances = bag_case_test::ToDistances(literal);
  LiteralSsgOptions options;
  options.is_greedy = random.Below(2) == 0;
  if (random.Below(2) == 0) options.omega_halves = static_cast<int64_t>(random.Below(20));
  NearestBag::Options search_options;
  search_options.matching = options.is_greedy ? BagMatching::kGreedy : BagMatching::kExact;
  if (options.omega_halves >= 0) {
    search_options.omega = static_cast<double>(options.omega_halves) / 2;
  }
  Parallel parallel(1);
  BagIndex index(bags, distances, parallel);
  NearestBag search(index, search_options);
  std::set<uint32_t> gone;
  for (size_t round = 0; round < 12; ++round) {
    const size_t going = index.left() == 0 ? 0 : random.Below(1 + index.left() / 4);
    for (size_t i = 0; i < going; ++i) {
      const auto rank = static_cast<BagIndex::Rank>(random.Below(index.size()));
      if (!index.is_there(rank)) continue;
      index.Remove(rank);
      gone.insert(index.bag(rank));
    }
    search.ExcludeNobody();
    std::set<int> excluded;
    for (BagIndex::Rank rank = 0; rank < index.size(); ++rank) {
      if (random.Below(20) != 0) continue;
      search.Exclude(index.owner(rank));
      excluded.insert(literal.owners[index.bag(rank)]);
    }
    const bool is_hyper = random.Below(2) == 0;
    const size_t members = is_hyper ? 1 + random.Below(3) : 1;
    LiteralBags::Hyper hyper(random.Below(7));
    std::vector<uint32_t> centre;
    std::vector<NearList> rows;
    for (std::vector<int>& row : hyper) {
      for (size_t i = 0; i < members; ++i) {
        row.push_back(static_cast<int>(random.Below(literal.steps.size())));
      }
      centre.push_back(static_cast<uint32_t>(row.front()));
      rows.push_back(NearTo(literal, row));
    }
    if (is_hyper) {
      search.SetCentre(rows, members);
    } else {
      search.SetCentre(centre);
    }
    const Expected expected =
        Scan(literal, gone, excluded).Nearest(hyper, static_cast<int64_t>(members), options);
    const NearestBag::Found found = search.Nearest();
    ASSERT_EQ(found.rank == BagIndex::kNone, expected.cost < 0) << "seed " << seed;
    if (expected.cost < 0) continue;
    ASSERT_EQ(index.bag(found.rank), expected.bag) << "seed " << seed << ", round " << round;
  }
}

TEST(NearestBag, IsTheFirstOfTheNearest) {
  for (uint64_t seed = 0; seed < Cases(400); ++seed) CheckOne(seed);
}

TEST(NearestBag, LooksAtFewBags) {
  // A thousand bags of terms that stand far apart: one of them is looked at for each search, and the first.
  Bags bags;
  std::vector<std::vector<TermDistances::Near>> lists;
  for (uint32_t term = 0; term < 1000; ++term) {
    bags.Add({term}, term);
    lists.push_back({{term, 0}});
  }
  const TermDistances distances = TermDistances::FromLists(std::move(lists));
  Parallel parallel(1);
  const BagIndex index(bags, distances, parallel);
  NearestBag search(index, {});
  search.SetCentre(std::vector<uint32_t>{777});
  EXPECT_EQ(search.Nearest().rank, 777);
  EXPECT_LE(search.statistics().compared, 2);
  EXPECT_EQ(search.statistics().candidates, 1000);
}

}  // namespace
}  // namespace thicket::nearest_bag_test
