// All attributes at once, on numbers that can be checked by hand.
#include "cutting/table/joint_bound.h"

#include <gtest/gtest.h>

#include <vector>

#include "cutting/table/attribute_bound.h"

namespace thicket::joint_bound_test {
namespace {

using Cost = JointBound::Cost;

// Two attributes, each a root (items 0 and 3) above two leaves, and four records with all combinations: a root loses 4 labels
// in sum, a leaf none.
class JointBoundTest : public ::testing::Test {
 protected:
  static TableColumns Columns() {
    TableColumns columns;
    columns.record_count = 4;
    columns.parents = {0, 0, 0, 3, 3, 3};
    columns.quasi = {{.first = 0, .leaves = {1, 1, 2, 2}}, {.first = 3, .leaves = {4, 5, 4, 5}}};
    columns.sensitive = {{.value_count = 2, .values = {0, 1, 1, 0}}};
    return columns;
  }
  static TableGoal Goal(const Table& table) {
    TableGoal goal;
    goal.promise = TablePromise::Uniform(table, {1, 2});
    goal.suppression_cost = {4, 1};
    return goal;
  }
  // Two classes, as if there were a third attribute: each loses `first` if the first attribute shows its leaves, and `second`
  // if the second does.
  struct Shared {
    Cost first;
    Cost second;
  };
  Cost Raise(const std::vector<Shared>& classes, Cost enough) {
    const std::vector<size_t> open = {0, 1};
    joint_.Begin(classes.size(), open);
    for (uint32_t number = 0; number < classes.size(); ++number) {
      joint_.Add(0, number, 1, classes[number].first, 0);
      joint_.Add(1, number, 4, classes[number].second, 0);
    }
    weights_.resize(classes.size() * 2, 0);
    return joint_.Raise(cut_, is_locked_, 0, enough, weights_);
  }

  const Table table_ = Table(Columns());
  const TableTask task_ = TableTask(table_, Goal(table_));
  const SearchForest items_ = SearchForest(task_, true);
  const Cost root_ = 4 * items_.loss(0);
  Parallel parallel_ = Parallel(1);
  JointBound joint_ = JointBound(task_, items_, parallel_);
  const OpenCut cut_ = OpenCut(items_.forest());
  std::vector<bool> is_locked_ = {false, true, true, false, true, true};
  std::vector<JointBound::Weight> weights_;
};

TEST_F(JointBoundTest, NothingIsSharedAndNothingLost) {
  EXPECT_EQ(Raise({{0, 0}}, AttributeBound::kImpossible), 0U);
}

// One class keeps the first attribute from showing its leaves, and another the second: with one attribute at a time only one
// root would be paid for.
TEST_F(JointBoundTest, EveryAttributePays) {
  const Cost dear = 10 * root_;
  EXPECT_EQ(Raise({{dear, 0}, {0, dear}}, AttributeBound::kImpossible), 2 * root_);
  EXPECT_EQ(joint_.least(0) + joint_.least(1), 2 * root_);
}

// One class that loses the same either way pays once: half of it for each attribute.
TEST_F(JointBoundTest, AClassPaysOnce) {
  const Cost cheap = root_ / 2;
  const Cost bound = Raise({{cheap, cheap}}, AttributeBound::kImpossible);
  EXPECT_LE(bound, cheap);
  EXPECT_GE(bound, cheap - 2);
}

TEST_F(JointBoundTest, WeightsThatAreTooMuchAreBalanced) {
  const Cost cheap = root_ / 2;
  weights_ = {JointBound::kOne, JointBound::kOne};
  EXPECT_LE(Raise({{cheap, cheap}}, AttributeBound::kImpossible), cheap);
  EXPECT_LE(weights_[0] + weights_[1], JointBound::kOne);
}

// What a class pays for its dearer attribute, it pays at least.
TEST_F(JointBoundTest, WeightsGoToTheDearerAttribute) {
  const Cost cheap = root_ / 4;
  const Cost bound = Raise({{cheap, cheap / 16}}, AttributeBound::kImpossible);
  EXPECT_LE(bound, cheap);
  EXPECT_GT(weights_[0], JointBound::kOne / 2);
  EXPECT_LE(weights_[0] + weights_[1], JointBound::kOne);
}

TEST_F(JointBoundTest, LockedRootsStay) {
  is_locked_[0] = true;
  EXPECT_EQ(Raise({{0, 0}}, AttributeBound::kImpossible), root_);
}

TEST_F(JointBoundTest, WhatIsNotPossibleIsNotShown) {
  EXPECT_EQ(Raise({{AttributeBound::kImpossible, 0}}, AttributeBound::kImpossible), root_);
}

}  // namespace
}  // namespace thicket::joint_bound_test
