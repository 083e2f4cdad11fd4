#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "policy/policy_test.h"
#include "policy/policy_writer.h"

namespace thicket::querylog_policy_test {
namespace {

using ::testing::HasSubstr;

std::string Of(const std::string& input, const std::string& children,
               const std::string& record = "") {
  return Small(record + "  children:\n" + children, "privacy: {k: 2, epsilon: 2}\n") +
         "input: {format: querylog" + input + "}\n";
}

const std::string kTerms = "    - {class: term, at: terms, quasi: {term: {taxonomy: t.csv}}}\n";

TEST(QuerylogPolicy, ReadsTheGapBetweenSessions) {
  EXPECT_EQ(Parse(Of("", kTerms)).input.format, Format::kQuerylog);
  EXPECT_FALSE(Parse(Of("", kTerms)).input.session_gap_s.has_value());
  const auto gap = [](const std::string& text) {
    return Parse(Of(", session_gap: " + text, kTerms)).input.session_gap_s;
  };
  EXPECT_EQ(gap("0"), 0);
  EXPECT_EQ(gap("90"), 90);
  EXPECT_EQ(gap("30s"), 30);
  EXPECT_EQ(gap("30m"), 1800);
  EXPECT_EQ(gap("1h"), 3600);
  EXPECT_EQ(gap("1d"), 86'400);
  EXPECT_EQ(gap("1w"), 604'800);
  EXPECT_EQ(gap("9999999999w"), 9'999'999'999 * 604'800);
}

TEST(QuerylogPolicy, RejectsWhatIsNoGap) {
  for (const char* text : {"h", "-5", "1.5h", "1 h", "1H", "1y", "10000000000", "1h30m", "hour"}) {
    const Error error = ErrorOf(Of(std::string(", session_gap: ") + text, kTerms));
    EXPECT_EQ(
        error.message,
        std::string("policy.yaml:7: input.session_gap must be a time such as 30m or 1h, but is ") +
            text);
    EXPECT_EQ(error.hint,
              "write seconds, or a whole number with s, m, h, d or w; without session_gap all "
              "queries of a user are one bag");
  }
  EXPECT_THAT(ErrorOf(Of(", session_gap: [1h]", kTerms)).message,
              HasSubstr("input.session_gap must be a text, but is a list"));
  EXPECT_THAT(ErrorOf(Of(", session_gap: ", kTerms)).message,
              HasSubstr("input.session_gap must be a text, but is empty"));
}

TEST(QuerylogPolicy, ReadsWhetherQueriesMustBeClicked) {
  EXPECT_FALSE(Parse(Of("", kTerms)).input.clicked);
  EXPECT_TRUE(Parse(Of(", clicked: on", kTerms)).input.clicked);
  EXPECT_FALSE(Parse(Of(", clicked: off", kTerms)).input.clicked);
  EXPECT_THAT(ErrorOf(Of(", clicked: maybe", kTerms)).message,
              HasSubstr("input.clicked must be on or off, but is maybe"));
}

TEST(QuerylogPolicy, HasKeysThatNoOtherFormatHas) {
  for (const char* key : {"session_gap: 1h", "clicked: on"}) {
    const std::string name(key, std::string(key).find(':'));
    EXPECT_EQ(ErrorOf(Small(kZip) + "input: {format: csv, " + key + "}\n").message,
              "policy.yaml:6: input." + name + " must stand beside format: querylog, but does not");
  }
  EXPECT_THAT(ErrorOf(Of(", delimiter: tab", kTerms)).message,
              HasSubstr("input.delimiter must stand beside format: csv, tables or transactions"));
}

TEST(QuerylogPolicy, HoldsBagsAndNothingElse) {
  const std::string absent = " must be absent for format querylog, but is there";
  for (const char* key : {"id: a", "drop: [a]", "keep: [a]", "quasi: {a: {taxonomy: t.csv}}"}) {
    const std::string name(key, std::string(key).find(':'));
    const Error error = ErrorOf(Of("", kTerms, std::string("  ") + key + "\n"));
    EXPECT_EQ(error.message, "policy.yaml:4: record." + name + absent);
    EXPECT_EQ(
        error.hint,
        "what a user searched for is a bag: describe its terms as one class with one "
        "quasi-identifier, such as children: [{class: term, at: terms, quasi: {term: {network: "
        "wordnet}}}]");
  }
  EXPECT_EQ(
      ErrorOf(Of("", kTerms + "    - {class: b, at: b, quasi: {b: {taxonomy: t.csv}}}\n")).message,
      "policy.yaml:2: record must have exactly one class below it for format querylog, but has 2");
  for (const char* key : {"keep: [b]", "drop: [b]", "sensitive: {b: {}}",
                          "children: [{class: b, at: b, quasi: {b: {taxonomy: t.csv}}}]"}) {
    const std::string name(key, std::string(key).find(':'));
    EXPECT_EQ(
        ErrorOf(Of("", std::string("    - {class: a, at: a, quasi: {a: {taxonomy: t.csv}}, ") +
                           key + "}\n"))
            .message,
        "policy.yaml:5: record.children[0]." + name + absent);
  }
  EXPECT_EQ(ErrorOf(Of("", "    - {class: a, at: a, sensitive: {b: {}}}\n")).message,
            "policy.yaml:5: record.children[0].sensitive" + absent);
  EXPECT_EQ(
      ErrorOf(
          Of("", "    - {class: a, at: a, quasi: {a: {taxonomy: t.csv}, b: {taxonomy: t.csv}}}\n"))
          .message,
      "policy.yaml:5: record.children[0] must have exactly one quasi-identifier for format "
      "querylog, "
      "but has 2");
}

TEST(QuerylogPolicy, IsWrittenAsItWasRead) {
  for (const char* gap : {"0s", "90s", "30m", "1h", "36h", "1d", "2w"}) {
    const std::string text =
        FormatPolicy(Parse(Of(std::string(", clicked: on, session_gap: ") + gap, kTerms)));
    EXPECT_THAT(text, HasSubstr(std::string("  session_gap: ") + gap + "\n  clicked: on\n"));
    EXPECT_EQ(FormatPolicy(Parse(text)), text);
  }
}

}  // namespace
}  // namespace thicket::querylog_policy_test
