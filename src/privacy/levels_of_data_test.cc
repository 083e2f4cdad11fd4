#include "privacy/levels_of_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <utility>

#include "testing/forest_text.h"

namespace thicket::levels_of_data_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Kind = SensitivityLevels::Kind;

// The levels of the attribute of each vertex of the class.
class LevelsOfDataTest : public ::testing::Test {
 protected:
  SensitivityLevels& levels(size_t id = 0) { return schema_->classes[id].sensitive[0].levels; }

  std::vector<uint32_t> Levels(std::string_view text, ClassId id = 0) {
    const Dataset data = testing::ParseForest(schema_, text, "students.jsonl");
    Result<AttributeLevels> found = ReadLevels(data, id, 0);
    EXPECT_TRUE(found.ok()) << found.error().message;
    std::vector<uint32_t> result;
    const size_t slot = schema_->classes[id].sensitive_slot(0);
    for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
      if (data.forest.class_of(v) != id) continue;
      result.push_back(found->level_of_symbol[data.forest.value(v, slot)]);
    }
    return result;
  }
  Error Fails(std::string_view text, ClassId id = 0) {
    const Dataset data = testing::ParseForest(schema_, text, "students.jsonl");
    const Result<AttributeLevels> found = ReadLevels(data, id, 0);
    EXPECT_FALSE(found.ok());
    return found.ok() ? Error{} : found.error();
  }

  std::shared_ptr<Schema> schema_ = testing::ParseSchema("student(major|gpa){course(code|grade)}");
};

TEST_F(LevelsOfDataTest, ValuesThatMeanTheSameHaveOneLevel) {
  levels().kind = Kind::kGiven;
  levels().given = {{{"HIV"}, {"1.0"}, {}, {}, {"flu"}}};
  EXPECT_THAT(Levels("student(CS|hiv) student(CS|' HIV') student(CS|1) student(CS|Flu)"
                     "student(CS|' ')"),
              ElementsAre(1, 1, 2, 5, 1));
  levels() = {.kind = Kind::kFrequency};
  EXPECT_THAT(Levels("student(CS|x) student(CS|X) student(CS|'x ') student(CS|y)"),
              ElementsAre(1, 1, 1, 5));
}

TEST_F(LevelsOfDataTest, LevelsOfNumbersAreExact) {
  levels() = {.kind = Kind::kNumeric,
              .min = *Decimal::Parse("9007199254740992"),
              .max = *Decimal::Parse("9007199254741028")};
  EXPECT_THAT(Levels("student(CS|9007199254740999) student(CS|9007199254741000)"
                     "student(CS|9007199254741006) student(CS|9007199254741007)"),
              ElementsAre(1, 2, 2, 3));
}

TEST_F(LevelsOfDataTest, NumbersGoBySizeAndDirection) {
  levels() = {.kind = Kind::kNumeric, .min = 0, .max = 4, .low_is_sensitive = true};
  EXPECT_THAT(Levels("student(CS|0.8) student(CS|1.6) student(CS|2.3) student(CS|'2.7')"
                     "student(CS|3.5) student(CS|3.9) student(CS|)"),
              ElementsAre(5, 4, 3, 2, 1, 1, 1));
  levels().low_is_sensitive = false;
  EXPECT_THAT(Levels("student(CS|0.8) student(CS|3.9)"), ElementsAre(1, 5));
}

TEST_F(LevelsOfDataTest, AnOpenRangeIsThatOfTheData) {
  levels() = {.kind = Kind::kNumeric};
  EXPECT_TRUE(levels().FromData());
  EXPECT_THAT(Levels("student(CS|100) student(CS|150) student(CS|200) student(CS|)"),
              ElementsAre(1, 3, 5, 1));
  EXPECT_THAT(Levels("student(CS|100) student(CS|100)"), ElementsAre(3, 3));
}

TEST_F(LevelsOfDataTest, RareValuesAreSensitive) {
  levels(1) = {.kind = Kind::kFrequency};
  // Nine flu, five cold, one hiv; 1 and '1' are one value.
  std::string text = "student(CS|1){";
  for (int i = 0; i < 9; ++i) text += i % 2 == 0 ? "course(X|1)" : "course(X|'1')";
  for (int i = 0; i < 5; ++i) text += "course(X|cold)";
  text += "course(X|hiv)}";
  EXPECT_THAT(Levels(text, 1), ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 5));
}

TEST_F(LevelsOfDataTest, GivenLevelsAreTaken) {
  levels(1).kind = Kind::kGiven;
  levels(1).given = {{{"A"}, {"B"}, {}, {}, {"F"}}};
  EXPECT_THAT(Levels("student(CS|1){course(X|A) course(X|F) course(X|B) course(X|)}", 1),
              ElementsAre(1, 5, 2, 1));
}

TEST_F(LevelsOfDataTest, AValueWithoutLevelIsNamedByPlaceAndCountOnly) {
  levels(1).kind = Kind::kGiven;
  levels(1).given = {{{"A"}, {}, {}, {}, {}}};
  const Error error =
      Fails("student(CS|1){course(X|A)} student(CS|1){course(X|secret) course(X|secret)}", 1);
  EXPECT_EQ(error.code, ErrorCode::kData);
  EXPECT_THAT(error.message, HasSubstr("students.jsonl:2: course[0].grade: every value must be in "
                                       "one of the levels that the policy gives, but this one is "
                                       "in none (2 of 3)"));
  EXPECT_THAT(error.message + error.hint, Not(HasSubstr("secret")));
  EXPECT_EQ(error.value, "secret");
}

TEST_F(LevelsOfDataTest, ATextAmongNumbersIsAnError) {
  levels() = {.kind = Kind::kNumeric, .min = 0, .max = 4};
  EXPECT_THAT(Fails("student(CS|1) student(CS|good)").message, HasSubstr(":2: gpa: every value "
                                                                         "must be a number"));
}

TEST_F(LevelsOfDataTest, BucketsBecomeLevels) {
  levels() = {.kind = Kind::kNumeric, .min = 0, .max = 4};
  levels(1) = {.kind = Kind::kFrequency};
  schema_->classes[0].quasi[0].recoding.kind = Recoding::Kind::kMask;
  schema_->classes[1].quasi[0].recoding.kind = Recoding::Kind::kMask;
  Result<EncodedDataset> data = Encode(
      testing::ParseForest(schema_, "student(CS|4){course(X|A)} student(CS|0) student(CS|)"), {});
  ASSERT_TRUE(data.ok()) << data.error().message;
  ASSERT_TRUE(ApplyLevels(*data).ok());
  EXPECT_EQ(data->Bucket(0, 0), 5U);
  EXPECT_EQ(data->Bucket(1, 0), 3U);
  EXPECT_EQ(data->Bucket(2, 0), 1U);
  EXPECT_EQ(data->Bucket(3, 0), 1U);
}

}  // namespace
}  // namespace thicket::levels_of_data_test
