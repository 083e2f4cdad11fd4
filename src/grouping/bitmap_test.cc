#include "grouping/bitmap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "grouping/miracle.h"
#include "testing/forest_text.h"
#include "testing/random_forest.h"

namespace thicket::bitmap_test {
namespace {

using ::testing::ElementsAre;
using testing::ForestShape;
using testing::ParseForest;
using testing::ParseSchema;
using testing::RandomForest;

BitmapGrouping Cluster(const EncodedDataset& data, const BitmapOptions& options, int threads = 1) {
  Parallel parallel(threads);
  Progress progress;
  return std::move(*CdghOnBitmap(data, options, parallel, progress));
}

EncodedDataset Encoded(const std::string& text) {
  auto schema = ParseSchema("student{course(course){book(book)}}");
  TaxonomyFiles files;
  for (size_t id : {1, 2}) {
    TaxonomyBuilder builder;
    for (const char* leaf : {"Math", "CS", "Law", "Calc", "Dyn"}) {
      builder.Add(TaxonomyBuilder::root(), leaf);
    }
    const std::string name = std::to_string(id);
    schema->classes[id].quasi[0].recoding.file = name;
    files.emplace(name, std::move(builder).Build());
  }
  return std::move(*Encode(ParseForest(schema, text), files));
}

std::vector<std::vector<RecordId>> Classes(const BitmapGrouping& found) {
  std::vector<std::vector<RecordId>> classes;
  for (const PublishedTree group : found.grouping.published.trees()) {
    classes.emplace_back(group.records.begin(), group.records.end());
  }
  return classes;
}

RC_GTEST_PROP(BitmapTest, TheFlatTableGivesTheClassesOfEqualTrees, ()) {
  Random random = Random::Seeded(*rc::gen::arbitrary<uint64_t>());
  for (int i = 0; i < 4; ++i) {
    ForestShape shape;
    shape.records = random.Below(25);
    shape.children = 1 + random.Below(3);
    shape.plenty = random.Below(3) == 0;
    shape.once = false;
    const EncodedDataset data = RandomForest(random.Next(), shape);
    MiracleOptions sparse;
    sparse.variant = MiracleVariant::kBitmap;
    sparse.class_size = static_cast<int>(2 + random.Below(4));
    sparse.climit = static_cast<int>(1 + random.Below(8));
    sparse.th = static_cast<double>(random.Below(11)) / 10;
    BitmapOptions dense{sparse.class_size, Absent::kUnknown, sparse.climit, sparse.th};

    Parallel parallel(1);
    Progress progress;
    const Publication expected = std::move(Miracle(data, sparse, parallel, progress)->published);
    for (const int threads : {1, 3}) {
      const Publication found = Cluster(data, dense, threads).grouping.published;
      RC_ASSERT(found == expected);
    }
  }
}

TEST(BitmapTest, HasAColumnForEveryCourseAndForEveryBookOfACourse) {
  // Section III-C: Math-T, Math-Calc, Math-Dyn, CS-T, CS-Dyn; a second Math is a column of its own.
  const EncodedDataset data = Encoded(
      "student{course(Math){book(Calc) book(Dyn)}} student{course(CS){book(Dyn)}}"
      "student{course(Math) course(Math)}");
  EXPECT_EQ(Cluster(data, {}).columns, 6U);
}

TEST(BitmapTest, WhatAllLackBringsThemTogetherOnlyInCompleteData) {
  // Section III-C, item 3: the second and the third have nothing in common but what they lack.
  const EncodedDataset data = Encoded(
      "student{course(Math) course(CS) course(Law)} student{course(Calc)} student{course(Dyn)}"
      "student{course(Math) course(CS)}");
  BitmapOptions options;
  options.th = 0.5;
  // They are left over, and merged in the end.
  EXPECT_THAT(Classes(Cluster(data, options)), ElementsAre(ElementsAre(0, 3), ElementsAre(1, 2)));
  // They differ in two of five columns, so the third joins the second.
  options.absent = Absent::kNo;
  EXPECT_THAT(Classes(Cluster(data, options)), ElementsAre(ElementsAre(1, 2), ElementsAre(0, 3)));
}

TEST(BitmapTest, CountsEqualRowsTogetherAndTellsZerosFromUnknown) {
  // Both classes show Math; in complete data all of the first lack CS, and of the second half.
  const EncodedDataset data = Encoded(
      "student{course(Math)} student{course(Math)}"
      "student{course(Math) course(CS)} student{course(Math)}");
  BitmapOptions options;
  options.th = 1;
  EXPECT_EQ(Cluster(data, options).dm, 16U);
  options.absent = Absent::kNo;
  EXPECT_EQ(Cluster(data, options).dm, 8U);
}

TEST(BitmapTest, RefusesValuesThatMayOccurOnlyOnce) {
  auto schema = ParseSchema("student(|gpa)");
  schema->classes[0].sensitive[0].once = {"1"};
  const EncodedDataset data =
      std::move(*Encode(ParseForest(schema, "student(|1) student(|2)"), {}));
  Parallel parallel(1);
  Progress progress;
  const auto found = CdghOnBitmap(data, {}, parallel, progress);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace thicket::bitmap_test
