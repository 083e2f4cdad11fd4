#include "io/one_way.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>
#include <vector>

namespace thicket::one_way_test {
namespace {

TEST(OneWayTest, TheFirstWayIsTheWay) {
  OneWay blanks;
  EXPECT_TRUE(blanks.Meet(" "));
  EXPECT_TRUE(blanks.Meet(" "));
  EXPECT_FALSE(blanks.Meet(""));
  EXPECT_TRUE(blanks.Meet(" "));
}

TEST(OneWayTest, TwoFormsAreOneTooMany) {
  OneForm form;
  EXPECT_TRUE(form.Meet(3));
  EXPECT_TRUE(form.Meet(3));
  EXPECT_FALSE(form.Meet(0));
}

bool AddVertex(KeyOrder& order, const std::vector<size_t>& keys) {
  order.BeginVertex();
  bool same = true;
  for (const size_t key : keys) same &= order.Meet(key);
  return same;
}

TEST(KeyOrderTest, KeysMayBeAbsent) {
  KeyOrder order(4);
  EXPECT_TRUE(AddVertex(order, {2, 0, 3}));
  EXPECT_TRUE(AddVertex(order, {2, 3}));
  EXPECT_TRUE(AddVertex(order, {1, 3}));
  EXPECT_TRUE(AddVertex(order, {}));
  EXPECT_FALSE(AddVertex(order, {3, 2}));
}

TEST(KeyOrderTest, RepeatedKeysStandTogether) {
  KeyOrder order(2);
  EXPECT_TRUE(AddVertex(order, {0, 0, 1, 1}));
  EXPECT_FALSE(AddVertex(order, {0, 1, 0}));
}

TEST(KeyOrderTest, AgreesWithAllPairsOnRandomVertices) {
  std::mt19937 random(7);
  int refused = 0;
  for (int round = 0; round < 200; ++round) {
    const size_t count = 2 + random() % (round % 2 == 0 ? 4 : 130);
    KeyOrder order(count);
    std::map<std::pair<size_t, size_t>, bool> before;
    for (int vertex = 0; vertex < 6; ++vertex) {
      std::vector<size_t> keys;
      for (size_t key = 0; key < count; ++key) {
        if (random() % 3 == 0) keys.push_back(key);
      }
      if (keys.size() > 1 && random() % 4 == 0) std::swap(keys.front(), keys.back());
      bool same = true;
      for (size_t i = 0; i < keys.size(); ++i) {
        for (size_t j = i + 1; j < keys.size(); ++j) same &= !before[{keys[j], keys[i]}];
      }
      EXPECT_EQ(AddVertex(order, keys), same);
      if (!same) {
        ++refused;
        break;
      }
      for (size_t i = 0; i < keys.size(); ++i) {
        for (size_t j = i + 1; j < keys.size(); ++j) before[{keys[i], keys[j]}] = true;
      }
    }
  }
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace thicket::one_way_test
