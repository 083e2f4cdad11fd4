#include "base/decimal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace thicket::decimal_test {
namespace {

Decimal Of(const std::string& text) { return Decimal::Parse(text).value(); }

TEST(Decimal, EqualNumbersAreEqualHoweverTheyAreWritten) {
  for (const char* one : {"1", "1.0", "+1", "01", "1.", "10e-1", "0.1E1", "0.0001e4"}) {
    EXPECT_EQ(Of(one), Of("1")) << one;
    EXPECT_EQ(Of(one).Text(), "1") << one;
    EXPECT_EQ(Decimal::Key(one), Decimal::Key("1")) << one;
  }
  for (const char* zero : {"0", "-0", "0.00", "+.0", "0e5", "-0e99999"}) {
    EXPECT_EQ(Of(zero), Decimal()) << zero;
    EXPECT_EQ(Decimal::Key(zero), Decimal::Key("0")) << zero;
  }
}

TEST(Decimal, WhatIsNoNumberIsNone) {
  for (const char* text : {"", "+", "-", ".", "e5", "1e", "1e+", "1 ", " 1", "--1", "+-1", "1.2.3",
                           "0x10", "inf", "nan", "1e5.0", "1,5", "1_0"}) {
    EXPECT_FALSE(Decimal::Parse(text)) << text;
    EXPECT_FALSE(Decimal::IsNumber(text)) << text;
    EXPECT_FALSE(Decimal::Key(text)) << text;
  }
}

TEST(Decimal, NeighboursBeyondTheDoublesDiffer) {
  EXPECT_LT(Of("9007199254740992"), Of("9007199254740993"));
  EXPECT_EQ(Of("9007199254740993").Text(), "9007199254740993");
  EXPECT_LT(Of("0.1"), Of("0.1000000000000000000000000001"));
  EXPECT_EQ(Of("9007199254740993").ToDouble(), 9007199254740992.0);
}

TEST(Decimal, ADoubleIsWhatItsShortestTextSays) {
  EXPECT_EQ(Decimal(0.1), Of("0.1"));
  EXPECT_EQ(Decimal(-2.5e-300), Of("-2.5e-300"));
  EXPECT_EQ(Decimal(1e22).Text(), "10000000000000000000000");
}

TEST(Decimal, LargeExponentsAreRefusedButStillHaveAKey) {
  EXPECT_TRUE(Decimal::Parse("1e999"));
  EXPECT_TRUE(Decimal::Parse("1e-999"));
  EXPECT_FALSE(Decimal::Parse("1e1000"));
  EXPECT_FALSE(Decimal::Parse("1e-1000"));
  EXPECT_TRUE(Decimal::IsNumber("1e1000"));
  EXPECT_EQ(Decimal::Key("1e1000"), Decimal::Key("10e999"));
  EXPECT_NE(Decimal::Key("1e1000"), Decimal::Key("1e1001"));
  // Beyond all measure one is as large as the other.
  EXPECT_EQ(Decimal::Key("1e99999999999999999999"), Decimal::Key("10e99999999999999999998"));
  EXPECT_NE(Decimal::Key("1e99999999999999999999"), Decimal::Key("-1e99999999999999999999"));
  EXPECT_NE(Decimal::Key("1e99999999999999999999"), Decimal::Key("1e-99999999999999999999"));
}

TEST(Decimal, TextIsPlainUnlessItIsMostlyZeros) {
  EXPECT_EQ(Of("-2.50").Text(), "-2.5");
  EXPECT_EQ(Of("100").Text(), "100");
  EXPECT_EQ(Of("0.00125").Text(), "0.00125");
  EXPECT_EQ(Of("15e299").Text(), "1.5e300");
  EXPECT_EQ(Of("-1e-40").Text(), "-1e-40");
}

TEST(Decimal, ToDoubleEndsAtTheEndsOfDoubles) {
  EXPECT_EQ(Of("1e400").ToDouble(), HUGE_VAL);
  EXPECT_EQ(Of("-1e400").ToDouble(), -HUGE_VAL);
  EXPECT_EQ(Of("1e-400").ToDouble(), 0);
}

TEST(Decimal, FloorToIsTheLargestMultipleThatIsNotAbove) {
  EXPECT_EQ(Of("1993").FloorTo(5), Of("1990"));
  EXPECT_EQ(Of("-0.1").FloorTo(5), Of("-5"));
  EXPECT_EQ(Of("-5").FloorTo(5), Of("-5"));
  EXPECT_EQ(Of("0.3").FloorTo(0.1), Of("0.3"));
  EXPECT_EQ(Of("0.29999999999999999999").FloorTo(0.1), Of("0.2"));
  EXPECT_EQ(Of("9007199254740993").FloorTo(2), Of("9007199254740992"));
  EXPECT_EQ(Of("3").FloorTo(1e20), Decimal());
  EXPECT_EQ(Of("-3").FloorTo(1e20), Of("-1e20"));
}

// The naive reference: a number as whole units of 10^-kPlaces in a Whole, written in a random way.
__extension__ using Whole = __int128;
constexpr int kPlaces = 6;
struct Random {
  Whole units;
  std::string text;
};

std::string Digits(Whole number) {
  std::string digits;
  for (; number > 0; number /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + number % 10));
  return digits;
}

Random AnyNumber() {
  const auto high = static_cast<Whole>(*rc::gen::inRange<int64_t>(0, 1'000'000'000'000));
  const auto low = static_cast<Whole>(*rc::gen::inRange<int64_t>(0, 1000));
  // Ties, neighbours of 2^53, small and large ones.
  constexpr Whole kLimit = Whole{1} << 53;
  const std::vector<Whole> kinds = {low, low * 1'000'000, high * high, kLimit * 1'000'000 + low,
                                    (kLimit + low) * 1'000'000};
  const Whole units = kinds[*rc::gen::inRange<size_t>(0, kinds.size())];
  std::string digits = Digits(units);
  if (digits.size() <= kPlaces) digits.insert(0, kPlaces + 1 - digits.size(), '0');
  // The point may stand anywhere, with an exponent that makes up for it.
  const auto shift = *rc::gen::inRange(-8, 9);
  digits.insert(0, *rc::gen::inRange<size_t>(0, 9), '0');
  digits.append(8, '0');
  const auto place = static_cast<int>(digits.size()) - 8 - kPlaces + shift;
  if (place < 0) digits.insert(0, static_cast<size_t>(-place), '0');
  digits.insert(static_cast<size_t>(std::max(place, 0)), ".");
  if (shift != 0) digits += "e" + std::to_string(-shift);
  const bool negative = *rc::gen::arbitrary<bool>();
  return {negative ? -units : units, (negative ? "-" : "") + digits};
}

RC_GTEST_PROP(DecimalProperty, ComparesAndCalculatesLikeWholeUnits, ()) {
  const Random a = AnyNumber();
  const Random b = AnyNumber();
  const Decimal x = Of(a.text);
  const Decimal y = Of(b.text);
  RC_ASSERT((x < y) == (a.units < b.units));
  RC_ASSERT((x == y) == (a.units == b.units));
  RC_ASSERT((Decimal::Key(a.text) == Decimal::Key(b.text)) == (a.units == b.units));
  const auto exactly = [](Whole units) {
    return Of((units < 0 ? "-0" : "0") + Digits(units < 0 ? -units : units) + "e-6");
  };
  RC_ASSERT(x == exactly(a.units));
  RC_ASSERT(x + y == exactly(a.units + b.units));
  RC_ASSERT(x - y == exactly(a.units - b.units));
  RC_ASSERT(Of(x.Text()) == x);
  const auto factor = *rc::gen::inRange<uint32_t>(0, 1000);
  RC_ASSERT(x.Times(factor) == exactly(a.units * factor));
}

RC_GTEST_PROP(DecimalProperty, FloorsLikeWholeUnits, ()) {
  const Random a = AnyNumber();
  const auto width = *rc::gen::element<int64_t>(1, 7, 1000, 250'000, 5'000'000, 1'000'000'000'000);
  Whole floor = a.units / width * width;
  if (floor > a.units) floor -= width;
  const std::string text = Digits(floor < 0 ? -floor : floor);
  RC_ASSERT(Of(a.text).FloorTo(Of(std::to_string(width) + "e-6")) ==
            Of((floor < 0 ? "-0" : "0") + text + "e-6"));
}

RC_GTEST_PROP(DecimalProperty, ADoubleComesBack, ()) {
  const auto number = static_cast<double>(*rc::gen::arbitrary<int64_t>()) /
                      static_cast<double>(*rc::gen::inRange<int64_t>(1, 1'000'000));
  RC_ASSERT(Decimal(number).ToDouble() == number);
}

}  // namespace
}  // namespace thicket::decimal_test
