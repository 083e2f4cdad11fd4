#include "engine/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/random.h"
#include "engine/assess.h"

namespace thicket::plan_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kPolicy[] = R"(
version: 1
input: {format: jsonl}
record:
  class: patient
  quasi: {age: {ranges: [10, 20, 40]}}
  sensitive: {income: {}}
  children:
    - class: visit
      at: visits
      quasi: {ward: {mask: 1}}
      sensitive: {diagnosis: {}}
privacy: {l: 2}
)";

// A share of incomes and of diagnoses is the same one; the others differ.
std::string Patients(int count, int same_of_ten, int ill_of_ten) {
  std::string text;
  Random random = Random::Seeded(3);
  for (int i = 0; i < count; ++i) {
    text += R"({"age":)" + std::to_string(20 + random.Below(60)) + R"(,"income":")" +
            (i % 10 < same_of_ten ? "low" : "i" + std::to_string(i)) + R"(","visits":[)";
    const uint64_t visits = 1 + random.Below(2);
    for (uint64_t j = 0; j < visits; ++j) {
      const bool same = static_cast<int>(random.Below(10)) < ill_of_ten;
      text += std::string(j > 0 ? "," : "") + R"({"ward":"w)" + std::to_string(random.Below(3)) +
              R"(","diagnosis":")" + (same ? "flu" : "d" + std::to_string(random.Below(9))) + "\"}";
    }
    text += "]}\n";
  }
  return text;
}

struct Both {
  Plan plan;
  Report report;
};

Both PlanAndRun(const std::string& policy_text, const std::string& text) {
  const Result<LoadedPolicy> policy = LoadPolicyText(policy_text);
  EXPECT_TRUE(policy.ok()) << policy.error().message;
  Progress progress;
  Both both;
  const Result<RecordSet> records = ParseRecords(*policy, text, RecordsAs::kOriginal, progress);
  EXPECT_TRUE(records.ok()) << records.error().message;
  const Result<Plan> plan = PlanRecords(*policy, *records, {}, progress);
  EXPECT_TRUE(plan.ok()) << plan.error().message;
  both.plan = *plan;
  const Result<AnonymizedText> run = AnonymizeText(*policy, text, {.seed = 1}, progress);
  if (run.ok()) both.report = run->report;
  return both;
}

double Share(uint64_t part, uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

TEST(PlanTest, WhatEverybodyCanHaveIsNotLost) {
  const Both both = PlanAndRun(kPolicy, Patients(200, 3, 2));
  ASSERT_THAT(both.plan.attributes, SizeIs(2));
  EXPECT_EQ(both.plan.attributes[0].path, "income");
  EXPECT_EQ(both.plan.attributes[0].largest_l, 3U);
  EXPECT_EQ(both.plan.attributes[0].lost, 0U);
  EXPECT_EQ(both.plan.attributes[1].path, "visits.diagnosis");
  EXPECT_THAT(both.plan.warnings, IsEmpty());
  EXPECT_EQ(both.report.output.suppressed_records, 0U);
}

// Nine of ten have the same income: at l = 2 one of them can stand with each of the others, and eight of ten must go.
TEST(PlanTest, RecordsThatMustGoDoGo) {
  const Both both = PlanAndRun(kPolicy, Patients(200, 9, 2));
  const Plan::Attribute& income = both.plan.attributes[0];
  EXPECT_TRUE(income.of_records);
  EXPECT_EQ(income.largest_l, 1U);
  EXPECT_EQ(income.lost, 160U);
  EXPECT_GE(both.report.output.suppressed_records, 160U);
  EXPECT_LE(both.report.output.suppressed_records, 164U);
  ASSERT_THAT(both.plan.warnings, SizeIs(1));
  EXPECT_THAT(both.plan.warnings[0], HasSubstr("income"));
  EXPECT_THAT(both.plan.warnings[0], HasSubstr("80 %"));
  EXPECT_THAT(both.report.warnings, ::testing::Contains(both.plan.warnings[0]));
}

// All data is tried where there is little of it, so that the forecast is what comes.
TEST(PlanTest, ATrialOfAllRecordsIsWhatARunLoses) {
  for (const int ill : {2, 7, 9}) {
    const Both both = PlanAndRun(kPolicy, Patients(150, 3, ill));
    ASSERT_TRUE(both.plan.trial.has_value());
    EXPECT_EQ(both.plan.trial->records, 150U);
    EXPECT_DOUBLE_EQ(both.plan.trial->lost_records,
                     Share(both.report.output.suppressed_records, 150));
    EXPECT_DOUBLE_EQ(both.plan.trial->lost_vertices.value_or(-1),
                     Share(both.report.output.suppressed_vertices, both.report.input.vertices));
  }
}

TEST(PlanTest, ASampleForetellsMoreRecordsThanWereTried) {
  const Result<LoadedPolicy> policy = LoadPolicyText(kPolicy);
  ASSERT_TRUE(policy.ok());
  const std::string text = Patients(2000, 9, 8);
  Progress progress;
  const Result<RecordSet> records = ParseRecords(*policy, text, RecordsAs::kOriginal, progress);
  ASSERT_TRUE(records.ok());
  const Result<Plan> plan = PlanRecords(*policy, *records, {.most_tried = 500}, progress);
  ASSERT_TRUE(plan.ok());
  ASSERT_TRUE(plan->trial.has_value());
  EXPECT_EQ(plan->trial->records, 500U);
  const Result<AnonymizedText> run = AnonymizeText(*policy, text, {.seed = 1}, progress);
  ASSERT_TRUE(run.ok());
  EXPECT_NEAR(plan->trial->lost_records, Share(run->report.output.suppressed_records, 2000), 0.05);
  EXPECT_NEAR(*plan->trial->lost_vertices,
              Share(run->report.output.suppressed_vertices, run->report.input.vertices), 0.08);
}

TEST(PlanTest, TheAttributeIsNamedThatTakesVerticesAway) {
  const Both both = PlanAndRun(kPolicy, Patients(200, 3, 9));
  const Plan::Attribute& income = both.plan.attributes[0];
  const Plan::Attribute& diagnosis = both.plan.attributes[1];
  ASSERT_TRUE(income.blamed && diagnosis.blamed);
  EXPECT_GT(*diagnosis.blamed, 0.2);
  EXPECT_LT(*income.blamed, *diagnosis.blamed / 2);
  EXPECT_GE(both.report.output.suppressed_vertices, diagnosis.lost);
}

TEST(PlanTest, AConstantTakesAllItsVertices) {
  const Both both = PlanAndRun(kPolicy, Patients(100, 3, 10));
  const Plan::Attribute& diagnosis = both.plan.attributes[1];
  EXPECT_EQ(diagnosis.values, 1U);
  EXPECT_EQ(diagnosis.lost, diagnosis.vertices);
  ASSERT_THAT(both.plan.warnings, SizeIs(1));
  EXPECT_THAT(both.plan.warnings[0], HasSubstr("none of them can be published"));
  EXPECT_EQ(both.report.output.vertices, both.report.output.records);
}

TEST(PlanTest, WhatCannotBeKeptIsSaid) {
  const Both both = PlanAndRun(kPolicy, Patients(100, 10, 2));
  ASSERT_TRUE(both.plan.trial.has_value());
  EXPECT_EQ(both.plan.trial->lost_records, 1);
  EXPECT_THAT(both.plan.trial->failure, HasSubstr("nothing was published"));
  EXPECT_THAT(both.plan.ToText(), HasSubstr("nothing was published"));
  EXPECT_THAT(both.plan.ToJson(), HasSubstr("\"published\": false"));
}

TEST(PlanTest, FewerRecordsThanAClassAreNotTried) {
  const Both both = PlanAndRun(kPolicy, Patients(1, 0, 2));
  EXPECT_FALSE(both.plan.trial.has_value());
}

}  // namespace
}  // namespace thicket::plan_test
