#include "record/published_labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "testing/forest_text.h"

namespace thicket::published_labels_test {
namespace {

using ::testing::HasSubstr;
using testing::ParseForest;
using testing::ParseSchema;

constexpr char kMissingLeaf[] = "\x01missing";

std::shared_ptr<Schema> AgeSchema() {
  auto schema = ParseSchema("r(age,zip|s)");
  schema->classes[0].quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  schema->classes[0].quasi[1].recoding.kind = Recoding::Kind::kMask;
  schema->classes[0].quasi[1].recoding.mask = 1;
  return schema;
}

EncodedDataset People(const char* text) {
  Result<EncodedDataset> encoded = Encode(ParseForest(AgeSchema(), text), {});
  EXPECT_TRUE(encoded.ok());
  return std::move(*encoded);
}

TEST(ReadLabelTest, ReadsNumbersAndIntervalsOfTheData) {
  const EncodedDataset data = People("r(2)r(17.5)r(30)");
  const Domain& age = data.classes[0].domains[0];
  EXPECT_EQ(ReadLabel(age, "17.5"), (Label{1, 1}));
  EXPECT_EQ(ReadLabel(age, "17.50"), (Label{1, 1}));
  EXPECT_EQ(ReadLabel(age, "[2, 17.5]"), (Label{0, 1}));
  EXPECT_EQ(ReadLabel(age, "[2, 30]"), (Label{0, 2}));
  EXPECT_EQ(age.ExactLoss(*ReadLabel(age, "*")), 1);
}

TEST(ReadLabelTest, RefusesWhatIsNoIntervalOfTheData) {
  const EncodedDataset data = People("r(2)r(17.5)r(30)");
  const Domain& age = data.classes[0].domains[0];
  for (const char* text :
       {"", "3", "[2, 18]", "[17.5, 2]", "[2, 2]", "[2,17.5]", "[2, 17.5)", "[", "[]", "[, ]",
        "[2, ]", "[, 2]", ", ", "2, 17.5", "x[2, 17.5]", "[2, 17.5] "}) {
    EXPECT_FALSE(ReadLabel(age, text).has_value()) << text;
  }
}

TEST(ReadLabelTest, NoTextIsTheMissingValue) {
  const EncodedDataset data = People("r(1,12)r(2,)");
  const Domain& zip = data.classes[0].domains[1];
  ASSERT_TRUE(zip.has_missing());
  EXPECT_TRUE(zip.taxonomy().Find(kMissingLeaf).has_value());
  EXPECT_FALSE(ReadLabel(zip, kMissingLeaf).has_value());
  EXPECT_EQ(ReadLabel(zip, "*"), (Label{Taxonomy::kRoot, Taxonomy::kRoot}));
}

TEST(ReadLabelTest, AStarIsEverythingWhateverTheRootIsCalled) {
  TaxonomyBuilder builder("Europe");
  builder.Add(TaxonomyBuilder::root(), "France");
  builder.Add(TaxonomyBuilder::root(), "Spain");
  const Domain domain = Domain::FromTaxonomy(std::move(builder).Build(), false);
  EXPECT_EQ(ReadLabel(domain, "*"), ReadLabel(domain, "Europe"));
  EXPECT_FALSE(ReadLabel(domain, "Asia").has_value());
}

TEST(PublishedLabelsTest, AMissingValueIsALabelOrNone) {
  const EncodedDataset original = People("r(1,12|a)r(2,|b)");
  const Dataset published = ParseForest(AgeSchema(), "r('[1, 2]','12'|a)r('[1, 2]',|b)");
  const auto labels = PublishedLabels::Read(original, published);
  ASSERT_TRUE(labels.ok());
  const Domain& zip = original.classes[0].domains[1];
  EXPECT_EQ(labels->of(0, 1, kMissing), zip.Leaf(static_cast<Value>(zip.value_count() - 1)));
  EXPECT_EQ(labels->of(0, 0, published.forest.value(0, 0)), (Label{0, 1}));
  const auto shown = PublishedLabels::Read(original, published, {.missing_is_label = false});
  ASSERT_TRUE(shown.ok());
  EXPECT_EQ(shown->of(0, 1, kMissing), PublishedLabels::kNone);
}

TEST(PublishedLabelsTest, SaysWhereATextIsNoLabel) {
  const EncodedDataset original = People("r(1,12|a)r(2,13|b)");
  const auto strange =
      PublishedLabels::Read(original, ParseForest(AgeSchema(), "r(1,12|a)r(2,99|b)", "p.jsonl"));
  ASSERT_FALSE(strange.ok());
  EXPECT_EQ(strange.error().code, ErrorCode::kData);
  EXPECT_THAT(strange.error().message, HasSubstr("p.jsonl:2: zip: a published value must be"));
  EXPECT_EQ(strange.error().value, "99");
  // A missing value is one only where the original has one.
  const Dataset missing = ParseForest(AgeSchema(), "r(1,12|a)r(2,|b)", "p.jsonl");
  EXPECT_FALSE(PublishedLabels::Read(original, missing).ok());
  EXPECT_TRUE(PublishedLabels::Read(original, missing, {.missing_is_label = false}).ok());
  const auto worded = PublishedLabels::Read(original, missing, {.rule = "must x", .hint = "do y"});
  ASSERT_FALSE(worded.ok());
  EXPECT_EQ(worded.error().message, "p.jsonl:2: zip: must x");
  EXPECT_EQ(worded.error().hint, "do y");
}

}  // namespace
}  // namespace thicket::published_labels_test
