#include "utility/dissimilarity.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>

namespace thicket {
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
}  // namespace thicket
