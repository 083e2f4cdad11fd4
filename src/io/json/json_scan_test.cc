#include "io/json/json_scan.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <simdjson.h>

#include <string>

namespace thicket::json_scan_test {
namespace {

TEST(JsonScan, FindsNothingInJson) {
  for (const char* good :
       {"{}", "[]",
        " [1, -2.5e+10, 0, 0.1, \"\\ud83d\\ude00\\n\", true, false, null, {\"a\": [{}]}] ", "5",
        "\"x\""}) {
    EXPECT_FALSE(FindJsonFault(good)) << good << ": " << FindJsonFault(good)->what;
  }
}

TEST(JsonScan, SaysWhereItGoesWrong) {
  const auto offset = [](std::string_view text) { return FindJsonFault(text)->offset; };
  EXPECT_EQ(offset(""), 0U);
  EXPECT_EQ(offset("{\"a\": 01}"), 6U);
  EXPECT_EQ(offset("[1,]"), 3U);
  EXPECT_EQ(offset("{,}"), 1U);
  EXPECT_EQ(offset("[1}"), 2U);
  EXPECT_EQ(offset("{\"a\"}"), 4U);
  EXPECT_EQ(offset("[\"\\q\"]"), 2U);
  EXPECT_EQ(offset("[\"abc"), 5U);
  EXPECT_EQ(offset("truex"), 4U);
  EXPECT_EQ(offset("[1] 2"), 4U);
  EXPECT_EQ(offset("[\"\xc3\"]"), 2U);
}

TEST(JsonScan, CountsLinesAndCharacters) {
  const TextPosition position = PositionOf("a\nb\xc3\xa9\x78", 5);
  EXPECT_EQ(position.line, 2U);
  EXPECT_EQ(position.column, 3U);
}

TEST(JsonScan, KnowsNumbers) {
  for (const char* good : {"0", "-0", "10.50", "1e5", "1E-05"})
    EXPECT_TRUE(IsJsonNumber(good)) << good;
  for (const char* bad : {"", "-", "01", "1.", ".5", "1e", "+1", "1 ", "0x1", "NaN"})
    EXPECT_FALSE(IsJsonNumber(bad)) << bad;
}

// simdjson's full parser is the oracle: pieces of JSON in any order are mostly wrong, and sometimes right.
RC_GTEST_PROP(JsonScan, AgreesWithAFullParser, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\"", "1", "-", "0", ".5", "e3", "true", "null",
      " ", "\"\\u00e9\"", "\"\\x\"", "\"", "\n", "{\"k\":", "[1,", "\x01"));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  simdjson::dom::parser parser;
  const bool good = parser.parse(text).error() == simdjson::SUCCESS;
  RC_CLASSIFY(good);
  RC_ASSERT(good == !FindJsonFault(text).has_value());
}

}  // namespace
}  // namespace thicket::json_scan_test
