#include "engine/single_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/forest_text.h"

namespace thicket::single_values_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> Warnings(const std::string& of, const std::string& original,
                                  const std::string& published) {
  auto schema = testing::ParseSchema(of);
  if (!schema->classes[0].quasi.empty()) {
    schema->classes[0].quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  }
  return SingleValueWarnings(testing::ParseForest(schema, original, "original"),
                             testing::ParseForest(schema, published, "published"));
}

constexpr char kKept[] = "r(||q)";
constexpr char kNumeric[] = "r(q)";

TEST(SingleValuesTest, KeptValuesOfSinglePeopleAreNamed) {
  const char* data = "r(||a)r(||b)r(||c)r(||d)r(||e)r(||e)";
  EXPECT_THAT(Warnings(kKept, data, data), ElementsAre(HasSubstr("q: 4 of the 5 values")));
}

TEST(SingleValuesTest, ValuesThatSeveralHaveAreNot) {
  const char* data = "r(||a)r(||a)r(||b)r(||b)r(||c)r(||c)r(||d)r(||d)r(||e)r(||f)";
  EXPECT_THAT(Warnings(kKept, data, data), IsEmpty());
}

TEST(SingleValuesTest, NumbersAreComparedByValue) {
  EXPECT_THAT(Warnings(kNumeric, "r(1)r(1.0)r(2)r(2.0)r(3)r(3.0)r(4)r(4.0)", "r(1)r(2)r(3)r(4)"),
              IsEmpty());
  EXPECT_THAT(Warnings(kNumeric, "r(1)r(2)r(3)r(4)", "r(1.0)r(2.0)r(3.0)r(4.0)"),
              ElementsAre(HasSubstr("4 of the 4 values")));
}

TEST(SingleValuesTest, TheEndsOfIntervalsAreShown) {
  EXPECT_THAT(Warnings(kNumeric, "r(1)r(2)r(3)r(4)r(2)", "r('[1, 3]')r('[1, 3]')r('[2, 4]')"),
              ElementsAre(HasSubstr("3 of the 4 values")));
}

TEST(SingleValuesTest, FewValuesAreNoPattern) {
  EXPECT_THAT(Warnings(kKept, "r(||a)r(||b)r(||c)", "r(||a)r(||b)r(||c)"), IsEmpty());
}

}  // namespace
}  // namespace thicket::single_values_test
