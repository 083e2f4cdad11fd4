#include "record/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "testing/forest_text.h"

namespace thicket::dataset_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ParseForest;
using testing::ParseSchema;

Taxonomy Courses() {
  TaxonomyBuilder builder;
  const auto cs = builder.Add(TaxonomyBuilder::root(), "CS");
  for (const char* leaf : {"CS201", "CS305", "7"}) builder.Add(cs, leaf);
  builder.Add(TaxonomyBuilder::root(), "EE200");
  return std::move(builder).Build();
}

std::shared_ptr<Schema> StudentSchema() {
  auto schema = ParseSchema("student(|gpa){course(code|grade){book(title)}}");
  schema->classes[1].at = "courses";
  schema->classes[1].quasi[0].recoding.file = "course.csv";
  schema->classes[2].at = "books";
  schema->classes[2].quasi[0].recoding.kind = Recoding::Kind::kMask;
  schema->classes[2].quasi[0].recoding.mask = 1;
  return schema;
}

const TaxonomyFiles& Files() {
  static const TaxonomyFiles files = {{"course.csv", Courses()}};
  return files;
}

TEST(DatasetTest, SaysWhereAValueStands) {
  Dataset data = ParseForest(StudentSchema(),
                             "student{course course{book book}}student{course{book}}", "s.jsonl");
  EXPECT_EQ(data.Where(RecordId{1}), "s.jsonl:2");
  EXPECT_EQ(data.Where(0, 0), "s.jsonl:1: gpa");
  EXPECT_EQ(data.Where(2, 0), "s.jsonl:1: courses[1].code");
  EXPECT_EQ(data.Where(2, 1), "s.jsonl:1: courses[1].grade");
  EXPECT_EQ(data.Where(4, 0), "s.jsonl:1: courses[1].books[1].title");
  EXPECT_EQ(data.Where(7, 0), "s.jsonl:2: courses[0].books[0].title");
  data.has_lines = false;
  data.shape.plain[2] = true;
  data.shape.single[1] = true;
  EXPECT_EQ(data.Where(RecordId{0}), "s.jsonl: record 1");
  EXPECT_EQ(data.Where(4, 0), "s.jsonl: record 1: courses.books[1]");
}

TEST(DatasetTest, CountsPlacesFromZeroInEachClass) {
  auto schema = ParseSchema("r{a(q) b(q)}");
  const Dataset data = ParseForest(schema, "r{a a b b}", "x");
  EXPECT_EQ(data.Where(2, 0), "x:1: a[1].q");
  EXPECT_EQ(data.Where(3, 0), "x:1: b[0].q");
  EXPECT_EQ(data.Where(4, 0), "x:1: b[1].q");
}

TEST(EncodeTest, TurnsValuesIntoLeavesAndBack) {
  const auto encoded =
      Encode(ParseForest(StudentSchema(), "student(|3){course(CS305|A) course(EE200|B)}"), Files());
  ASSERT_TRUE(encoded.ok()) << encoded.error().message;
  const Domain& domain = encoded->classes[1].domains[0];
  EXPECT_FALSE(domain.has_missing());
  for (const auto& [vertex, text] : {std::pair<Vertex, std::string>{1, "CS305"}, {2, "EE200"}}) {
    const Value value = encoded->value(vertex, 0);
    EXPECT_EQ(domain.taxonomy().label(domain.Leaf(value).low), text);
    const Symbol symbol = encoded->classes[1].symbol_of_value[0][value];
    EXPECT_EQ(encoded->data.dictionaries[1][0].text(symbol), text);
  }
  EXPECT_EQ(encoded->data.dictionaries[1][1].text(encoded->forest().value(1, 1)), "A");
}

TEST(EncodeTest, SensitiveItemsAreValuesOfTheirOwnRightBelowTheRoot) {
  const auto schema = ParseSchema("basket{item(code)}");
  schema->classes[1].quasi[0].recoding.file = "course.csv";
  schema->classes[1].quasi[0].sensitive_items = {"Viagra", "AdultToy"};
  const auto encoded = Encode(
      ParseForest(schema, "basket{item(CS305)item(viagra)} basket{item(' VIAGRA')item(AdultToy)}"),
      Files());
  ASSERT_TRUE(encoded.ok()) << encoded.error().message;
  const ClassEncoding& items = encoded->classes[1];
  const Taxonomy& taxonomy = items.domains[0].taxonomy();
  std::vector<uint32_t> secrets;
  for (const Vertex vertex : {1, 2, 4, 5}) {
    const Value value = encoded->value(vertex, 0);
    secrets.push_back(items.SecretOf(0, value));
    if (secrets.back() == ClassEncoding::kNoSecret) continue;
    EXPECT_EQ(taxonomy.parent(taxonomy.first_leaf() + value), Taxonomy::kRoot);
  }
  EXPECT_EQ(secrets, (std::vector<uint32_t>{ClassEncoding::kNoSecret, 0, 0, 1}));
  EXPECT_EQ(taxonomy.leaves(*taxonomy.Find("CS")), 3U);
}

TEST(EncodeTest, RejectsAValueThatIsNotInItsTaxonomy) {
  const auto encoded = Encode(
      ParseForest(StudentSchema(),
                  "student(|3){course(CS305|A)}student(|2){course(EE200|B) course(CS999|SECRET) "
                  "course(CS999|C) course(XY|C)}",
                  "s.jsonl"),
      Files());
  ASSERT_FALSE(encoded.ok());
  EXPECT_EQ(encoded.error().code, ErrorCode::kData);
  EXPECT_EQ(encoded.error().message,
            "s.jsonl:2: courses[1].code: every value must be in course.csv, but this one is not "
            "(3 of 5)");
  EXPECT_EQ(encoded.error().value, "CS999");
  EXPECT_THAT(encoded.error().message + encoded.error().hint, Not(HasSubstr("CS999")));
  EXPECT_EQ(encoded.error().hint,
            "add it there, or set unknown: generalize; --show-values prints it");
}

TEST(EncodeTest, RejectsAnInnerNodeAsAValue) {
  const auto encoded =
      Encode(ParseForest(StudentSchema(), "student{course(CS201) course(CS)}", "s.jsonl"), Files());
  ASSERT_FALSE(encoded.ok());
  EXPECT_EQ(encoded.error().message,
            "s.jsonl:1: courses[1].code: every value must be a leaf of course.csv, but this one is "
            "a group there (1 of 2)");
  EXPECT_EQ(encoded.error().hint, "use a value instead of a group, or make it a leaf of its own");
  EXPECT_EQ(encoded.error().value, "CS");
}

TEST(EncodeTest, CountsGroupsAndUnknownValuesApart) {
  const auto encoded =
      Encode(ParseForest(StudentSchema(), "student{course(CS) course(XY) course(CS201)}"), Files());
  ASSERT_FALSE(encoded.ok());
  EXPECT_THAT(encoded.error().message,
              HasSubstr("must be in course.csv, but this one is not (1 of 3)"));
  EXPECT_EQ(encoded.error().value, "XY");
}

TEST(EncodeTest, AnInnerNodeIsNoUnknownValueThatCouldBeGeneralized) {
  auto schema = StudentSchema();
  schema->classes[1].quasi[0].recoding.unknown = UnknownValues::kGeneralize;
  const auto encoded = Encode(ParseForest(schema, "student{course(CS) course(XY)}"), Files());
  ASSERT_FALSE(encoded.ok());
  EXPECT_THAT(encoded.error().message, HasSubstr("this one is a group there (1 of 2)"));
  EXPECT_THAT(encoded.error().hint, Not(HasSubstr("generalize")));
}

TEST(EncodeTest, PutsUnknownValuesUnderTheRootWhenAsked) {
  auto schema = StudentSchema();
  schema->classes[1].quasi[0].recoding.unknown = UnknownValues::kGeneralize;
  const auto encoded = Encode(
      ParseForest(schema, "student{course(CS305) course(XY) course(ZZ) course(XY)}"), Files());
  ASSERT_TRUE(encoded.ok()) << encoded.error().message;
  const Domain& domain = encoded->classes[1].domains[0];
  EXPECT_EQ(domain.value_count(), 6U);
  const Value xy = encoded->value(2, 0);
  EXPECT_EQ(encoded->value(4, 0), xy);
  EXPECT_EQ(domain.taxonomy().label(domain.Leaf(xy).low), "XY");
  EXPECT_EQ(domain.taxonomy().parent(domain.Leaf(xy).low), Taxonomy::kRoot);
  EXPECT_NE(encoded->value(3, 0), xy);
}

TEST(EncodeTest, AMissingValueIsALeafUnderTheRoot) {
  const auto encoded = Encode(
      ParseForest(StudentSchema(), "student{course(CS305){book(ab)} course{book}}"), Files());
  ASSERT_TRUE(encoded.ok()) << encoded.error().message;
  for (const auto& [id, present, missing] :
       {std::tuple<ClassId, Vertex, Vertex>{1, 1, 3}, {2, 2, 4}}) {
    const Domain& domain = encoded->classes[id].domains[0];
    EXPECT_TRUE(domain.has_missing());
    const Value value = encoded->value(missing, 0);
    EXPECT_TRUE(domain.IsMissing(value));
    EXPECT_FALSE(domain.IsMissing(encoded->value(present, 0)));
    EXPECT_EQ(encoded->classes[id].symbol_of_value[0][value], kMissing);
    const Label both = domain.Merge(domain.Leaf(value), domain.Leaf(encoded->value(present, 0)));
    EXPECT_EQ(domain.Text(both), "*");
    EXPECT_EQ(domain.Loss(both), kLabelUnits);
  }
}

TEST(EncodeTest, AMissingNumberMeetsOthersOnlyAtTheRoot) {
  auto schema = ParseSchema("r(year)");
  schema->classes[0].quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  const auto encoded = Encode(ParseForest(schema, "r(1990)r(1995)r()r(2000)"), {});
  ASSERT_TRUE(encoded.ok());
  const Domain& domain = encoded->classes[0].domains[0];
  EXPECT_EQ(domain.value_count(), 4U);
  EXPECT_TRUE(domain.IsMissing(encoded->value(2, 0)));
  EXPECT_EQ(domain.Loss(domain.Merge(domain.Leaf(0), domain.Leaf(1))), kLabelUnits / 2);
  EXPECT_EQ(domain.Text(domain.Merge(domain.Leaf(0), domain.Leaf(3))), "*");
}

TEST(EncodeTest, AValueThatReadsLikeTheLabelOfTheMissingOneIsNotMissing) {
  auto schema = ParseSchema("r(q)");
  schema->classes[0].quasi[0].recoding.kind = Recoding::Kind::kMask;
  schema->classes[0].quasi[0].recoding.mask = 1;
  const auto encoded = Encode(ParseForest(schema, "r('\x01missing')r()r(abc)"), {});
  ASSERT_TRUE(encoded.ok());
  EXPECT_NE(encoded->value(0, 0), encoded->value(1, 0));
  EXPECT_FALSE(encoded->classes[0].domains[0].IsMissing(encoded->value(0, 0)));
  EXPECT_TRUE(encoded->classes[0].domains[0].IsMissing(encoded->value(1, 0)));
}

TEST(EncodeTest, NumbersAndStringsOfOneTextAreOneLeaf) {
  const auto encoded =
      Encode(ParseForest(StudentSchema(), "student{course(7) course('7')}"), Files());
  ASSERT_TRUE(encoded.ok()) << encoded.error().message;
  EXPECT_EQ(encoded->value(1, 0), encoded->value(2, 0));
}

TEST(EncodeTest, EqualNumbersAreOneValue) {
  auto schema = ParseSchema("r(year)");
  schema->classes[0].quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  const auto encoded = Encode(ParseForest(schema, "r(2)r(2.0)r('2')r(10)r(-1)"), {});
  ASSERT_TRUE(encoded.ok());
  std::vector<Value> values;
  for (Vertex v = 0; v < 5; ++v) values.push_back(encoded->value(v, 0));
  EXPECT_THAT(values, ElementsAre(1, 1, 1, 2, 0));
  EXPECT_THAT(encoded->classes[0].domains[0].numbers(), ElementsAre(-1, 2, 10));
}

TEST(EncodeTest, RejectsWhatDoesNotFitItsRecoding) {
  auto schema = ParseSchema("r(year)");
  schema->classes[0].quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  const auto encoded = Encode(ParseForest(schema, "r(1990)r(old)r(young)", "p.csv"), {});
  ASSERT_FALSE(encoded.ok());
  EXPECT_EQ(encoded.error().code, ErrorCode::kData);
  EXPECT_THAT(encoded.error().message, HasSubstr("p.csv:2: year: every value must be a number"));
  EXPECT_THAT(encoded.error().message, HasSubstr("(2 of 3)"));
  EXPECT_EQ(encoded.error().value, "old");
}

TEST(EncodeTest, AMissingTaxonomyIsAnError) {
  const auto encoded = Encode(ParseForest(StudentSchema(), "student"), {});
  ASSERT_FALSE(encoded.ok());
  EXPECT_EQ(encoded.error().code, ErrorCode::kUsage);
}

std::vector<uint32_t> Buckets(const EncodedDataset& data) {
  std::vector<uint32_t> buckets;
  for (Vertex v = 0; v < data.forest().vertex_count(); ++v) buckets.push_back(data.Bucket(v, 0));
  return buckets;
}

TEST(EncodeTest, BucketsAreClosedBelowAndTheLastOneAlsoAbove) {
  auto schema = ParseSchema("r(|gpa)");
  schema->classes[0].sensitive[0].buckets = {0, 2, 4};
  const auto encoded =
      Encode(ParseForest(schema, "r(|-1)r(|0)r(|1.99)r(|2)r(|3)r(|4)r(|4.1)r()"), {});
  ASSERT_TRUE(encoded.ok());
  // Below; [0, 2); [2, 4]; above; missing.
  EXPECT_THAT(Buckets(*encoded), ElementsAre(1, 2, 2, 3, 3, 3, 4, 0));
  EXPECT_EQ(encoded->classes[0].bucket_count[0], 5U);
}

TEST(EncodeTest, RejectsTextWhereThereAreBucketsWithoutQuotingIt) {
  auto schema = ParseSchema("r(|gpa)");
  schema->classes[0].sensitive[0].buckets = {0, 4};
  const auto encoded = Encode(ParseForest(schema, "r(|1)r(|good)", "p.csv"), {});
  ASSERT_FALSE(encoded.ok());
  EXPECT_EQ(encoded.error().code, ErrorCode::kData);
  EXPECT_THAT(encoded.error().message, HasSubstr("p.csv:2: gpa: every value must be a number"));
  EXPECT_THAT(encoded.error().message, HasSubstr("(1 of 2)"));
  EXPECT_THAT(encoded.error().message + encoded.error().hint, Not(HasSubstr("good")));
}

TEST(EncodeTest, CategoriesAreTheirTextsAndMissingIsOneOfThem) {
  auto schema = ParseSchema("r(|s)");
  const auto encoded = Encode(ParseForest(schema, "r(|A)r(|B)r()r(|A)r(|1)r(|'1')"), {});
  ASSERT_TRUE(encoded.ok());
  const std::vector<uint32_t> buckets = Buckets(*encoded);
  EXPECT_EQ(buckets[0], buckets[3]);
  EXPECT_NE(buckets[0], buckets[1]);
  EXPECT_NE(buckets[0], buckets[2]);
  EXPECT_NE(buckets[1], buckets[2]);
  // 1 and "1" tell an adversary the same.
  EXPECT_EQ(buckets[4], buckets[5]);
  for (const uint32_t bucket : buckets) EXPECT_LT(bucket, encoded->classes[0].bucket_count[0]);
}

TEST(EncodeTest, ValuesThatMeanTheSameAreOneCategory) {
  const auto schema = ParseSchema("r(|s)");
  const auto encoded = Encode(
      ParseForest(schema,
                  "r(|1)r(|1.0)r(|'01')r(|HIV)r(|'hiv ')r(|'')r()r(|caf\u00e9)r(|cafe\u0301)"),
      {});
  ASSERT_TRUE(encoded.ok());
  const std::vector<uint32_t> buckets = Buckets(*encoded);
  EXPECT_EQ(buckets[1], buckets[0]);
  EXPECT_EQ(buckets[2], buckets[0]);
  EXPECT_EQ(buckets[4], buckets[3]);
  EXPECT_EQ(buckets[5], 0U);
  EXPECT_EQ(buckets[6], 0U);
  EXPECT_EQ(buckets[8], buckets[7]);
  // What is published keeps its text.
  EXPECT_EQ(encoded->data.dictionaries[0][0].text(encoded->forest().value(1, 0)), "1.0");
}

TEST(EncodeTest, SymbolsStayAndCodesStandBesideThem) {
  auto schema = ParseSchema("r(n|s|k){c(n|s,t)}");
  for (VertexClass& of : schema->classes) {
    of.quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  }
  const Dataset data = ParseForest(
      schema, "r(7|HIV|north){c(2|x,y) c(2.0|x,)}r(3|hiv|south)r(|flu|){c(1|,x) c(|y,y)}");
  const auto encoded = Encode(data, {});
  ASSERT_TRUE(encoded.ok());
  ASSERT_EQ(encoded->codes.size(), data.forest.value_count());
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    const ClassId id = data.forest.class_of(v);
    const VertexClass& of = schema->classes[id];
    const ClassEncoding& encoding = encoded->classes[id];
    for (size_t slot = 0; slot < of.value_count(); ++slot) {
      EXPECT_EQ(encoded->forest().value(v, slot), data.forest.value(v, slot));
    }
    const Value value = encoded->value(v, 0);
    const std::string text(data.dictionaries[id][0].text(data.forest.value(v, 0)));
    EXPECT_EQ(encoding.domains[0].IsMissing(value), text.empty());
    if (!text.empty()) {
      EXPECT_EQ(encoding.domains[0].numbers()[value], *Decimal::Parse(text));
    }
    for (size_t i = 0; i < of.sensitive.size(); ++i) {
      EXPECT_EQ(encoded->Bucket(v, i),
                encoding.bucket_of_symbol[i][data.forest.value(v, of.sensitive_slot(i))]);
    }
  }
  // The two ways to write 2 are one value, and the two ways to write HIV one category.
  EXPECT_EQ(encoded->value(1, 0), encoded->value(2, 0));
  EXPECT_NE(encoded->forest().value(1, 0), encoded->forest().value(2, 0));
  EXPECT_EQ(encoded->Bucket(0, 0), encoded->Bucket(3, 0));
  EXPECT_NE(encoded->forest().value(0, 1), encoded->forest().value(3, 1));
}

TEST(EncodeTest, NumbersAreExact) {
  auto schema = ParseSchema("r(n|s)");
  schema->classes[0].quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  schema->classes[0].sensitive[0].buckets = {0, *Decimal::Parse("9007199254740993"), 1e20};
  const auto encoded = Encode(
      ParseForest(schema,
                  "r(9007199254740992|9007199254740992)r(9007199254740993|9007199254740993)"),
      {});
  ASSERT_TRUE(encoded.ok());
  EXPECT_NE(encoded->value(0, 0), encoded->value(1, 0));
  EXPECT_EQ(encoded->classes[0].domains[0].Text({0, 1}), "[9007199254740992, 9007199254740993]");
  EXPECT_THAT(Buckets(*encoded), ElementsAre(2, 3));
}

TEST(EncodeTest, RefusesNumbersWithTooLargeAnExponent) {
  auto schema = ParseSchema("r(n|s)");
  schema->classes[0].quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  const auto quasi = Encode(ParseForest(schema, "r(1e400|1)r(1e1000|1)", "p.csv"), {});
  ASSERT_FALSE(quasi.ok());
  EXPECT_EQ(quasi.error().code, ErrorCode::kData);
  EXPECT_EQ(quasi.error().message,
            "p.csv:2: n: the exponent of every number must be from -999 to 999, but that of this "
            "one is not (1 of 2)");
  schema->classes[0].sensitive[0].buckets = {0, 1};
  const auto sensitive = Encode(ParseForest(schema, "r(1|1e-1000)", "p.csv"), {});
  ASSERT_FALSE(sensitive.ok());
  EXPECT_THAT(sensitive.error().message, HasSubstr("p.csv:1: s: the exponent of every number"));
}

TEST(EncodeTest, OnceKnowsAValueHoweverItIsWritten) {
  auto schema = ParseSchema("r(|s)");
  schema->classes[0].sensitive[0].once = {"Hiv", "7.0"};
  const auto encoded = Encode(ParseForest(schema, "r(|'HIV ')r(|07)r(|flu)"), {});
  ASSERT_TRUE(encoded.ok());
  const auto& once = encoded->classes[0].once[0];
  EXPECT_TRUE(once[encoded->Bucket(0, 0)]);
  EXPECT_TRUE(once[encoded->Bucket(1, 0)]);
  EXPECT_FALSE(once[encoded->Bucket(2, 0)]);
}

TEST(EncodeTest, OnceMarksTheValuesThatThePolicyNames) {
  auto schema = ParseSchema("r(|s)");
  schema->classes[0].sensitive[0].once = {"HIV", "never seen"};
  const auto encoded = Encode(ParseForest(schema, "r(|flu)r(|HIV)r()"), {});
  ASSERT_TRUE(encoded.ok());
  const auto& once = encoded->classes[0].once[0];
  EXPECT_FALSE(once[encoded->Bucket(0, 0)]);
  EXPECT_TRUE(once[encoded->Bucket(1, 0)]);
  EXPECT_FALSE(once[encoded->Bucket(2, 0)]);
}

TEST(EncodeTest, LeavesKeptValuesAlone) {
  auto schema = ParseSchema("r(|s|k)");
  const auto encoded = Encode(ParseForest(schema, "r(|1|north)r(|2|south)"), {});
  ASSERT_TRUE(encoded.ok());
  EXPECT_EQ(encoded->data.dictionaries[0][1].text(encoded->forest().value(1, 1)), "south");
}

TEST(EncodeTest, NoRecordsAreFine) {
  const auto encoded = Encode(ParseForest(StudentSchema(), ""), Files());
  ASSERT_TRUE(encoded.ok());
  EXPECT_EQ(encoded->forest().record_count(), 0U);
}

TEST(CountLabelsTest, CountsQuasiIdentifiersThatAreThereAndThoseThatAreAbsent) {
  const auto schema = ParseSchema("r(a,b|s|k){c(q){d}}");
  const Dataset data = ParseForest(schema, "r{c(2){d d} c}r(1|5)");
  EXPECT_EQ(CountLabels(*schema, data.forest).labels, 2U);
  EXPECT_EQ(CountLabels(*schema, data.forest).absent, 4U);
  EXPECT_EQ(CountLabels(*schema, ParseForest(schema, "").forest).labels, 0U);
}

}  // namespace
}  // namespace thicket::dataset_test
