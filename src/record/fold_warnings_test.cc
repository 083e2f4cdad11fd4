#include "record/fold_warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "testing/forest_text.h"

namespace thicket::fold_warnings_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::ParseForest;
using testing::ParseSchema;
using ::testing::SizeIs;

std::vector<Warning> WarningsOf(std::string_view text) {
  return FoldWarnings(ParseForest(ParseSchema("r(q|s){c(q|t)}"), text));
}

TEST(FoldWarnings, NameTheAttributeAndCountWithoutValues) {
  const std::vector<Warning> warnings =
      WarningsOf("r(1|HIV){c(1|7)}r(1|hiv){c(1|'07')}r(1|'HIV '){c(1|8)}");
  ASSERT_THAT(warnings, SizeIs(2));
  EXPECT_THAT(warnings[0].message, HasSubstr("s: 3 texts mean only 1 value, and count as one: "));
  EXPECT_THAT(warnings[1].message,
              HasSubstr("c.t: 3 texts mean only 2 values, and count as those"));
  EXPECT_THAT(warnings[0].message, Not(HasSubstr("HIV")));
}

TEST(FoldWarnings, AreSilentWhereEveryTextIsAValueOfItsOwn) {
  EXPECT_THAT(WarningsOf("r(1|HIV)r(1|flu)r(1|HIV)r()r(1|1)r(1|'1')"), IsEmpty());
  // Quasi-identifiers do not count here.
  EXPECT_THAT(WarningsOf("r(1|HIV)r(1.0|flu)"), IsEmpty());
}

TEST(FoldWarnings, BlankBesideMissingIsTwoWaysToSayNothing) {
  EXPECT_THAT(WarningsOf("r(1|'')"), IsEmpty());
  EXPECT_THAT(WarningsOf("r(1|'')r(1|)"), SizeIs(1));
}

}  // namespace
}  // namespace thicket::fold_warnings_test
