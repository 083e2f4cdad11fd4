// SSG: the running example of Liu 2010, Chapter 5, owners, and what cannot be grouped.
#include "grouping/bags/ssg.h"

#include <gtest/gtest.h>

#include "grouping/bags/bag_case_test.h"

namespace thicket::ssg_test {
namespace {

using bag_case_test::kBoots;
using bag_case_test::kHomoMilk;
using bag_case_test::kJackets;
using bag_case_test::kRawMilk;
using bag_case_test::kShoes;
using bag_case_test::kVino;
using bag_case_test::kWine;
using bag_case_test::RunningExample;
using bag_case_test::ToBags;
using bag_case_test::ToDistances;
using testing::LiteralBags;
using Terms = std::vector<uint32_t>;

SsgAnswer RunSsg(const LiteralBags& literal, const SsgOptions& options) {
  Parallel parallel(2);
  Progress progress;
  const TermDistances distances = ToDistances(literal);
  return GroupBags(ToBags(literal), distances, options, parallel, progress);
}

std::vector<Terms> HyperTermsOf(const BagClass& one) {
  std::vector<Terms> all;
  for (const HyperTerm& hyper : one.hyper) all.push_back(hyper.terms);
  return all;
}

Terms TypicalOf(const BagClass& one) {
  Terms typical;
  for (const HyperTerm& hyper : one.hyper) typical.push_back(hyper.typical);
  return typical;
}

// Sections 5.3.1 and 5.4, Examples 5.6 to 5.9, with epsilon 4 and k 2: clusters {t1, t2, t3} and {t4, t5}, their hyper
// vocabularies and centres.
TEST(Ssg, GroupsTheRunningExampleAsTheThesisDoes) {
  for (const std::optional<double> omega : {std::optional<double>(), std::optional<double>(4)}) {
    for (const BagMatching matching : {BagMatching::kExact, BagMatching::kGreedy}) {
      const SsgAnswer answer =
          RunSsg(RunningExample(4), {.k = 2, .omega = omega, .matching = matching});
      ASSERT_TRUE(answer.is_feasible);
      ASSERT_EQ(answer.classes.size(), 2);
      EXPECT_EQ(answer.leftovers, 1);
      const BagClass& first = answer.classes[0];
      EXPECT_EQ(first.bags, (Terms{0, 1, 2}));
      EXPECT_EQ(HyperTermsOf(first), (std::vector<Terms>{{kWine, kVino, kWine},
                                                         {kWine, kVino, kVino},
                                                         {kJackets, kJackets, kJackets},
                                                         {kBoots, kShoes, kShoes}}));
      EXPECT_EQ(TypicalOf(first), (Terms{kWine, kVino, kJackets, kShoes}));
      EXPECT_EQ(first.hyper[1].places, (Terms{1, 1, 1}));
      EXPECT_EQ(first.hyper[3].places, (Terms{3, 3, 4}));
      const BagClass& second = answer.classes[1];
      EXPECT_EQ(second.bags, (Terms{3, 4}));
      EXPECT_EQ(TypicalOf(second), (Terms{kRawMilk, kRawMilk, kHomoMilk}));
    }
  }
}

// The other two kinds of centre compare with the hyper vocabulary; here the classes are the same.
TEST(Ssg, GroupsTheRunningExampleByHyperVocabularies) {
  for (const BagCentre centre : {BagCentre::kHyper, BagCentre::kGeneralize}) {
    const SsgAnswer answer = RunSsg(RunningExample(4), {.k = 2, .centre = centre});
    ASSERT_EQ(answer.classes.size(), 2);
    EXPECT_EQ(answer.classes[0].bags, (Terms{0, 1, 2}));
    EXPECT_EQ(answer.classes[1].bags, (Terms{3, 4}));
  }
}

TEST(Ssg, PutsKDifferentOwnersIntoAClass) {
  LiteralBags literal = RunningExample(4);
  // The second vocabulary, which is nearest to the first, is of the same user.
  literal.owners = {0, 0, 1, 2, 3};
  const SsgAnswer answer = RunSsg(literal, {.k = 2});
  ASSERT_FALSE(answer.classes.empty());
  EXPECT_EQ(answer.classes[0].bags.front(), 0);
  EXPECT_NE(answer.classes[0].bags[1], 1);
}

TEST(Ssg, GroupsNothingWhereOwnersAreTooFew) {
  LiteralBags literal = RunningExample(4);
  literal.owners = {0, 0, 0, 1, 1};
  EXPECT_TRUE(RunSsg(literal, {.k = 2}).is_feasible);
  const SsgAnswer answer = RunSsg(literal, {.k = 3});
  EXPECT_FALSE(answer.is_feasible);
  EXPECT_TRUE(answer.classes.empty());
}

TEST(Ssg, GroupsNoBagsIntoNoClasses) {
  LiteralBags literal = RunningExample(4);
  literal.bags.clear();
  literal.owners.clear();
  const SsgAnswer answer = RunSsg(literal, {.k = 2});
  EXPECT_TRUE(answer.is_feasible);
  EXPECT_TRUE(answer.classes.empty());
}

TEST(Ssg, PublishesNothingOfBagsThatHaveNothingInCommon) {
  LiteralBags literal = RunningExample(0);
  literal.bags = {{kWine}, {kShoes}};
  literal.owners = {0, 1};
  const SsgAnswer answer = RunSsg(literal, {.k = 2});
  ASSERT_EQ(answer.classes.size(), 1);
  EXPECT_TRUE(answer.classes[0].hyper.empty());
}

}  // namespace
}  // namespace thicket::ssg_test
