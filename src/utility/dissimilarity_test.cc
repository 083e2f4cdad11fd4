#include "utility/dissimilarity.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>

#include "utility/test_data.h"

namespace thicket::dissimilarity_test {
namespace {

TEST(DissimilarityTest, OneValueOfEachLevelHasDegreeOne) {
  EXPECT_EQ(DissimilarityDegree({1, 2, 3, 4, 5}), 1);
}

TEST(DissimilarityTest, ValuesOfOneLevelAreNotDissimilar) {
  EXPECT_EQ(DissimilarityDegree({5, 5, 5}), 0);
  EXPECT_EQ(DissimilarityDegree({3}), 0);
  EXPECT_EQ(DissimilarityDegree({}), 0);
}

// The class of Table 1 of Wang et al. 2018, with levels 5, 4, 3, 2, 1, 1: 20 + (4 + 3 + 2 + 1 + 0) over 20.
TEST(DissimilarityTest, TheClassOfTable1) {
  EXPECT_EQ(DissimilarityDegree({5, 4, 3, 2, 1, 1}), 1.5);
}

TEST(DissimilarityTest, OfAClassItIsTheMeanOverVertices) {
  EXPECT_EQ(MeanDissimilarity({{1, 2, 3, 4, 5}, {1, 1}}), 0.5);
  EXPECT_EQ(MeanDissimilarity({}), 0);
}

// Levels by symbol: 0 is missing, then those of the values in the order in which they first occur.
TEST(DissimilarityTest, OfPublishedDataItIsTheMeanOverClasses) {
  const auto schema = ToySchema(
      {ToyClass("student", 0, {"major"}, {"gpa"}), ToyClass("course", 0, {"code"}, {"grade"})});
  ToyData toy(schema);
  toy.Add({0, {"CS"}, {"low"}, {{1, {"x"}, {"A"}, {}}, {1, {"y"}, {"F"}, {}}}});
  toy.Add({0, {"CS"}, {"high"}, {{1, {"y"}, {"F"}, {}}, {1, {"x"}, {"C"}, {}}}});
  toy.Add({0, {"EE"}, {"low"}, {}});
  const DissimilarityReport report =
      MeasureDissimilarity(toy.Build(), {{{1, 5, 1}}, {{1, 1, 5, 3}}});
  EXPECT_EQ(report.classes, 2U);
  // In the first class 4 / 20 for the root, 2 / 20 for x and 0 for y; the second has nobody to differ from.
  EXPECT_DOUBLE_EQ(report.degree, (6.0 / 20 / 3 + 0) / 2);
  EXPECT_DOUBLE_EQ(report.mean_distance, (4.0 + 2 + 0) / 3);
}

TEST(DissimilarityTest, WithoutSensitiveValuesThereIsNone) {
  ToyData toy(ToySchema({ToyClass("student", 0, {"major"}, {})}));
  toy.Add({0, {"CS"}, {}, {}});
  const DissimilarityReport report = MeasureDissimilarity(toy.Build(), {{}});
  EXPECT_EQ(report.classes, 0U);
  EXPECT_EQ(report.degree, 0);
  EXPECT_EQ(report.mean_distance, 0);
}

RC_GTEST_PROP(DissimilarityProperty, IsTheSumOverPairs, ()) {
  const auto levels = *rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(1, 6));
  int sum = 0;
  for (size_t i = 0; i < levels.size(); ++i) {
    for (size_t j = i + 1; j < levels.size(); ++j) {
      sum += std::abs(static_cast<int>(levels[i]) - static_cast<int>(levels[j]));
    }
  }
  RC_ASSERT(DissimilarityDegree(levels) == sum / 20.0);
}

}  // namespace
}  // namespace thicket::dissimilarity_test
