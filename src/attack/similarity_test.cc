#include "attack/similarity.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "testing/forest_text.h"
#include "testing/random_forest.h"

namespace thicket::similarity_test {
namespace {

using testing::ForestShape;
using testing::ParseForest;
using testing::ParseSchema;
using testing::RandomForest;

// Values are levels, or have one by the map.
SymbolLevels LevelsByText(const Dataset& data, const std::map<std::string, uint32_t>& level_of) {
  SymbolLevels levels;
  for (size_t id = 0; id < data.schema->classes.size(); ++id) {
    const VertexClass& type = data.schema->classes[id];
    auto& of_class = levels.emplace_back();
    for (size_t i = 0; i < type.sensitive.size(); ++i) {
      const Dictionary& dictionary = data.dictionaries[id][type.sensitive_slot(i)];
      auto& of_attribute = of_class.emplace_back(dictionary.size(), 1);
      for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
        of_attribute[symbol] = level_of.at(std::string(dictionary.text(symbol)));
      }
    }
  }
  return levels;
}

// Fig. 2 of Wang et al. 2018: the class is 3-diverse, and yet the level of each value is certain. Levels by Table 2.
TEST(SimilarityTest, AThreeDiverseClassOfLowValuesGivesTheLevelsAway) {
  const auto schema = ParseSchema("student(major|gpa){course(code|grade){teacher(name|score)}}");
  const Dataset published =
      ParseForest(schema,
                  "student(CS|0.31){course(CS201|D){teacher('DB Prof.'|0)}}"
                  "student(CS|0.15){course(CS201|'D+'){teacher('DB Prof.'|0.1)}}"
                  "student(CS|0.09){course(CS201|'D-'){teacher('DB Prof.'|0.2)}}");
  const LevelKnowledge known = LearnLevels(published, LevelsByText(published, {{"0.31", 5},
                                                                               {"0.15", 5},
                                                                               {"0.09", 5},
                                                                               {"D", 4},
                                                                               {"D+", 4},
                                                                               {"D-", 4},
                                                                               {"0", 5},
                                                                               {"0.1", 5},
                                                                               {"0.2", 5}}));
  ASSERT_EQ(known.size(), 3U);
  for (const auto& of_class : known) {
    ASSERT_EQ(of_class.size(), 1U);
    EXPECT_EQ(of_class[0].values, 3U);
    EXPECT_EQ(of_class[0].known_share(), 1);
    EXPECT_EQ(of_class[0].mean_certainty(), 1);
    EXPECT_EQ(of_class[0].worst_certainty, 1);
    EXPECT_EQ(of_class[0].people_share(), 1);
  }
}

// The class of Table 1: levels 5, 4, 3, 2, 1, 1.
TEST(SimilarityTest, TheClassOfTable1LeavesAThirdOfCertainty) {
  const auto schema = ParseSchema("student(major|gpa)");
  const Dataset published =
      ParseForest(schema,
                  "student(CS|0.8) student(CS|1.6) student(CS|2.3) student(CS|2.7) "
                  "student(CS|3.5) student(CS|3.9)");
  const LevelsLearned known = LearnLevels(
      published,
      LevelsByText(published,
                   {{"0.8", 5}, {"1.6", 4}, {"2.3", 3}, {"2.7", 2}, {"3.5", 1}, {"3.9", 1}}))[0][0];
  EXPECT_EQ(known.known_share(), 0);
  EXPECT_DOUBLE_EQ(known.mean_certainty(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(known.worst_certainty, 1.0 / 3);
  EXPECT_DOUBLE_EQ(known.guess(), 1.0 / 3);
}

TEST(SimilarityTest, ClassesAndVerticesAreCountedByTheirValues) {
  const auto schema = ParseSchema("s(q|g){c(q|g)}");
  const std::map<std::string, uint32_t> levels = {{"1", 1}, {"2", 2}, {"3", 3}};
  // In class a the roots have two levels and the courses one; in class b a root stands alone.
  const Dataset published =
      ParseForest(schema, "s(a|1){c(x|3)} s(a|2){c(x|3)} s(a|2){c(x|3)} s(b|2)");
  const LevelKnowledge known = LearnLevels(published, LevelsByText(published, levels));
  const LevelsLearned& root = known[0][0];
  EXPECT_EQ(root.values, 4U);
  EXPECT_EQ(root.known, 1U);
  EXPECT_EQ(root.mean_certainty(), 0.75);
  EXPECT_EQ(root.worst_certainty, 1);
  EXPECT_EQ(root.people_known, 1U);
  EXPECT_EQ(root.guess(), 0.75);
  const LevelsLearned& course = known[1][0];
  EXPECT_EQ(course.values, 3U);
  EXPECT_EQ(course.people, 3U);
  EXPECT_EQ(course.people_known, 3U);
}

TEST(SimilarityTest, SiblingsStandInCanonicalOrder) {
  const auto schema = ParseSchema("s(q|){c(q|g)}");
  const Dataset published = ParseForest(schema, "s(a){c(x|1) c(y|2)} s(a){c(y|2) c(x|1)}");
  const LevelKnowledge known =
      LearnLevels(published, LevelsByText(published, {{"1", 1}, {"2", 2}}));
  EXPECT_EQ(known[1][0].known_share(), 1);
  EXPECT_EQ(known[1][0].guess(), 0.5);
}

TEST(SimilarityTest, NothingIsLearnedFromNoRecords) {
  const auto schema = ParseSchema("s(q|g)");
  const Dataset published = ParseForest(schema, "");
  const LevelsLearned known = LearnLevels(published, LevelsByText(published, {}))[0][0];
  EXPECT_EQ(known.values, 0U);
  EXPECT_EQ(known.known_share(), 0);
  EXPECT_EQ(known.guess(), 0);
}

// Tables: who stands together is who has the same quasi-identifiers.
RC_GTEST_PROP(SimilarityProperty, OfTablesItIsACountByQuasiIdentifiers, (uint64_t seed)) {
  ForestShape shape;
  shape.records = 30;
  shape.classes = 1;
  shape.secrets = 5;
  shape.once = false;
  const Dataset data = RandomForest(seed, shape).data;
  std::map<std::string, uint32_t> level_of;
  for (uint32_t i = 0; i < 5; ++i) level_of[std::to_string(i)] = i + 1;
  const SymbolLevels levels = LevelsByText(data, level_of);
  const LevelKnowledge known = LearnLevels(data, levels);
  const VertexClass& type = data.schema->classes[0];
  for (size_t i = 0; i < type.sensitive.size(); ++i) {
    std::map<std::vector<uint32_t>, std::multiset<uint32_t>> groups;
    for (RecordId record = 0; record < data.forest.record_count(); ++record) {
      const Vertex root = data.forest.root(record);
      const uint32_t* values = data.forest.values(root);
      groups[{values, values + type.quasi.size()}].insert(
          levels[0][i][data.forest.value(root, type.sensitive_slot(i))]);
    }
    uint64_t sure = 0;
    uint64_t most = 0;
    for (const auto& [quasi, here] : groups) {
      size_t largest = 0;
      for (const uint32_t level : here) largest = std::max(largest, here.count(level));
      most += largest;
      if (largest == here.size()) sure += here.size();
    }
    RC_ASSERT(known[0][i].values == 30U);
    RC_ASSERT(known[0][i].known == sure);
    RC_ASSERT(known[0][i].people_known == sure);
    RC_ASSERT(known[0][i].most_frequent == most);
  }
}

}  // namespace
}  // namespace thicket::similarity_test
