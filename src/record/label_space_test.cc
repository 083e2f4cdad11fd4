#include "record/label_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "testing/forest_text.h"
#include "testing/random_forest.h"

namespace thicket::label_space_test {
namespace {

using ::testing::HasSubstr;
using testing::ParseForest;
using testing::ParseSchema;
using testing::RandomForest;

RC_GTEST_PROP(LabelSpacePropertyTest, NumbersEveryNodeOnce, ()) {
  const EncodedDataset data = RandomForest(*rc::gen::arbitrary<uint64_t>(), {.classes = 5});
  const LabelSpace space(data);
  std::set<LabelId> seen;
  for (size_t i = 0; i < data.classes.size(); ++i) {
    const auto id = static_cast<ClassId>(i);
    for (size_t slot = 0; slot < data.classes[id].domains.size(); ++slot) {
      const Domain& domain = data.classes[id].domains[slot];
      const uint32_t number = space.first_attribute(id) + static_cast<uint32_t>(slot);
      RC_ASSERT(space.attributes()[number].class_id == id);
      RC_ASSERT(space.attributes()[number].slot == slot);
      if (domain.is_numeric()) {
        RC_ASSERT(space.attributes()[number].first == space.attributes()[number].end);
        continue;
      }
      const Taxonomy& taxonomy = domain.taxonomy();
      for (Node node = 0; node < taxonomy.node_count(); ++node) {
        const LabelId label = space.Id(id, slot, node);
        RC_ASSERT(seen.insert(label).second);
        RC_ASSERT(space.attribute_of(label) == number);
        RC_ASSERT(space.label(label) == (Label{node, node}));
        RC_ASSERT(space.level(label) == taxonomy.depth(node));
        RC_ASSERT(space.is_leaf(label) == taxonomy.is_leaf(node));
        RC_ASSERT(space.parent(label) == (node == Taxonomy::kRoot
                                              ? LabelSpace::kNone
                                              : space.Id(id, slot, taxonomy.parent(node))));
        if (node != Taxonomy::kRoot) RC_ASSERT(space.parent(label) < label);
      }
      for (Value value = 0; value < domain.value_count(); ++value) {
        RC_ASSERT(space.Leaf(id, slot, value) ==
                  (domain.IsMissing(value) ? LabelSpace::kNone
                                           : space.Id(id, slot, domain.Leaf(value).low)));
      }
    }
  }
  RC_ASSERT(seen.size() == space.size());
  if (!seen.empty()) RC_ASSERT(*seen.rbegin() + 1 == space.size());
}

TEST(LabelSpaceTest, CountsLevelsWithoutTheMissingValue) {
  const auto schema = ParseSchema("r(a){c(b)}");
  for (VertexClass& of : schema->classes) {
    of.quasi[0].recoding.kind = Recoding::Kind::kMask;
    of.quasi[0].recoding.mask = 1;
  }
  const auto data = Encode(ParseForest(schema, "r('12'){c('34') c()}r('13')"), {});
  ASSERT_TRUE(data.ok());
  const LabelSpace space(*data);
  // "*", "1*", "12", "13"; "*", "3*", "34" and the missing value.
  EXPECT_EQ(space.size(), 8U);
  EXPECT_EQ(space.at_level(0), 2U);
  EXPECT_EQ(space.at_level(1), 2U);
  EXPECT_EQ(space.at_level(2), 3U);
  EXPECT_EQ(space.at_level(3), 0U);
  EXPECT_EQ(space.attributes()[0].missing, LabelSpace::kNone);
  EXPECT_EQ(space.attributes()[1].missing, 7U);
}

TEST(LabelSpaceTest, KnowsWhatMayStandBelowWhat) {
  const auto schema = ParseSchema("r(a,b){c(a){d(a)} e(a)}");
  for (VertexClass& of : schema->classes) {
    for (QuasiAttribute& quasi : of.quasi) quasi.recoding.kind = Recoding::Kind::kDate;
  }
  const auto data = Encode(ParseForest(schema, "r(2001,2002){c(2003){d(2004)} e(2005)}"), {});
  ASSERT_TRUE(data.ok());
  const LabelSpace space(*data);
  const uint32_t c = space.first_attribute(1);
  const uint32_t d = space.first_attribute(2);
  const uint32_t e = space.first_attribute(3);
  EXPECT_TRUE(space.MayStandBelow(0, 1));
  EXPECT_FALSE(space.MayStandBelow(1, 0));
  EXPECT_FALSE(space.MayStandBelow(0, 0));
  EXPECT_TRUE(space.MayStandBelow(1, d));
  EXPECT_TRUE(space.MayStandBelow(c, d));
  EXPECT_FALSE(space.MayStandBelow(d, c));
  EXPECT_FALSE(space.MayStandBelow(c, e));
  EXPECT_FALSE(space.MayStandBelow(e, d));
  const LabelId upper = space.Id(1, 0, 0);
  EXPECT_TRUE(space.MayRelate(space.Id(2, 0, 0), upper));
  EXPECT_FALSE(space.MayRelate(space.Id(3, 0, 0), upper));
  EXPECT_FALSE(space.MayRelate(upper, upper));
}

TEST(LabelSpaceTest, RefusesFreeIntervalsWhereLevelsMatter) {
  const auto schema = ParseSchema("r(a|s)");
  schema->classes[0].quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  const auto data = Encode(ParseForest(schema, "r(1|x)"), {});
  ASSERT_TRUE(data.ok());
  EXPECT_EQ(LabelSpace(*data).size(), 0U);
  const Status checked = CheckTaxonomies(*data);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().code, ErrorCode::kUsage);
  EXPECT_THAT(checked.error().message, HasSubstr("a of r: must have a hierarchy"));
}

}  // namespace
}  // namespace thicket::label_space_test
