#include "record/unknown_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/forest_text.h"

namespace thicket::unknown_values_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ParseForest;
using testing::ParseSchema;

std::shared_ptr<Schema> SchemaWith(UnknownValues unknown) {
  auto schema = ParseSchema("r(a|s){c(q){d(t)}}");
  schema->classes[1].at = "c";
  schema->classes[2].at = "d";
  Recoding& numbers = schema->classes[0].quasi[0].recoding;
  numbers.kind = Recoding::Kind::kNumeric;
  numbers.unknown = unknown;
  Recoding& dates = schema->classes[1].quasi[0].recoding;
  dates.kind = Recoding::Kind::kDate;
  dates.units = {DateUnit::kYear};
  dates.format = "%Y%m%d";
  dates.unknown = unknown;
  schema->classes[2].quasi[0].recoding.file = "t.csv";
  schema->classes[2].quasi[0].recoding.unknown = unknown;
  return schema;
}

TaxonomyFiles Files() {
  TaxonomyBuilder builder("*");
  builder.Add(TaxonomyBuilder::root(), "x");
  TaxonomyFiles files;
  files.emplace("t.csv", std::move(builder).Build());
  return files;
}

// The texts of one attribute, vertex by vertex; "" for none.
std::vector<std::string> TextsOf(const Dataset& data, ClassId id, size_t slot) {
  std::vector<std::string> texts;
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    if (data.forest.class_of(v) != id) continue;
    texts.emplace_back(data.dictionaries[id][slot].text(data.forest.value(v, slot)));
  }
  return texts;
}

constexpr const char* kRecords =
    "r(5|a){c(20010203){d(x) d(y)} c(1999)}r(old|old){c(2001-02-03){d(x)}}r(7|b){c}";

TEST(LeaveOutUnknownTest, MakesThemMissingAndSaysHowMany) {
  const auto schema = SchemaWith(UnknownValues::kLeaveOut);
  const Dataset data = LeaveOutUnknown(ParseForest(schema, kRecords), Files());
  EXPECT_THAT(TextsOf(data, 0, 0), ElementsAre("5", "", "7"));
  EXPECT_THAT(TextsOf(data, 0, 1), ElementsAre("a", "old", "b"));
  EXPECT_THAT(TextsOf(data, 1, 0), ElementsAre("20010203", "1999", "", ""));
  EXPECT_THAT(TextsOf(data, 2, 0), ElementsAre("x", "", "x"));
  EXPECT_EQ(data.dictionaries[0][0].size(), 3U);
  ASSERT_EQ(data.warnings.size(), 3U);
  EXPECT_EQ(data.warnings[0].message, "a: 1 of 3 values is not a number, and counts as missing");
  EXPECT_EQ(data.warnings[1].message,
            "c.q: 1 of 3 values is not a date (%Y%m%d), and counts as missing");
  EXPECT_EQ(data.warnings[2].message,
            "c.d.t: 1 of 3 values is not in t.csv, and counts as missing");
  EXPECT_EQ(data.forest.record_count(), 3U);
  EXPECT_EQ(data.forest.root(1), 5U);
}

TEST(LeaveOutUnknownTest, LeavesEverythingElseAlone) {
  for (const UnknownValues unknown : {UnknownValues::kError, UnknownValues::kGeneralize}) {
    const Dataset data = LeaveOutUnknown(ParseForest(SchemaWith(unknown), kRecords), Files());
    EXPECT_THAT(TextsOf(data, 0, 0), ElementsAre("5", "old", "7"));
    EXPECT_THAT(data.warnings, IsEmpty());
  }
}

TEST(EncodeUnknownTest, WhatIsNoNumberIsALeafThatMeetsOthersAtTheRoot) {
  auto schema = ParseSchema("r(a)");
  schema->classes[0].quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  schema->classes[0].quasi[0].recoding.unknown = UnknownValues::kGeneralize;
  const auto encoded = Encode(ParseForest(schema, "r(5)r(old)r(7)r(9)r r(new)"), {});
  ASSERT_TRUE(encoded.ok());
  const Domain& domain = encoded->classes[0].domains[0];
  const auto leaf = [&](Vertex v) { return domain.Leaf(encoded->value(v, 0)); };
  EXPECT_EQ(domain.value_count(), 6U);
  EXPECT_EQ(domain.Text(domain.Merge(leaf(0), leaf(2))), "[5, 7]");
  EXPECT_EQ(domain.Text(domain.Merge(leaf(0), leaf(1))), "*");
  EXPECT_EQ(domain.Text(domain.Merge(leaf(1), leaf(5))), "*");
  EXPECT_EQ(domain.Text(domain.Merge(leaf(1), leaf(4))), "*");
  EXPECT_EQ(domain.Merge(leaf(1), leaf(1)), leaf(1));
  EXPECT_EQ(domain.ExactLoss(domain.Merge(leaf(0), leaf(1))), 1);
  EXPECT_EQ(domain.ExactLoss(leaf(1)), 0);
  EXPECT_EQ(domain.ExactLoss(domain.Merge(leaf(0), leaf(3))), 1);
  EXPECT_NE(domain.Merge(leaf(0), leaf(3)), domain.Anything());
  EXPECT_TRUE(domain.IsMissing(encoded->value(4, 0)));
}

TEST(EncodeUnknownTest, WhatFitsNoRangeStandsRightUnderTheRoot) {
  auto schema = ParseSchema("r(a)");
  Recoding& recoding = schema->classes[0].quasi[0].recoding;
  recoding.kind = Recoding::Kind::kRanges;
  recoding.widths = {5, 10};
  recoding.unknown = UnknownValues::kGeneralize;
  const auto encoded = Encode(ParseForest(schema, "r(3)r(old)r(12)"), {});
  ASSERT_TRUE(encoded.ok());
  const Taxonomy& taxonomy = encoded->classes[0].domains[0].taxonomy();
  EXPECT_EQ(taxonomy.parent(*taxonomy.Find("old")), Taxonomy::kRoot);
  EXPECT_EQ(taxonomy.label(taxonomy.parent(*taxonomy.Find("3"))), "[0, 5)");
}

TEST(EncodeUnknownTest, RefusesWhatReadsLikeAnInterval) {
  auto schema = ParseSchema("r(a)");
  schema->classes[0].quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  schema->classes[0].quasi[0].recoding.unknown = UnknownValues::kGeneralize;
  const auto encoded = Encode(ParseForest(schema, "r(3)r(*)"), {});
  ASSERT_FALSE(encoded.ok());
  EXPECT_THAT(encoded.error().message, HasSubstr("reads like one (1 of 2)"));
}

}  // namespace
}  // namespace thicket::unknown_values_test
