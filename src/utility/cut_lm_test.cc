#include "utility/cut_lm.h"

#include <gtest/gtest.h>

#include "utility/patients_test.h"

namespace thicket::cut_lm_test {
namespace {

// The two lung diseases are one vertex: two values of LM' 1/3, none suppressed.
TEST(CutLmTest, MergedVerticesAreNotSuppressed) {
  const Dataset published = Patients(
      {Patient({Hospital("Hospital1", {Disease("Stomach Disorder", {})}),
                Hospital("Hospital2", {Disease("Lung Disease", {Treatment("Pain killer"),
                                                                Treatment("Antibiotics")})})})});
  const auto report = MeasureCutLm(EncodedPatients({PatientA()}), published);
  ASSERT_TRUE(report.ok()) << report.error().message;
  const LossCount& disease = report->classes[kDisease].attributes[0];
  EXPECT_EQ(disease.labels, 3U);
  EXPECT_EQ(disease.generalized, 3U);
  EXPECT_EQ(disease.suppressed, 0U);
  EXPECT_DOUBLE_EQ(disease.loss, 1);
  EXPECT_EQ(report->labels, 7U);
  EXPECT_DOUBLE_EQ(report->lm(), 1.0 / 7);
}

TEST(CutLmTest, AnAttributeThatIsLeftOutCostsAllOfIt) {
  const Dataset published = Patients({Patient({Hospital("*", {}), Treatment("Medicine")})});
  const auto report = MeasureCutLm(EncodedPatients({PatientA()}), published);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->suppressed, 3U);
  EXPECT_EQ(report->generalized, 4U);
  EXPECT_DOUBLE_EQ(report->loss, 2 + 3 + 2.0 / 3);
}

TEST(CutLmTest, MovedLabelsCostNothing) {
  const Dataset published =
      Patients({Patient({Hospital("Hospital1", {}), Hospital("Hospital2", {}),
                         Disease("Gastritis", {}), Disease("Flu", {}), Disease("Bronchitis", {}),
                         Treatment("Pain killer"), Treatment("Antibiotics")})});
  const auto report = MeasureCutLm(EncodedPatients({PatientA()}), published);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_DOUBLE_EQ(report->loss, 0);
}

TEST(CutLmTest, AbsentValuesCountApart) {
  const Dataset published = Patients({Patient({Hospital("General Hosp.", {})})});
  const auto report = MeasureCutLm(
      EncodedPatients({Patient({Hospital("Hospital1", {}), Hospital("", {})})}), published);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->labels, 1U);
  EXPECT_EQ(report->absent, 1U);
  EXPECT_EQ(report->generalized, 1U);
  EXPECT_EQ(report->suppressed, 0U);
  // The leaf for missing values is one of five.
  EXPECT_DOUBLE_EQ(report->loss, 1.0 / 4);
}

TEST(CutLmTest, RejectsLabelsAboveOthers) {
  const Dataset published =
      Patients({Patient({Hospital("Hospital1", {}), Hospital("General Hosp.", {})})});
  const auto report = MeasureCutLm(EncodedPatients({PatientA()}), published);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, ErrorCode::kData);
  EXPECT_EQ(report.error().message,
            "toy: the published labels of center must be a cut through its taxonomy, but one of "
            "them is above another");
}

}  // namespace
}  // namespace thicket::cut_lm_test
