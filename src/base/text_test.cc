#include "base/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace thicket::text_test {
namespace {

TEST(Text, WithCommasGroupsByThree) {
  EXPECT_EQ(WithCommas(0), "0");
  EXPECT_EQ(WithCommas(999), "999");
  EXPECT_EQ(WithCommas(1000), "1,000");
  EXPECT_EQ(WithCommas(1234567), "1,234,567");
  EXPECT_EQ(WithCommas(18446744073709551615U), "18,446,744,073,709,551,615");
}

TEST(Text, NearestFindsATypingMistake) {
  EXPECT_EQ(Nearest("quais", {"class", "quasi", "keep"}), "quasi");
  EXPECT_EQ(Nearest("sensitve", {"quasi", "sensitive"}), "sensitive");
  EXPECT_EQ(Nearest("kep", {"keep", "drop"}), "keep");
}

TEST(Text, NearestFindsNothingForAnotherWord) {
  EXPECT_FALSE(Nearest("banana", {"class", "quasi", "keep"}));
  EXPECT_FALSE(Nearest("", {"class"}));
  EXPECT_FALSE(Nearest("x", {}));
}

TEST(Text, ParseNumberTakesWholeFiniteNumbersOnly) {
  EXPECT_EQ(ParseNumber("5"), 5);
  EXPECT_EQ(ParseNumber("-0.5"), -0.5);
  EXPECT_EQ(ParseNumber("+3"), 3);
  EXPECT_EQ(ParseNumber("1e3"), 1000);
  for (const char* text :
       {"", " 5", "5 ", "5x", "+-5", "++5", "abc", "inf", "nan", "1e999", "0x10", "1,5"}) {
    EXPECT_FALSE(ParseNumber(text)) << text;
  }
}

TEST(Text, NumberTextIsShort) {
  EXPECT_EQ(NumberText(5), "5");
  EXPECT_EQ(NumberText(-1990), "-1990");
  EXPECT_EQ(NumberText(0.1), "0.1");
  EXPECT_EQ(NumberText(2.5), "2.5");
  EXPECT_EQ(NumberText(-0.0), "0");
}

RC_GTEST_PROP(Text, NumberTextReadsBackAsTheSameNumber, (double number)) {
  RC_PRE(std::isfinite(number));
  RC_ASSERT(ParseNumber(NumberText(number)) == number);
}

TEST(Text, FigureTextIsExactWhereANumberIsWhole) {
  EXPECT_EQ(FigureText(0), "0");
  EXPECT_EQ(FigureText(25346126), "25,346,126");
  EXPECT_EQ(FigureText(13.0 / 3), "4.333333");
  EXPECT_EQ(FigureText(62286.4375), "62286.44");
  EXPECT_EQ(FigureText(4e38), "4e+38");
}

TEST(Text, TrimRemovesBlanksAtBothEnds) {
  EXPECT_EQ(Trim("  a b\t\r\n"), "a b");
  EXPECT_EQ(Trim(" \n"), "");
  EXPECT_EQ(Trim(""), "");
}

TEST(Text, IsUtf8AcceptsWellFormedText) {
  for (const char* text : {"", "abc", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8c\xb3",
                           "\xf4\x8f\xbf\xbf", "\xed\x9f\xbf", "\xee\x80\x80"}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
  }
}

TEST(Text, IsUtf8RejectsIllFormedTextAndSaysWhere) {
  const struct {
    std::string_view text;
    size_t position;
  } cases[] = {
      {"\x80", 0},              // a continuation alone
      {"ab\xc3", 2},            // cut off
      {"a\xc3(", 1},            // no continuation
      {"\xc0\x80", 0},          // overlong
      {"\xe0\x80\x80", 0},      // overlong
      {"\xed\xa0\x80", 0},      // a surrogate
      {"\xf4\x90\x80\x80", 0},  // beyond the last code point
      {"\xff", 0},
  };
  for (const auto& [text, expected] : cases) {
    size_t position = 99;
    EXPECT_FALSE(IsUtf8(text, &position));
    EXPECT_EQ(position, expected);
  }
}

}  // namespace
}  // namespace thicket::text_test
