#include "verify/sensitivity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "testing/forest_text.h"
#include "verify/verify.h"

namespace thicket::sensitivity_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using Kind = SensitivityLevels::Kind;

class SensitivityTest : public ::testing::Test {
 protected:
  SensitivityTest() {
    schema_->classes[0].quasi[0].recoding.kind = Recoding::Kind::kNumeric;
    privacy_.k = 5;
    privacy_.alpha = {0.8, 0.6, 0.4, 0.2, 0.1};
  }
  SensitivityLevels& levels() { return schema_->classes[0].sensitive[0].levels; }

  // Records with these sensitive values, all alike otherwise.
  Dataset Data(const std::vector<std::string>& values) const {
    std::string text;
    for (const std::string& value : values) text += "student(1|" + value + ") ";
    return testing::ParseForest(schema_, text, "published.jsonl");
  }
  std::vector<uint32_t> Levels(const std::vector<std::string>& values) {
    const Dataset data = Data(values);
    const Sensitivity found = FindSensitivity(levels(), data, 0, 1);
    std::vector<uint32_t> result;
    for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
      result.push_back(found.level[data.forest.value(v, 1)]);
    }
    return result;
  }
  Verdict Verify(const std::vector<std::string>& values) {
    Result<Verdict> verdict = VerifyPublished(*schema_, privacy_, {}, Data(values));
    EXPECT_TRUE(verdict.ok());
    return std::move(*verdict);
  }

  std::shared_ptr<Schema> schema_ = testing::ParseSchema("student(q|gpa)");
  PrivacyPolicy privacy_;
};

// Wang et al. 2018, Tables 1 and 2.
TEST_F(SensitivityTest, GradePointAveragesHaveThePapersLevels) {
  levels() = {.kind = Kind::kNumeric, .min = 0, .max = 4, .low_is_sensitive = true};
  EXPECT_THAT(Levels({"0.8", "1.6", "2.3", "2.7", "3.5", "3.9"}), ElementsAre(5, 4, 3, 2, 1, 1));
  EXPECT_THAT(Levels({"0.88", "0.89", "1.66", "1.67", "2.33", "2.34", "3.11", "3.12"}),
              ElementsAre(5, 4, 4, 3, 3, 2, 2, 1));
}

TEST_F(SensitivityTest, BoundsEndsAndMissingValues) {
  levels() = {.kind = Kind::kNumeric, .min = 0, .max = 12};
  EXPECT_THAT(Levels({"5", "7", "-3", "99", ""}), ElementsAre(3, 4, 1, 5, 1));
  levels().low_is_sensitive = true;
  EXPECT_THAT(Levels({"5", "7", "-3", "99", ""}), ElementsAre(4, 3, 5, 1, 1));
}

TEST_F(SensitivityTest, FrequenciesAreThoseOfThePublishedValues) {
  levels() = {.kind = Kind::kFrequency};
  EXPECT_THAT(Levels({"a", "a", "a", "b", "b", "c"}), ElementsAre(1, 1, 1, 3, 3, 5));
  EXPECT_THAT(Levels({"a", "b", "c"}), ElementsAre(3, 3, 3));
}

TEST_F(SensitivityTest, VerifyAcceptsSharesUpToAlpha) {
  levels() = {.kind = Kind::kNumeric, .min = 0, .max = 4, .low_is_sensitive = true};
  EXPECT_TRUE(Verify({"3.9", "3.9", "3.9", "3.9", "1.6"}).holds);
  // 1 of 10 is not above 0.1.
  EXPECT_TRUE(Verify({"3.9", "3.9", "3.9", "3.9", "2.7", "2.7", "2.7", "2.3", "2.3", "0"}).holds);
}

TEST_F(SensitivityTest, VerifyRejectsALevelAboveItsShare) {
  levels() = {.kind = Kind::kNumeric, .min = 0, .max = 4, .low_is_sensitive = true};
  const Verdict verdict = Verify({"3.9", "3.9", "3.9", "2.7", "0.5"});
  EXPECT_FALSE(verdict.holds);
  ASSERT_EQ(verdict.violations.total(ViolationKind::kLevelTooFrequent), 1U);
  EXPECT_EQ(verdict.violations.shown()[0].message,
            "published.jsonl:1: gpa: among the 5 aligned values of this record's class at most 0.1 "
            "may be of sensitivity level 5, but 1 of 5 are");
  EXPECT_FALSE(Verify({"3.9", "3.9", "3.9", "3.8", "3.7"}).holds);
}

TEST_F(SensitivityTest, VerifyRejectsAClassSmallerThanK) {
  levels() = {.kind = Kind::kNumeric, .min = 0, .max = 4, .low_is_sensitive = true};
  privacy_.alpha->fill(1);
  EXPECT_FALSE(Verify({"3.9", "3.9", "3.9", "3.9"}).holds);
}

TEST_F(SensitivityTest, ValuesThatMeanTheSameHaveOneLevel) {
  levels().kind = Kind::kGiven;
  levels().given = {{{"HIV"}, {"1.0"}, {}, {}, {"flu"}}};
  privacy_.alpha->fill(1);
  EXPECT_TRUE(Verify({"hiv", "' HIV'", "1", "Flu", "''"}).holds);
  // Four times the same and one other: the other is the rare one.
  levels() = {.kind = Kind::kFrequency};
  privacy_.alpha = {0.8, 0.8, 0.8, 0.8, 0.2};
  EXPECT_TRUE(Verify({"x", "X", "'x '", "'X'", "y"}).holds);
  EXPECT_EQ((*Verify({"x", "X", "'x '", "'X'", "y"}).alpha)[4], 0.2);
}

TEST_F(SensitivityTest, LevelsOfNumbersAreExact) {
  levels() = {.kind = Kind::kNumeric,
              .min = *Decimal::Parse("9007199254740992"),
              .max = *Decimal::Parse("9007199254741028")};
  privacy_.alpha->fill(1);
  // 36 steps of 1: level 2 begins at the eighth.
  const std::vector<std::string> values = {"9007199254740999", "9007199254741000",
                                           "9007199254741006", "9007199254741007",
                                           "9007199254741020"};
  const Dataset data = Data(values);
  const Sensitivity found = FindSensitivity(levels(), data, 0, 1);
  EXPECT_EQ(found.level[1], 1U);
  EXPECT_EQ(found.level[2], 2U);
  EXPECT_EQ(found.level[3], 2U);
  EXPECT_EQ(found.level[4], 3U);
  EXPECT_EQ(found.level[5], 5U);
}

TEST_F(SensitivityTest, VerifyRejectsAValueWithoutALevel) {
  levels().kind = Kind::kGiven;
  levels().given = {{{"A"}, {"B"}, {}, {}, {}}};
  privacy_.alpha->fill(1);
  EXPECT_TRUE(Verify({"A", "A", "A", "A", "B"}).holds);
  const Verdict verdict = Verify({"A", "A", "A", "A", "C"});
  EXPECT_FALSE(verdict.holds);
  EXPECT_EQ(verdict.violations.total(ViolationKind::kNoLevel), 1U);
}

TEST_F(SensitivityTest, LevelsThatDependOnTheDataAreWarnedOf) {
  levels() = {.kind = Kind::kNumeric, .min = 0, .max = 4};
  EXPECT_THAT(Verify({"1", "1", "1", "1", "1"}).warnings, SizeIs(0));
  levels().max.reset();
  const Verdict verdict = Verify({"1", "1", "1", "1", "1"});
  ASSERT_THAT(verdict.warnings, SizeIs(1));
  EXPECT_THAT(verdict.warnings[0], HasSubstr("gpa: its levels of sensitivity depend on the data"));
}

TEST_F(SensitivityTest, WithTheOriginalLevelsAreItsOwn) {
  levels() = {.kind = Kind::kFrequency};
  // Among all values c is rare; of what is published every value is as frequent as the others.
  const Dataset original = Data({"a", "a", "a", "a", "b", "b", "b", "b", "c"});
  const Dataset published = Data({"a", "b", "a", "b", "c"});
  const auto verify = [&](const Dataset* with) {
    return std::move(*VerifyPublished(*schema_, privacy_, {}, published, with));
  };
  privacy_.alpha = {0.8, 0.8, 0.8, 0.8, 0.2};
  EXPECT_TRUE(verify(&original).holds);
  EXPECT_THAT(verify(&original).warnings, SizeIs(0));
  EXPECT_EQ((*verify(&original).alpha)[4], 0.2);
  privacy_.alpha = {0.8, 0.8, 0.8, 0.8, 0.1};
  EXPECT_EQ(verify(&original).violations.total(ViolationKind::kLevelTooFrequent), 1U);
}

TEST_F(SensitivityTest, APublishedValueThatTheOriginalLacksHasNoLevel) {
  levels() = {.kind = Kind::kFrequency};
  privacy_.alpha->fill(1);
  const Dataset original = Data({"a", "b", "b"});
  const auto verdict =
      VerifyPublished(*schema_, privacy_, {}, Data({"a", "b", "b", "b", "x"}), &original);
  EXPECT_EQ(verdict->violations.total(ViolationKind::kNoLevel), 1U);
}

}  // namespace
}  // namespace thicket::sensitivity_test
