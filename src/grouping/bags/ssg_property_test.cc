// SSG on random small bags: Algorithm 5.1 word for word (tests/testing/literal_bags.h) gives the same classes, and so
// do full scans.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "grouping/bags/bag_case_test.h"
#include "grouping/bags/ssg.h"
#include "testing/cases.h"

namespace thicket::ssg_property_test {
namespace {

using bag_case_test::RandomBags;
using bag_case_test::ToBags;
using bag_case_test::ToDistances;
using testing::LiteralBagClass;
using testing::LiteralBags;
using testing::LiteralSsgOptions;

std::vector<LiteralBagClass> ToLiteral(const SsgAnswer& answer) {
  std::vector<LiteralBagClass> classes;
  for (const BagClass& one : answer.classes) {
    LiteralBagClass literal{{one.bags.begin(), one.bags.end()}, {}, {}};
    for (const HyperTerm& hyper : one.hyper) {
      literal.places.emplace_back(hyper.places.begin(), hyper.places.end());
      literal.typical.push_back(static_cast<int>(hyper.typical));
    }
    classes.push_back(literal);
  }
  return classes;
}

struct Case {
  LiteralBags literal;
  LiteralSsgOptions literal_options;
  SsgOptions options;
};

Case DrawCase(uint64_t seed, size_t most_bags, size_t most_terms) {
  Random random = Random::Seeded(seed);
  Case one{RandomBags(random, most_bags, most_terms), {}, {}};
  one.options.k = static_cast<uint32_t>(1 + random.Below(4));
  one.literal_options.k = one.options.k;
  // Down to below epsilon, which is 6: nobody may ask for that, but everything should agree.
  if (random.Below(2) == 0) {
    const uint64_t halves = random.Below(18);
    one.options.omega = static_cast<double>(halves) / 2;
    one.literal_options.omega_halves = static_cast<int64_t>(halves);
  }
  one.literal_options.is_greedy = random.Below(2) == 0;
  one.options.matching = one.literal_options.is_greedy ? BagMatching::kGreedy : BagMatching::kExact;
  one.literal_options.is_hyper = random.Below(2) == 0;
  if (one.literal_options.is_hyper) one.options.centre = BagCentre::kHyper;
  return one;
}

SsgAnswer RunSsg(const Case& one, bool exhaustive, int threads) {
  Parallel parallel(threads);
  Progress progress;
  SsgOptions options = one.options;
  options.exhaustive = exhaustive;
  const TermDistances distances = ToDistances(one.literal);
  return GroupBags(ToBags(one.literal), distances, options, parallel, progress);
}

RC_GTEST_PROP(Ssg, FollowsAlgorithm51, (uint64_t seed)) {
  const Case one = DrawCase(seed, 14, 5);
  const auto expected = one.literal.Ssg(one.literal_options);
  const SsgAnswer answer = RunSsg(one, false, 1);
  RC_ASSERT(answer.is_feasible == expected.has_value());
  RC_ASSERT(ToLiteral(answer) == expected.value_or(std::vector<LiteralBagClass>()));
}

TEST(Ssg, FindsWhatFullScansFindOnAnyNumberOfThreads) {
  for (uint64_t seed = 0; seed < Cases(60); ++seed) {
    const Case one = DrawCase(seed, 120, 20);
    const SsgAnswer scanned = RunSsg(one, true, 1);
    const SsgAnswer found = RunSsg(one, false, 1);
    const SsgAnswer threaded = RunSsg(one, false, 3);
    ASSERT_EQ(ToLiteral(scanned), ToLiteral(found)) << "seed " << seed;
    ASSERT_EQ(ToLiteral(scanned), ToLiteral(threaded)) << "seed " << seed;
    ASSERT_EQ(found.compared, threaded.compared);
    ASSERT_EQ(found.candidates, threaded.candidates);
  }
}

}  // namespace
}  // namespace thicket::ssg_property_test
