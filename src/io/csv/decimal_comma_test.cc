#include "io/csv/decimal_comma.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "base/decimal.h"

namespace thicket::decimal_comma_test {
namespace {

// a: numeric, b: ranges, c: a mask; s is sensitive and k is kept.
VertexClass Class() {
  VertexClass type;
  type.quasi = {{"a", {}}, {"b", {}}, {"c", {}}};
  type.quasi[0].recoding.kind = Recoding::Kind::kNumeric;
  type.quasi[1].recoding.kind = Recoding::Kind::kRanges;
  type.quasi[2].recoding.kind = Recoding::Kind::kMask;
  type.sensitive.push_back({"s", {}, {}});
  type.keep = {"k"};
  return type;
}

std::string Turn(size_t slot, std::string_view text, char decimal = ',') {
  InputPolicy input;
  input.decimal = decimal;
  std::string scratch;
  return std::string(DecimalComma(input, Class()).Turn(slot, text, scratch));
}

TEST(DecimalCommaTest, TurnsNumbersAndTheEndsOfIntervals) {
  EXPECT_EQ(Turn(0, "1,5"), "1.5");
  EXPECT_EQ(Turn(0, "1.5"), "1,5");
  EXPECT_EQ(Turn(0, "-0,25e3"), "-0.25e3");
  EXPECT_EQ(Turn(1, "[1.5, 2)"), "[1,5, 2)");
  EXPECT_EQ(Turn(1, "[1,5, 2)"), "[1.5, 2)");
  EXPECT_EQ(Turn(0, "[-1.5, 2.25]"), "[-1,5, 2,25]");
  EXPECT_EQ(Turn(3, "3,7"), "3.7");
}

TEST(DecimalCommaTest, LeavesEverythingElseAsItIs) {
  for (const char* text :
       {"", "17", "a,b", "Miller, Ann", "1,2,3", "[a, b)", "[1,5,2)", "[", ","}) {
    EXPECT_EQ(Turn(0, text), text);
  }
  EXPECT_EQ(Turn(2, "1,5"), "1,5");
  EXPECT_EQ(Turn(4, "1,5"), "1,5");
  EXPECT_EQ(Turn(0, "1,5", '.'), "1,5");
}

RC_GTEST_PROP(DecimalCommaTest, WhatIsTurnedTwiceIsAsItWas, ()) {
  std::string text;
  const size_t length = *rc::gen::inRange<size_t>(0, 12);
  for (size_t i = 0; i < length; ++i) text += *rc::gen::elementOf(std::string("01.,- e[])+"));
  const std::string once = Turn(0, text);
  RC_ASSERT(Turn(0, once) == text);
  RC_ASSERT(Decimal::IsNumber(once) || Decimal::IsNumber(text) || once == text ||
            text.front() == '[');
}

}  // namespace
}  // namespace thicket::decimal_comma_test
