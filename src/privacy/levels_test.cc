#include "privacy/levels.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace thicket::levels_test {
namespace {

// Wang et al. 2018, section 3.3, Table 1: a grade point average in [0, 4].
TEST(FuzzyLevelsTest, Table1HasAllThirtyMemberships) {
  const FuzzyLevels gpa(0, 4);
  const double values[6] = {0.8, 1.6, 2.3, 2.7, 3.5, 3.9};
  const double memberships[5][6] = {{0.40, 0, 0, 0, 0, 0},
                                    {0.20, 0.60, 0, 0, 0, 0},
                                    {0, 0.40, 0.55, 0, 0, 0},
                                    {0, 0, 0.45, 0.95, 0, 0},
                                    {0, 0, 0, 0.025, 0.625, 0.925}};
  for (int set = 1; set <= 5; ++set) {
    for (int i = 0; i < 6; ++i) {
      EXPECT_NEAR(gpa.Membership(set, values[i]), memberships[set - 1][i], 1e-12)
          << set << " " << values[i];
    }
  }
}

TEST(FuzzyLevelsTest, Table1GivesTheLevelsOfTheText) {
  const FuzzyLevels gpa(0, 4);
  const double values[6] = {0.8, 1.6, 2.3, 2.7, 3.5, 3.9};
  const int levels[6] = {5, 4, 3, 2, 1, 1};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(gpa.Level(values[i], true), levels[i]) << values[i];
    EXPECT_EQ(gpa.Level(values[i], false), 6 - levels[i]) << values[i];
  }
}

// Table 2; its 0.25 for the score is 0.22 by the formula.
TEST(FuzzyLevelsTest, Table2HasTheBounds) {
  const auto gpa = FuzzyLevels(0, 4).Bounds();
  const auto score = FuzzyLevels(0, 1).Bounds();
  const double gpa_bounds[4] = {0.89, 1.67, 2.33, 3.11};
  const double score_bounds[4] = {0.22, 0.42, 0.58, 0.78};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(gpa[i], gpa_bounds[i], 0.005);
    EXPECT_NEAR(score[i], score_bounds[i], 0.005);
  }
}

TEST(FuzzyLevelsTest, EqualMembershipsGoToTheMoreSensitiveLevel) {
  const FuzzyLevels levels(0, 12);
  EXPECT_EQ(levels.Membership(2, 5), levels.Membership(3, 5));
  EXPECT_EQ(levels.Level(5, false), 3);
  EXPECT_EQ(levels.Level(5, true), 4);
  EXPECT_EQ(levels.Level(7, false), 4);
  EXPECT_EQ(levels.Level(7, true), 3);
  // The same where the bound is no binary number.
  EXPECT_EQ(FuzzyLevels(0, 36).Level(8, true), 5);
  EXPECT_EQ(FuzzyLevels(0, 36).Level(8, false), 2);
  EXPECT_EQ(FuzzyLevels(0, 3.6).Level(0.8, true), 5);
  EXPECT_EQ(FuzzyLevels(0, 3.6).Level(0.8, false), 2);
}

TEST(FuzzyLevelsTest, NumbersOutsideTheRangeBelongToItsEnds) {
  const FuzzyLevels levels(10, 20);
  EXPECT_EQ(levels.Level(-5, false), 1);
  EXPECT_EQ(levels.Level(10, false), 1);
  EXPECT_EQ(levels.Level(20, false), 5);
  EXPECT_EQ(levels.Level(1e300, false), 5);
  EXPECT_EQ(levels.Level(1e300, true), 1);
}

TEST(FuzzyLevelsTest, ARangeOfOneNumberIsTheMiddle) {
  EXPECT_EQ(FuzzyLevels(7, 7).Level(7, true), 3);
  EXPECT_EQ(FuzzyLevels(7, 7).Level(7, false), 3);
}

TEST(FuzzyLevelsTest, ExtremeRangesDoNotOverflow) {
  const FuzzyLevels levels(-1.7e308, 1.7e308);
  EXPECT_EQ(levels.Level(-1.7e308, false), 1);
  EXPECT_EQ(levels.Level(0, false), 3);
  EXPECT_EQ(levels.Level(1.7e308, false), 5);
}

// The level is that of the set with the greatest membership, and of equals the more sensitive one: what doubles can say of
// it must agree, away from where memberships are nearly equal.
RC_GTEST_PROP(FuzzyLevelsProperty, TheLevelHasTheGreatestMembership, ()) {
  const int min = *rc::gen::inRange(-1000, 1000);
  const int max = min + *rc::gen::inRange(1, 1000);
  const int number = *rc::gen::inRange(min - 10, max + 10);
  const bool low = *rc::gen::arbitrary<bool>();
  const FuzzyLevels levels(min, max);
  const int level = levels.Level(number, low);
  const auto of_level = [&](int other) {
    return levels.Membership(low ? FuzzyLevels::kSets + 1 - other : other, number);
  };
  for (int other = 1; other <= FuzzyLevels::kSets; ++other) {
    RC_ASSERT(of_level(other) <= of_level(level) + 1e-9);
    if (other > level) RC_ASSERT(of_level(other) < of_level(level) - 1e-9);
  }
}

// Figure 3: the bounds are where neighbouring sets meet, and decide.
RC_GTEST_PROP(FuzzyLevelsProperty, BoundsSeparateTheLevels, ()) {
  const double min = *rc::gen::inRange(-1000, 1000) / 8.0;
  const double width = *rc::gen::inRange(1, 1000) / 8.0;
  const double share = *rc::gen::inRange(-100, 1100) / 1000.0;
  const FuzzyLevels levels(min, min + width);
  const double number = min + share * width;
  int expected = 1;
  for (const double bound : levels.Bounds()) {
    RC_PRE(std::abs(number - bound) > 1e-6 * width);
    if (number > bound) ++expected;
  }
  RC_ASSERT(levels.Level(number, false) == expected);
  RC_ASSERT(levels.Level(number, true) == 6 - expected);
}

}  // namespace
}  // namespace thicket::levels_test
