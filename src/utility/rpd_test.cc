#include "utility/rpd.h"

#include <gtest/gtest.h>

#include "utility/patients_test.h"

namespace thicket::rpd_test {
namespace {

// Flu and bronchitis are generalized and have become one.
ToyVertex Figure5() {
  return Patient({Hospital("Hospital1", {Disease("Gastritis", {})}),
                  Hospital("Hospital2", {Disease("Lung Disease", {Treatment("Pain killer"),
                                                                  Treatment("Antibiotics")})})});
}

// Hospital2 over bronchitis is disassociated: bronchitis moves to the root, antibiotics below Hospital2.
ToyVertex Figure7() {
  return Patient({Hospital("Hospital1", {Disease("Gastritis", {})}),
                  Hospital("Hospital2",
                           {Disease("Flu", {Treatment("Pain killer")}), Treatment("Antibiotics")}),
                  Disease("Bronchitis", {})});
}

double PublishedRpd(const std::vector<ToyVertex>& original,
                    const std::vector<ToyVertex>& published) {
  const auto report = MeasureRpd(EncodedPatients(original), Patients(published));
  EXPECT_TRUE(report.ok()) << report.error().message;
  return report.ok() ? report->published : -1;
}

// Example 1.
TEST(RpdTest, OfTheTreesOfFigures5And7IsAsInThePaper) {
  const double figure5 = (1.0 / 288 + 1.0 / 5184 + 1.0 / 5184) / 3;
  const double figure7 = (1.0 / 288 + 1.0 / 10368 + 1.0 / 288 + 1.0 / 12) / 4;
  EXPECT_DOUBLE_EQ(PublishedRpd({PatientA()}, {Figure5()}), figure5);
  EXPECT_NEAR(figure5, 0.00129, 0.000005);
  EXPECT_DOUBLE_EQ(PublishedRpd({PatientA()}, {Figure7()}), figure7);
  EXPECT_NEAR(figure7, 0.02259, 0.000005);
}

// Section II-E, equation 3.
TEST(RpdTest, OfADataSetIsTheMeanOfItsRecords) {
  const double one = PublishedRpd({PatientA()}, {Figure5()});
  const double other = PublishedRpd({PatientA()}, {Figure7()});
  EXPECT_DOUBLE_EQ(PublishedRpd({PatientA(), PatientA()}, {Figure5(), Figure7()}),
                   (one + other) / 2);
}

TEST(RpdTest, OfTheOriginalIsSmallerThanOfItsGeneralizations) {
  const auto report = MeasureRpd(EncodedPatients({PatientA()}), Patients({Figure5()}));
  ASSERT_TRUE(report.ok());
  EXPECT_DOUBLE_EQ(report->original, (1.0 / 288 + 1.0 / 10368 + 1.0 / 10368) / 3);
  EXPECT_LT(report->original, report->published);
}

TEST(RpdTest, VerticesThatBecameEqualAreOnePathWhetherMergedOrNot) {
  const ToyVertex apart =
      Patient({Hospital("Hospital1", {Disease("Gastritis", {})}),
               Hospital("Hospital2", {Disease("Lung Disease", {Treatment("Pain killer")}),
                                      Disease("Lung Disease", {Treatment("Antibiotics")})})});
  EXPECT_DOUBLE_EQ(PublishedRpd({PatientA()}, {apart}), PublishedRpd({PatientA()}, {Figure5()}));
}

TEST(RpdTest, RecordsWithoutLabelsAndSuppressedRecordsCount1) {
  const double one = PublishedRpd({PatientA()}, {Figure5()});
  EXPECT_DOUBLE_EQ(PublishedRpd({PatientA(), PatientA()}, {Figure5(), Patient({})}), (one + 1) / 2);
  EXPECT_DOUBLE_EQ(PublishedRpd({PatientA(), PatientA()}, {Figure5()}), (one + 1) / 2);
}

TEST(RpdTest, TheRootsOfTheTaxonomiesAreALevel) {
  EXPECT_DOUBLE_EQ(PublishedRpd({PatientA()}, {Patient({Hospital("*", {})})}), 1.0 / 3);
}

// Level 1 has three labels of two unequal taxonomies: A, b and X; the missing value is none.
TEST(RpdTest, LevelsOfUnequalTaxonomiesAreDepths) {
  const auto schema = ToySchema({ToyClass("root", 0, {"first", "second"}, {})});
  TaxonomyFiles files;
  files.emplace("first", ToyTaxonomy({{"*", "A", "a1"}, {"*", "A", "a2"}, {"*", "b"}}));
  files.emplace("second", ToyTaxonomy({{"*", "X", "x1"}, {"*", "X", "x2"}}));
  ToyData original(schema);
  original.Add({0, {"b", "x1"}, {}, {}});
  original.Add({0, {"", "x2"}, {}, {}});
  ToyData published(schema);
  published.Add({0, {"b", "X"}, {}, {}});
  published.Add({0, {"", "X"}, {}, {}});
  const auto report = MeasureRpd(*Encode(original.Build(), files), published.Build());
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_DOUBLE_EQ(report->published, (1.0 / (3 * 2 * 3) + 1.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(report->original, (1.0 / (3 * 2 * 4) + 1.0 / 4) / 2);
}

// Equations 7 and 8: the synopsis is Hospital1 (2 records) -> Flu (1), Gastritis (1), and Rea (1).
TEST(RpdTest, OfTheSynopsisWeighsPathsBySupportAndDividesByLeavesAndNodes) {
  const std::vector<ToyVertex> records = {
      Patient({Hospital("Hospital1", {Disease("Flu", {})})}),
      Patient({Hospital("Hospital1", {Disease("Gastritis", {})}), Hospital("Rea", {})})};
  const auto report = MeasureSynopsisRpd(EncodedPatients(records), Patients(records));
  ASSERT_TRUE(report.ok());
  const double paths = 3.0 / (12 * 2 * 12) + 3.0 / (12 * 2 * 12) + 1.0 / 12;
  EXPECT_DOUBLE_EQ(report->published, paths / 3 / 4);
  EXPECT_DOUBLE_EQ(report->original, report->published);
}

TEST(RpdTest, RejectsALabelThatIsNoneAndMoreRecordsThanThereWere) {
  const auto label =
      MeasureRpd(EncodedPatients({PatientA()}), Patients({Patient({Hospital("Hosp", {})})}));
  ASSERT_FALSE(label.ok());
  EXPECT_EQ(label.error().code, ErrorCode::kData);
  const auto more = MeasureRpd(EncodedPatients({PatientA()}), Patients({Figure5(), Figure5()}));
  ASSERT_FALSE(more.ok());
  EXPECT_EQ(more.error().message,
            "toy: published data must not have more records than the original, but has 2 instead "
            "of 1");
}

TEST(RpdTest, RejectsFreeIntervals) {
  VertexClass root = ToyClass("person", 0, {"age"}, {});
  root.quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  const auto schema = ToySchema({root});
  ToyData toy(schema);
  toy.Add({0, {"17"}, {}, {}});
  ToyData published(schema);
  published.Add({0, {"17"}, {}, {}});
  const auto report = MeasureRpd(*Encode(toy.Build(), {}), published.Build());
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace thicket::rpd_test
