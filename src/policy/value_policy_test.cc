#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "policy/policy_test.h"
#include "policy/policy_writer.h"

namespace thicket::value_policy_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string WithInput(const std::string& input, const std::string& record = kZip) {
  return "version: 1\ninput: " + input + "\n" + Small(record).substr(11);
}

const char* const kNested =
    "  quasi:\n    age: {numeric: true, missing: [\"?\"]}\n    zip: {mask: 2}\n"
    "  sensitive: {pay: {missing: []}}\n  keep: [k]\n"
    "  children:\n    - class: c\n      at: cs\n      quasi: {q: {ranges: [5]}}\n";

TEST(MissingPolicyTest, AttributesHaveTheirOwnTextsOrThoseOfTheInput) {
  const Policy policy = Parse(WithInput("{format: jsonl, missing: [NA, -9, \"\", NULL]}", kNested));
  const auto& root = policy.schema->classes[0].missing;
  ASSERT_EQ(root.size(), 4U);
  EXPECT_THAT(root[0], ElementsAre("?"));
  EXPECT_THAT(root[1], ElementsAre("NA", "-9", "", "NULL"));
  EXPECT_THAT(root[2], IsEmpty());
  EXPECT_THAT(root[3], ElementsAre("NA", "-9", "", "NULL"));
  EXPECT_THAT(policy.schema->classes[1].missing[0], ElementsAre("NA", "-9", "", "NULL"));
  EXPECT_THAT(Parse(Small(kZip)).schema->classes[0].missing, IsEmpty());
}

TEST(MissingPolicyTest, IsAListOfTexts) {
  EXPECT_EQ(MessageOf("  quasi: {a: {mask: 2, missing: NA}}\n"),
            "policy.yaml:4: record.quasi.a.missing must be a list of texts, but is not");
  EXPECT_THAT(MessageOf("  quasi: {a: {mask: 2, missing: [[NA]]}}\n"),
              HasSubstr("missing[0] must be a text, but is not"));
  EXPECT_THAT(MessageOf("  quasi: {a: {mask: 2, missing: [\"*\"]}}\n"),
              HasSubstr("missing[0] must not be *, but is"));
  EXPECT_THAT(ErrorOf(WithInput("{missing: x}")).message,
              HasSubstr("input.missing must be a list of texts"));
}

TEST(MissingPolicyTest, StandsForNoValueThatMatters) {
  EXPECT_THAT(MessageOf("  sensitive: {a: {once: [hiv, na], missing: [NA]}}\n"),
              HasSubstr("must have other values in once than those that stand for none"));
  EXPECT_THAT(MessageOf("  sensitive: {a: {levels: {5: [na]}, missing: [NA]}}\n"),
              HasSubstr("must have other values in levels"));
}

TEST(MissingPolicyTest, HasNoPlaceInQueryLogs) {
  EXPECT_THAT(
      ErrorOf("version: 1\ninput: {format: querylog, missing: [x]}\nrecord: {class: v, children: "
              "[{class: t, at: t, quasi: {t: {network: wordnet}}}]}\nprivacy: {k: 2, epsilon: 1}\n")
          .message,
      HasSubstr("input.missing must be absent for format querylog"));
}

TEST(TextPolicyTest, DecimalAndEncodingAreOfCsv) {
  const Policy policy = Parse(WithInput("{format: csv, decimal: \",\", encoding: latin1}"));
  EXPECT_EQ(policy.input.decimal, ',');
  EXPECT_EQ(policy.input.encoding, TextEncoding::kLatin1);
  const Policy usual = Parse(WithInput("{format: csv, decimal: \".\", encoding: utf8}"));
  EXPECT_EQ(usual.input.decimal, '.');
  EXPECT_EQ(usual.input.encoding, TextEncoding::kUtf8);
  EXPECT_THAT(ErrorOf(WithInput("{format: json, decimal: \",\"}")).message,
              HasSubstr("input.decimal must stand beside format: csv or tables"));
  EXPECT_THAT(ErrorOf(WithInput("{format: xml, encoding: latin1}")).message,
              HasSubstr("input.encoding must stand beside format: csv or tables"));
  EXPECT_THAT(ErrorOf(WithInput("{format: csv, decimal: x}")).message,
              HasSubstr("input.decimal must be . or ,, but is x"));
  EXPECT_THAT(ErrorOf(WithInput("{format: csv, encoding: latin}")).message,
              HasSubstr("input.encoding must be utf8 or latin1, but is latin"));
}

TEST(DateFormatPolicyTest, StandsBesideDate) {
  const Policy policy = Parse(Small("  quasi: {a: {date: [year], format: \"%Y%m%d\"}}\n"));
  EXPECT_EQ(policy.schema->classes[0].quasi[0].recoding.format, "%Y%m%d");
  EXPECT_THAT(MessageOf("  quasi: {a: {mask: 2, format: \"%Y\"}}\n"),
              HasSubstr("record.quasi.a.format must stand beside date, but does not"));
  EXPECT_THAT(MessageOf("  quasi: {a: {date: [year], format: \"%m\"}}\n"),
              HasSubstr("record.quasi.a.format must have a year (%Y or %y), but has none"));
  EXPECT_THAT(MessageOf("  quasi: {a: {format: \"%Y\"}}\n"),
              HasSubstr("must say how it is generalized"));
}

TEST(UnknownPolicyTest, EveryRecodingHasIt) {
  for (const char* recoding :
       {"ranges: [5]", "numeric: true", "mask: 2", "date: [year]", "taxonomy: a.csv"}) {
    const std::string of = "  quasi: {a: {" + std::string(recoding) + ", unknown: ";
    const auto unknown = [&](const std::string& word) {
      return Parse(Small(of + word + "}}\n")).schema->classes[0].quasi[0].recoding.unknown;
    };
    EXPECT_EQ(unknown("error"), UnknownValues::kError);
    EXPECT_EQ(unknown("generalize"), UnknownValues::kGeneralize);
    EXPECT_EQ(unknown("missing"), UnknownValues::kLeaveOut);
    EXPECT_THAT(MessageOf(of + "x}}\n"),
                HasSubstr("unknown must be error, generalize or missing, but is x"));
  }
}

std::string Again(const std::string& text) {
  return FormatPolicy(Parse(FormatPolicy(Parse(text))));
}

TEST(ValuePolicyTest, IsWrittenAsItIsRead) {
  const std::string same = Again(
      WithInput("{format: csv, decimal: \",\", encoding: latin1, missing: [NA, \"\"]}",
                "  quasi: {a: {date: [month], format: \"%d.%m.%Y\", unknown: generalize}}\n"));
  EXPECT_THAT(same, HasSubstr("  decimal: \",\"\n  encoding: latin1\n  missing: [NA, \"\"]\n"));
  EXPECT_THAT(same, HasSubstr("a: {date: [month], format: \"%d.%m.%Y\", unknown: generalize}\n"));
  const std::string own = Again(
      Small("  quasi: {a: {numeric: true, unknown: missing, missing: [\"?\"]}, b: {mask: 1}}\n"
            "  sensitive: {s: {missing: [x]}, t: {}}\n"));
  EXPECT_THAT(own, HasSubstr("a: {numeric: true, unknown: missing, missing: [\"?\"]}\n"));
  EXPECT_THAT(own, HasSubstr("b: {mask: 1}\n"));
  EXPECT_THAT(own, HasSubstr("s: {missing: [x]}\n"));
  EXPECT_THAT(own, HasSubstr("t: {}\n"));
  const std::string kept = Again(
      Small(std::string(kZip) + "  keep: {a: {missing: [\"?\"]}, b: {constant: x}, c: {}}\n"));
  EXPECT_THAT(kept, HasSubstr("    a: {missing: [\"?\"]}\n    b: {constant: x}\n    c: {}\n"));
  EXPECT_THAT(Parse(kept).schema->classes[0].missing[1], ElementsAre("?"));
}

}  // namespace
}  // namespace thicket::value_policy_test
