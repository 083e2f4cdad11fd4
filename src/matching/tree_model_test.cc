#include "matching/tree_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "matching/merge.h"
#include "testing/forest_text.h"

namespace thicket::tree_model_test {
namespace {

using ::testing::ElementsAre;
using testing::ParseForest;
using testing::ParseSchema;

// Courses with a grade of which F may occur once, and books below them; no quasi-identifiers.
EncodedDataset Encoded(const char* text) {
  auto schema = ParseSchema("r{c(|grade){d(|note)}}");
  schema->classes[1].sensitive[0].once = {"F"};
  Result<EncodedDataset> encoded = Encode(ParseForest(schema, text), {});
  EXPECT_TRUE(encoded.ok()) << encoded.error().message;
  return std::move(*encoded);
}

std::vector<bool> Blocked(const EncodedDataset& data) {
  const TreeModel model(data, {2});
  std::vector<bool> blocked;
  for (Vertex v = 0; v < data.forest().vertex_count(); ++v) blocked.push_back(model.IsBlocked(v));
  return blocked;
}

TEST(TreeModelTest, OfRepeatedOnceValuesOnlyTheOneWithTheMostBelowItStays) {
  EXPECT_THAT(Blocked(Encoded("r{c(|F) c(|F){d(|1)} c(|A) c(|F)}")),
              ElementsAre(false, true, false, false, false, true));
}

TEST(TreeModelTest, OfEqualOnceVerticesTheFirstStays) {
  EXPECT_THAT(Blocked(Encoded("r{c(|A) c(|F) c(|F)}")), ElementsAre(false, false, false, true));
}

TEST(TreeModelTest, EachRecordIsBlockedByItself) {
  EXPECT_THAT(Blocked(Encoded("r{c(|F)}r{c(|F)}")), ElementsAre(false, false, false, false));
}

TEST(TreeModelTest, NothingIsBlockedWithoutOnceValues) {
  const EncodedDataset data = Encoded("r{c(|A) c(|A)}");
  EXPECT_FALSE(TreeModel(data, {2}).has_once() && TreeModel(data, {2}).IsBlocked(2));
}

TEST(TreeModelTest, AOnceValueIsNotTakenWhileTheRepresentativeShowsIt) {
  const EncodedDataset data = Encoded("r{c(|F)}r{c(|F)}r{c(|A)}r{c(|F) c(|B)}");
  for (const int l : {0, 2}) {
    const TreeModel model(data, {l});
    Merger merger(model, {});
    const Representative group = Representative::Of(model, 0, 2);
    EXPECT_EQ(merger.Similarity(group, 1, 0), 1);  // the roots alone
    EXPECT_EQ(merger.Similarity(group, 2, 0), 2);
    EXPECT_EQ(merger.Similarity(group, 3, 0), 2);
  }
}

TEST(TreeModelTest, TheSeedLosesItsBlockedVertices) {
  const EncodedDataset data = Encoded("r{c(|F) c(|F) c(|A)}");
  const TreeModel model(data, {2});
  const Representative group = Representative::Of(model, 0, 2);
  EXPECT_EQ(group.size(), 3U);
  EXPECT_EQ(group.member_weight(), 4);
  EXPECT_EQ(group.cost(), 1);
}

TEST(TreeModelTest, WeighsVerticesByTheirLabels) {
  auto schema = ParseSchema("r(a,b){c}");
  for (QuasiAttribute& attribute : schema->classes[0].quasi) {
    attribute.recoding.kind = Recoding::Kind::kNumeric;
  }
  const EncodedDataset data = std::move(*Encode(ParseForest(schema, "r(1,2){c c}r(3,4)"), {}));
  const TreeModel model(data, {0});
  EXPECT_EQ(model.vertex_weight(0), 2 * kLabelUnits + 1);
  EXPECT_EQ(model.vertex_weight(1), 1);
  EXPECT_EQ(model.record_weight(0), 2 * kLabelUnits + 3);
  EXPECT_EQ(model.record_weight(1), 2 * kLabelUnits + 1);
}

}  // namespace
}  // namespace thicket::tree_model_test
