// (alpha_lev^h, k)-anonymity in the policy: levels of sensitive attributes, alpha, mlevclutree. The messages are in
// tests/golden/levels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "policy/policy_test.h"
#include "policy/policy_writer.h"

namespace thicket::levels_policy_test {
namespace {

using ::testing::ElementsAre;
using Kind = SensitivityLevels::Kind;

std::string Text(const std::string& levels, const std::string& privacy,
                 const std::string& method = "") {
  return "version: 1\nrecord: {class: r, quasi: {q: {mask: 1}}, sensitive: {s: {levels: " + levels +
         "}}}\nprivacy: " + privacy + "\n" + method;
}

constexpr const char* kAlpha = "{k: 10, alpha: [0.8, 0.6, 0.4, 0.2, 0.1]}";

const SensitivityLevels& LevelsOf(const Policy& policy) {
  return policy.schema->classes[0].sensitive[0].levels;
}

TEST(LevelsPolicy, ReadsARange) {
  const Policy policy = Parse(Text("{min: 0, max: 4, sensitive: low}", kAlpha));
  EXPECT_EQ(LevelsOf(policy).kind, Kind::kNumeric);
  EXPECT_EQ(LevelsOf(policy).min, 0);
  EXPECT_EQ(LevelsOf(policy).max, 4);
  EXPECT_TRUE(LevelsOf(policy).low_is_sensitive);
  EXPECT_FALSE(LevelsOf(policy).FromData());
}

TEST(LevelsPolicy, AnEmptyRangeIsThatOfTheDataAndHighIsSensitive) {
  const Policy policy = Parse(Text("{}", kAlpha));
  EXPECT_EQ(LevelsOf(policy).kind, Kind::kNumeric);
  EXPECT_FALSE(LevelsOf(policy).low_is_sensitive);
  EXPECT_TRUE(LevelsOf(policy).FromData());
}

TEST(LevelsPolicy, ReadsGivenValuesAndFrequency) {
  const Policy given = Parse(Text("{1: [A, 1], 5: [F]}", kAlpha));
  EXPECT_EQ(LevelsOf(given).kind, Kind::kGiven);
  EXPECT_THAT(LevelsOf(given).given[0], ElementsAre("A", "1"));
  EXPECT_THAT(LevelsOf(given).given[4], ElementsAre("F"));
  EXPECT_EQ(LevelsOf(Parse(Text("frequency", kAlpha))).kind, Kind::kFrequency);
}

TEST(LevelsPolicy, AlphaIsAModelWithAMethodOfItsOwn) {
  const Policy policy = Parse(Text("frequency", kAlpha));
  EXPECT_EQ(policy.privacy.model_name(), "(alpha_lev^h, k)-anonymity");
  EXPECT_EQ(policy.privacy.class_size(), 10);
  EXPECT_THAT(*policy.privacy.alpha, ElementsAre(0.8, 0.6, 0.4, 0.2, 0.1));
  EXPECT_EQ(policy.method.name, "mlevclutree");
  EXPECT_EQ(policy.method.candidates, 50);
  const Policy named = Parse(Text("frequency", kAlpha, "method: {candidates: 7}\n"));
  EXPECT_EQ(named.method.name, "mlevclutree");
  EXPECT_EQ(named.method.candidates, 7);
}

TEST(LevelsPolicy, LevelsMayStandWithoutAlpha) {
  EXPECT_EQ(Parse(Text("frequency", "{k: 2}")).privacy.model_name(), "k-anonymity");
}

TEST(LevelsPolicy, IsTheSameAfterItWasWritten) {
  for (const char* levels : {"{min: 0, max: 4, sensitive: low}", "{}", "{max: 7}", "frequency",
                             "{1: [A+, \"no\"], 4: [\"1\"]}"}) {
    const std::string once = FormatPolicy(Parse(Text(levels, kAlpha)));
    const Policy again = Parse(once);
    EXPECT_EQ(FormatPolicy(again), once);
    EXPECT_EQ(LevelsOf(again).given, LevelsOf(Parse(Text(levels, kAlpha))).given);
    EXPECT_EQ(LevelsOf(again).max, LevelsOf(Parse(Text(levels, kAlpha))).max);
  }
}

}  // namespace
}  // namespace thicket::levels_policy_test
