// Table 3.1 of Liu 2010 under the taxonomies of Fig. 3.1: Examples 3.1, 3.4 and 3.7, and what goes when a class breaks its
// promise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/silent_progress.h"
#include "cutting/table/cut_judge.h"
#include "cutting/table/lplus.h"
#include "testing/naive_cuts.h"

namespace thicket::paper_table_test {
namespace {

using ::testing::ElementsAre;
using enum testing::FigureItem;

enum : uint32_t { kFlu, kAsthma, kCancer };

TableColumns Patients() {
  TableColumns columns;
  columns.record_count = 10;
  columns.quasi.resize(2);
  columns.parents = {0, 0, 0, 1, 1, 2, 2, 7, 7, 7, 8, 8, 9, 9};
  columns.quasi[0].leaves = {3, 3, 4, 4, 5, 5, 5, 6, 6, 6};
  columns.quasi[1].first = 7;
  columns.quasi[1].leaves = {10, 11, 10, 11, 11, 13, 12, 12, 13, 13};
  columns.sensitive = {{.value_count = 3,
                        .values = {kFlu, kAsthma, kFlu, kCancer, kAsthma, kAsthma, kFlu, kAsthma,
                                   kCancer, kCancer}}};
  return columns;
}

TableGoal Goal(const Table& table, Suppression scheme, Fraction theta) {
  TableGoal goal;
  goal.promise = TablePromise::Uniform(table, theta);
  goal.suppression = scheme;
  goal.suppression_cost = TableGoal::LeastCost(table, scheme);
  return goal;
}

const std::vector<Item> kCutB = {kJr, kSr, kBa, kGrad, kEu, kAm};

// What goes under cut b with theta 1/2; records are numbered from 0.
TableSuppression SuppressedUnderCutB(Suppression scheme) {
  const Table table(Patients());
  const TableTask task(table, Goal(table, scheme, {1, 2}));
  Random random = Random::Seeded(1);
  return CutJudge(task).Suppress(kCutB, random);
}

TEST(PaperTable, ATableIsCellsWithKinds) {
  const Table table(Patients());
  EXPECT_EQ(table.cell_count(), 9U);
  EXPECT_EQ(table.kind_count(), 3U);
  EXPECT_EQ(table.occurrences(kUni), 6U);
  EXPECT_EQ(table.leaves(kAnyCountry), 4U);
  EXPECT_EQ(table.forest().CountCuts(), 25);
}

TEST(PaperTable, StarsCountInTheSizeOfAClassAndNeverAsAValue) {
  const Table table(Patients());
  TableGoal goal = Goal(table, Suppression::kViolatingValues, {1, 1});
  goal.promise.theta = {{1, 2}, {2, 5}, {3, 10}};  // Example 3.1
  const TableTask task(table, goal);
  ClassJudge judge(task);
  const std::vector<Table::KindCount> class_of_three = {{kAsthma, 1}, {kCancer, 2}};
  const ClassOutcome outcome = judge.Judge(class_of_three);
  EXPECT_TRUE(outcome.valid);
  EXPECT_EQ(outcome.suppressed_values, 2U);
  EXPECT_TRUE(judge.IsStarred(kCancer));
  EXPECT_FALSE(judge.IsStarred(kAsthma));
}

TEST(PaperTable, SchemesTakeWhatExample34Says) {
  const auto records_of = [](const std::vector<TableSuppression::Value>& values) {
    std::vector<uint32_t> records;
    for (const auto& value : values) records.push_back(value.record);
    return records;
  };
  // <Bachelor, Europe> has one record, too: number 4.
  EXPECT_THAT(records_of(SuppressedUnderCutB(Suppression::kViolatingValues).values),
              ElementsAre(4, 8, 9));
  EXPECT_THAT(records_of(SuppressedUnderCutB(Suppression::kAllValues).values),
              ElementsAre(4, 7, 8, 9));
  EXPECT_THAT(SuppressedUnderCutB(Suppression::kAllRecords).records, ElementsAre(4, 7, 8, 9));
  const TableSuppression fewest = SuppressedUnderCutB(Suppression::kViolatingRecords);
  ASSERT_EQ(fewest.records.size(), 2U);
  EXPECT_EQ(fewest.records[0], 4U);
  EXPECT_THAT(fewest.records[1], ::testing::AnyOf(8U, 9U));
}

TEST(PaperTable, SuppressionIsRepeatedUntilNothingViolates) {
  const Table table(Patients());
  const TableTask task(table, Goal(table, Suppression::kViolatingRecords, {1, 3}));
  ClassJudge judge(task);
  // Example 3.7 takes two of Asthma and one of Cancer: one of each stays.
  const std::vector<Table::KindCount> university = {{kAsthma, 3}, {kCancer, 2}, {kFlu, 1}};
  EXPECT_EQ(judge.Judge(university).kept, 3U);
  EXPECT_EQ(judge.KeptWith(kAsthma), 1U);
  EXPECT_EQ(judge.KeptWith(kCancer), 1U);
}

TEST(PaperTable, ThresholdsAreExact) {
  EXPECT_EQ(*Fraction::Of(*Decimal::Parse("0.5")), (Fraction{1, 2}));
  EXPECT_EQ(*Fraction::Of(*Decimal::Parse("1200")), (Fraction{1200, 1}));
  EXPECT_EQ(*Fraction::Of(*Decimal::Parse("0.000000000000000001")),
            (Fraction{1, 1000000000000000000}));
  EXPECT_FALSE(Fraction::Of(*Decimal::Parse("-1")));
  EXPECT_FALSE(Fraction::Of(*Decimal::Parse("1e-19")));
  const Fraction third{1, 3};
  EXPECT_FALSE(third.IsExceededBy(1, 3));
  EXPECT_TRUE((*Fraction::Of(*Decimal::Parse("0.333333333"))).IsExceededBy(1, 3));
  EXPECT_TRUE(third < *Fraction::Of(*Decimal::Parse("0.34")));
  EXPECT_EQ(*third.Times(3, 2), (Fraction{1, 2}));
}

TEST(PaperTable, ThresholdsFollowFrequencies) {
  const Table table(Patients());
  // 3, 4 and 3 of 10 records, a third on average.
  const TablePromise promise = TablePromise::ByFrequency(table, {1, 3});
  EXPECT_EQ(promise.theta[kFlu], (Fraction{1, 3}));
  EXPECT_EQ(promise.theta[kAsthma], (Fraction{4, 10}));
}

TEST(PaperTable, WhoIsLeftOutOfEqualsIsDrawn) {
  const Table table(Patients());
  const TableTask task(table, Goal(table, Suppression::kViolatingRecords, {1, 2}));
  std::vector<int> went(10, 0);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random = Random::Seeded(seed);
    for (const uint32_t record : CutJudge(task).Suppress(kCutB, random).records) ++went[record];
  }
  EXPECT_EQ(went[4], 200);
  EXPECT_EQ(went[8] + went[9], 200);
  EXPECT_GT(went[8], 60);
  EXPECT_GT(went[9], 60);
}

}  // namespace
}  // namespace thicket::paper_table_test
