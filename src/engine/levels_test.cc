#include "engine/levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <string>

#include "base/random.h"
#include "base/text.h"
#include "engine/levels_of_dataset.h"
#include "privacy/levels_of_data.h"
#include "testing/forest_text.h"
#include "verify/sensitivity.h"

namespace thicket::levels_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using Kind = SensitivityLevels::Kind;

// What anonymizes and what verifies find the levels in two ways, and must agree.
RC_GTEST_PROP(LevelsProperty, VerifierAndPublisherAgree, (uint64_t seed)) {
  Random random = Random::Seeded(seed);
  auto schema = testing::ParseSchema("r(q|s)");
  SensitivityLevels& levels = schema->classes[0].sensitive[0].levels;
  levels.kind = random.Below(3) == 0 ? Kind::kFrequency : Kind::kNumeric;
  levels.low_is_sensitive = random.Below(2) == 0;
  // Ranges of 36 steps have all four bounds on a step.
  const double step = random.Below(2) == 0 ? 0.1 : 1.0 / static_cast<double>(1 + random.Below(9));
  const double min = (static_cast<double>(random.Below(200)) - 100) * step;
  if (random.Below(2) == 0) levels.min = min;
  if (random.Below(2) == 0) levels.max = min + 36 * step;
  std::string text;
  for (uint64_t i = random.Below(60); i-- > 0;) {
    text += "r(1|" + NumberText(min + static_cast<double>(random.Below(37)) * step) + ")";
  }
  const Dataset data = testing::ParseForest(schema, text, "data");
  const Result<AttributeLevels> published = ReadLevels(data, 0, 0);
  RC_ASSERT(published.ok());
  const Sensitivity verified = FindSensitivity(levels, data, 0, 1);
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    const Symbol symbol = data.forest.value(v, 1);
    RC_ASSERT(published->level_of_symbol[symbol] == verified.level[symbol]);
  }
}

class LevelsReportTest : public ::testing::Test {
 protected:
  LevelsReportTest() {
    SensitivityLevels& gpa = schema_->classes[0].sensitive[0].levels;
    gpa = {.kind = Kind::kNumeric, .min = 0, .max = 4, .low_is_sensitive = true};
    SensitivityLevels& grade = schema_->classes[1].sensitive[0].levels;
    grade.kind = Kind::kGiven;
    grade.given = {{{"A"}, {"B"}, {"C"}, {"D"}, {"F"}}};
    policy_.privacy.k = 5;
    policy_.privacy.alpha = {0.8, 0.6, 0.4, 0.2, 0.1};
  }
  LevelsReport Describe(std::string_view text) {
    policy_.schema = schema_;
    Result<LevelsReport> report =
        DescribeLevels(policy_, testing::ParseForest(schema_, text, "students.jsonl"));
    EXPECT_TRUE(report.ok());
    return std::move(*report);
  }

  std::shared_ptr<Schema> schema_ = testing::ParseSchema("student(q|gpa){courses(q|grade)}");
  Policy policy_;
};

TEST_F(LevelsReportTest, CountsValuesAndRecordsByLevel) {
  const LevelsReport report =
      Describe("student(1|0.5){courses(1|F) courses(1|F) courses(1|A)} student(1|3.9)");
  ASSERT_THAT(report.attributes, SizeIs(2));
  EXPECT_EQ(report.attributes[0].path, "gpa");
  EXPECT_EQ(report.attributes[0].levels[4].values, 1U);
  EXPECT_EQ(report.attributes[0].levels[4].range, "below 0.8889");
  EXPECT_EQ(report.attributes[0].levels[3].range, "0.8889 to 1.667");
  EXPECT_EQ(report.attributes[0].levels[0].range, "above 3.111");
  EXPECT_EQ(report.attributes[1].path, "courses.grade");
  EXPECT_EQ(report.attributes[1].levels[4].values, 2U);
  EXPECT_EQ(report.attributes[1].levels[4].records, 1U);
  EXPECT_EQ(report.attributes[1].levels[4].distinct, 1U);
  EXPECT_EQ(report.attributes[1].levels[4].most, 0);
  EXPECT_EQ(report.attributes[1].levels[4].least_k, 10);
}

TEST_F(LevelsReportTest, WarnsOfLevelsThatKMakesUnpublishable) {
  const LevelsReport report = Describe("student(1|0.5){courses(1|F) courses(1|F) courses(1|D)}");
  ASSERT_THAT(report.warnings, SizeIs(2));
  EXPECT_THAT(report.warnings[0], HasSubstr("gpa: level 5 can never be published"));
  EXPECT_THAT(report.warnings[0], HasSubstr("k = 10 would do"));
  EXPECT_THAT(report.warnings[1], HasSubstr("courses.grade: level 5"));
  EXPECT_THAT(report.warnings[1], HasSubstr("2 vertices"));
}

TEST_F(LevelsReportTest, ShowsValuesOnlyWhenAsked) {
  schema_->classes[1].sensitive[0].levels.given[4] = {"expelled"};
  const LevelsReport report = Describe("student(1|0.5){courses(1|expelled)}");
  EXPECT_THAT(report.ToText(false) + report.ToJson(false), Not(HasSubstr("expelled")));
  EXPECT_THAT(report.ToText(true), HasSubstr("expelled"));
  EXPECT_THAT(report.ToJson(true), HasSubstr("expelled"));
}

}  // namespace
}  // namespace thicket::levels_test
