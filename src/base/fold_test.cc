#include "base/fold.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace thicket::fold_test {
namespace {

void ExpectSame(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    EXPECT_EQ(FoldValue(text), FoldValue(texts.front())) << text;
    EXPECT_FALSE(FoldValue(text).empty()) << text;
  }
}

TEST(Fold, NumbersFoldByValue) {
  ExpectSame({"1", "1.0", "+1", "01", "10e-1", " 1 ", "\uff11", "\u0661", "1\u200b"});
  ExpectSame({"2.5", "2.50", "25e-1", "2.5\n"});
  ExpectSame({"0", "-0", "0.0", "\u22120", "0e99999"});
  ExpectSame({"-7", "\u22127", "\uff0d7", "-07"});
  ExpectSame({"1e400", "10e399", "1E400"});
  EXPECT_NE(FoldValue("9007199254740992"), FoldValue("9007199254740993"));
}

TEST(Fold, TextsFoldByWhatAReaderSees) {
  ExpectSame({"HIV", "hiv", " HIV", "HIV ", "H\u00adIV", "HI\u200bV", "\ufeffHIV", "HIV\u00a0",
              "HIV\u2028", "\uff28\uff29\uff36", "HIV\t", "HIV\x01", "\u202aHIV\u202c"});
  ExpectSame({"caf\u00e9", "cafe\u0301", "CAF\u00c9"});
  ExpectSame({"Stra\u00dfe", "STRASSE", "strasse", "Stra\u1e9ee"});
  ExpectSame({"flu  A", "flu A", "flu\u00a0A", "flu\u3000 A", "flu \u200b A", "flu\r\nA"});
  ExpectSame({"A\u2013B", "A-B", "A\u2212B", "a\u2010b"});
  ExpectSame({"\ufb01bre", "fibre"});
}

TEST(Fold, WhatMeansNothingIsEmpty) {
  for (const char* text :
       {"", " ", "\t\n", "\u00a0", "\u200b", "\ufeff\u00ad", "\u2800", "\u3164"}) {
    EXPECT_EQ(FoldValue(text), "");
  }
}

TEST(Fold, DifferentValuesStayDifferent) {
  const std::vector<std::string> texts = {"HIV", "HIV1", "HIV 1", "flu",  "caf\u00e9", "cafe",
                                          "1",   "-1",   "10",    "1.1",  "one",       "\u0391",
                                          "A",   "e5",   "1e",    "true", "\xff",      "\xfe"};
  for (const std::string& a : texts) {
    for (const std::string& b : texts) EXPECT_EQ(FoldValue(a) == FoldValue(b), a == b) << a << b;
  }
}

// Texts that mean the same, made step by step from one.
std::string Disguise(const std::string& text) {
  static const std::vector<std::string> kBlanks = {" ", "\u00a0", "\t", "\u2003", "\u3000", "\n"};
  static const std::vector<std::string> kUnseen = {"\u200b", "\u00ad", "\ufeff",
                                                   "\u2060", "\x02",   ""};
  std::string result;
  for (const char c : text) {
    result += *rc::gen::elementOf(kUnseen);
    const bool letter = c >= 'a' && c <= 'z';
    const bool digit = c >= '0' && c <= '9';
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        if (letter) {
          result += static_cast<char>(c - 'a' + 'A');
          continue;
        }
        break;
      case 1:
        if (letter || digit) {
          // The wide form: U+FF41 for a, U+FF10 for 0.
          const int point = letter ? 0xff41 + (c - 'a') : 0xff10 + (c - '0');
          result += '\xef';
          result += static_cast<char>(0x80 | (point >> 6 & 0x3f));
          result += static_cast<char>(0x80 | (point & 0x3f));
          continue;
        }
        break;
      default:
        break;
    }
    if (c == ' ') {
      result += *rc::gen::elementOf(kBlanks) + *rc::gen::elementOf(kUnseen) +
                *rc::gen::elementOf(kBlanks);
    } else {
      result += c;
    }
  }
  return *rc::gen::elementOf(kBlanks) + result + *rc::gen::elementOf(kBlanks);
}

RC_GTEST_PROP(FoldProperty, DisguisesFoldTheSame, ()) {
  const auto letters =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("abz019 .-")));
  RC_ASSERT(FoldValue(Disguise(letters)) == FoldValue(letters));
}

RC_GTEST_PROP(FoldProperty, AsciiFoldsAsUnicodeDoes, ()) {
  const auto bytes = *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
  // A soft hyphen cannot be seen, but is no ASCII.
  RC_ASSERT(FoldValue(bytes) == FoldValue(bytes + "\u00ad"));
}

RC_GTEST_PROP(FoldProperty, FoldingTwiceChangesNothing, ()) {
  const auto points = *rc::gen::container<std::u32string>(
      rc::gen::oneOf(rc::gen::inRange<char32_t>(0x80, 0x3000), rc::gen::inRange<char32_t>('A', 'z'),
                     rc::gen::inRange<char32_t>(0xf900, 0xffff)));
  std::string text = "x";
  for (const char32_t point : points) {
    if (point < 0x80) {
      text += static_cast<char>(point);
    } else if (point < 0x800) {
      text += static_cast<char>(0xc0 | point >> 6);
      text += static_cast<char>(0x80 | (point & 0x3f));
    } else {
      text += static_cast<char>(0xe0 | point >> 12);
      text += static_cast<char>(0x80 | (point >> 6 & 0x3f));
      text += static_cast<char>(0x80 | (point & 0x3f));
    }
  }
  const std::string folded = FoldValue(text);
  RC_ASSERT(FoldValue(folded) == folded);
}

TEST(LowerCased, MakesSmallLettersOfAnyScriptAndChangesNothingElse) {
  EXPECT_EQ(LowerCased("Hot DOG, 1.0"), "hot dog, 1.0");
  EXPECT_EQ(LowerCased("CAF\u00c9 \u0416\u03a9"), "caf\u00e9 \u0436\u03c9");
  EXPECT_EQ(LowerCased("\uff21 \ufb01"), "\uff41 \ufb01");
  EXPECT_EQ(LowerCased(""), "");
}

TEST(LowerCased, KeepsBytesThatAreNotUtf8) {
  EXPECT_EQ(LowerCased("A\xff"
                       "B\xc3"),
            "a\xff"
            "b\xc3");
}

}  // namespace
}  // namespace thicket::fold_test
