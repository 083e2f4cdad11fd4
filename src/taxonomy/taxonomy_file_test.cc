#include "taxonomy/taxonomy_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace thicket::taxonomy_file_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kCourses =
    "CS305;CS3**;CS;*\n"
    "CS201;CS2**;CS;*\n"
    "HIST;*\n";

Taxonomy Parse(const std::string& text) {
  Result<Taxonomy> taxonomy = ParseTaxonomy(text, "t.csv");
  EXPECT_TRUE(taxonomy.ok()) << taxonomy.error().message;
  return taxonomy.ok() ? *std::move(taxonomy) : TaxonomyBuilder("failed").Build();
}

std::string ErrorOf(const std::string& text) {
  const Result<Taxonomy> taxonomy = ParseTaxonomy(text, "t.csv");
  if (taxonomy.ok()) return "no error";
  EXPECT_EQ(taxonomy.error().code, ErrorCode::kUsage);
  return taxonomy.error().message;
}

TEST(TaxonomyFile, ReadsLinesOfDifferentLengths) {
  const Taxonomy taxonomy = Parse(kCourses);
  EXPECT_EQ(taxonomy.leaf_count(), 3U);
  EXPECT_EQ(taxonomy.label(taxonomy.parent(*taxonomy.Find("CS305"))), "CS3**");
  EXPECT_EQ(taxonomy.parent(*taxonomy.Find("HIST")), Taxonomy::kRoot);
}

TEST(TaxonomyFile, FindsTheSeparatorOutsideQuotes) {
  EXPECT_EQ(FormatTaxonomy(Parse("17,\"[15; 20[\",*\n")), "17;\"[15; 20[\";*\n");
  EXPECT_EQ(FormatTaxonomy(Parse("1,5;\"a\"\"b;c\";*")), "1,5;\"a\"\"b;c\";*\n");
  EXPECT_EQ(FormatTaxonomy(Parse("a\tb, c\t*\n")), "a;b, c;*\n");
}

TEST(TaxonomyFile, QuotesWhatWouldBeTakenForJson) {
  EXPECT_EQ(FormatTaxonomy(Parse("\"{a\";*\n")), "\"{a\";*\n");
  EXPECT_EQ(FormatTaxonomy(Parse("\"\t {a\";*\n")), "\"\t {a\";*\n");
}

TEST(TaxonomyFile, TakesWindowsLinesBlankLinesAndAByteOrderMark) {
  EXPECT_EQ(FormatTaxonomy(Parse("\xef\xbb\xbf"
                                 "a;x;*\r\n\r\nb;x;*\r\n")),
            "a;x;*\nb;x;*\n");
}

TEST(TaxonomyFile, TakesEqualColumnsAsOneAndEqualLinesAsOne) {
  EXPECT_EQ(FormatTaxonomy(Parse("a;a;x;x;*\na;x;*\nb;*;*\n")), "a;x;*\nb;*\n");
}

TEST(TaxonomyFile, KeepsTheOrderOfTheLines) {
  EXPECT_EQ(FormatTaxonomy(Parse("b;y;*\na;x;*\nc;y;*\n")), "b;y;*\na;x;*\nc;y;*\n");
}

TEST(TaxonomyFile, RejectsALeafUnderTwoParents) {
  EXPECT_EQ(
      ErrorOf("a;x;*\nb;x;*\na;y;*\n"),
      "t.csv:3: a label must have one parent, but \"a\" is under \"y\" here and under \"x\" in "
      "line 1");
}

TEST(TaxonomyFile, RejectsAGroupUnderTwoParents) {
  EXPECT_THAT(ErrorOf("a;g;x;*\nb;g;y;*\n"), HasSubstr("t.csv:2: a label must have one parent"));
}

TEST(TaxonomyFile, RejectsTwoRootsAndNamesBoth) {
  EXPECT_EQ(ErrorOf("a;x;*\nb;y;All\n"),
            "t.csv:2: there must be one root, but this line ends in \"All\" and line 1 in \"*\"");
  EXPECT_THAT(ErrorOf("a;x;*\nb;x\n"), HasSubstr("t.csv:2: there must be one root"));
  EXPECT_THAT(ErrorOf("a;x\nb;x;*\n"), HasSubstr("t.csv:2: there must be one root"));
}

TEST(TaxonomyFile, RejectsACycle) {
  EXPECT_EQ(ErrorOf("x;a;b;*\ny;b;a;*\n"),
            "t.csv:2: a label must not be its own ancestor, but \"b\" is (a cycle through \"a\")");
  EXPECT_THAT(ErrorOf("x;a;b;a;*\n"), HasSubstr("cycle"));
  EXPECT_THAT(ErrorOf("x;a;b;c;*\ny;c;a;*\n"), HasSubstr("t.csv:2: a label must not be its own"));
  EXPECT_THAT(ErrorOf("x;a;b\ny;b;a\n"), HasSubstr("cycle"));
}

TEST(TaxonomyFile, AValueWithTheNameOfItsGroupIsALeafBelowIt) {
  constexpr const char* kSausages =
      "ham;sausage (any);meat;*\nsausage;sausage (any);meat;*\nherring;fish;*\n";
  EXPECT_EQ(FormatTaxonomy(Parse("ham;sausage;meat;*\nsausage;sausage;meat;*\nherring;fish;*\n")),
            kSausages);
  // Without a column of its own, before or after the group's other values.
  EXPECT_EQ(FormatTaxonomy(Parse("ham;sausage;meat;*\nsausage;meat;*\nherring;fish;*\n")),
            kSausages);
  EXPECT_EQ(FormatTaxonomy(Parse("sausage;meat;*\nham;sausage;meat;*\n")),
            "sausage;sausage (any);meat;*\nham;sausage (any);meat;*\n");
  // Both ways, and twice.
  EXPECT_EQ(FormatTaxonomy(Parse("ham;sausage;meat;*\nsausage;sausage;meat;*\nsausage;meat;*\n"
                                 "herring;fish;*\n")),
            kSausages);
  // What is written reads as the same taxonomy.
  EXPECT_EQ(FormatTaxonomy(Parse(kSausages)), kSausages);
}

TEST(TaxonomyFile, AValueMayStandDeeperInTheGroupOfItsName) {
  EXPECT_EQ(FormatTaxonomy(Parse("detergent;softener;detergent;*\nsoap;soap;detergent;*\n")),
            "detergent;softener;detergent (any);*\nsoap;detergent (any);*\n");
  EXPECT_EQ(FormatTaxonomy(Parse("food;snacks;food\nbread;food\n")),
            "food;snacks;food (any)\nbread;food (any)\n");
}

TEST(TaxonomyFile, AGroupOfNothingButTheValueOfItsNameIsLeftOut) {
  EXPECT_EQ(FormatTaxonomy(Parse("pork;pork;meat;*\nbeef;beef;beef;meat;*\n")),
            "pork;meat;*\nbeef;meat;*\n");
  EXPECT_EQ(FormatTaxonomy(Parse("a;a;a;*\nb;*\n")), "a;*\nb;*\n");
}

TEST(TaxonomyFile, SeveralLabelsMayBeValueAndGroup) {
  const Taxonomy taxonomy = Parse("a;a;b;*\nx;a;b;*\nb;b;*\ny;b;*\n");
  EXPECT_EQ(FormatTaxonomy(taxonomy),
            "a;a (any);b (any);*\nx;a (any);b (any);*\nb;b (any);*\ny;b (any);*\n");
  EXPECT_TRUE(taxonomy.is_leaf(*taxonomy.Find("a")));
  EXPECT_EQ(taxonomy.leaves(*taxonomy.Find("a (any)")), 2U);
}

TEST(TaxonomyFile, RejectsAValueWithTheNameOfAGroupElsewhere) {
  EXPECT_EQ(ErrorOf("tea;beverages;drinks;*\nbeverages;dairy;fresh;*\n"),
            "t.csv:2: a value with the name of a group must belong to that group, but "
            "\"beverages\" is under \"dairy\" here and the group is under \"drinks\" in line 1");
  EXPECT_THAT(ErrorOf("a;b;*\nb;a;*\n"), HasSubstr("must belong to that group"));
  // Two places in its group.
  EXPECT_EQ(ErrorOf("a;b;a;*\na;a;*\n"),
            "t.csv:2: a label must have one parent, but \"a\" is under \"a\" here and under \"b\" "
            "in line 1");
}

TEST(TaxonomyFile, RejectsALabelThatIsCalledAsAGroupMustBe) {
  EXPECT_EQ(ErrorOf("ham;sausage;*\nsausage;sausage;*\nsausage (any);*\n"),
            "t.csv:2: \"sausage\" is a value and a group, which must be called \"sausage (any)\" "
            "then, but that is another label in line 3");
  EXPECT_THAT(ErrorOf("ham;sausage;*\nsausage;*\nx;sausage (any);*\n"),
              HasSubstr("another label in line 3"));
  // Without a collision it is a label like any other.
  EXPECT_EQ(FormatTaxonomy(Parse("ham;sausage;*\nsausage (any);*\n")),
            "ham;sausage;*\nsausage (any);*\n");
}

TEST(TaxonomyFile, RejectsALineWithTheRootOnly) {
  EXPECT_THAT(ErrorOf("a;*\n*\n"), HasSubstr("t.csv:2: a line must hold a value and the root"));
  EXPECT_THAT(ErrorOf("*;*\n"), HasSubstr("t.csv:1:"));
}

TEST(TaxonomyFile, RejectsEmptyColumns) {
  EXPECT_THAT(ErrorOf("a;;*\n"), HasSubstr("t.csv:1: every column must have a label"));
  EXPECT_THAT(ErrorOf("a;*;\n"), HasSubstr("t.csv:1: every column must have a label"));
  EXPECT_THAT(ErrorOf(";x;*\n"), HasSubstr("t.csv:1: every column must have a label"));
}

TEST(TaxonomyFile, TakesTheEmptyTextInQuotesAsAValue) {
  EXPECT_EQ(FormatTaxonomy(Parse("\"\";x;*\n")), "\"\";x;*\n");
}

TEST(TaxonomyFile, RejectsBadQuoting) {
  EXPECT_THAT(ErrorOf("a;*\n\"b;*\n"), HasSubstr("t.csv:2: a quoted column must be closed"));
  EXPECT_THAT(ErrorOf("\"a\"b;*\n"), HasSubstr("t.csv:1: a closing quote must end the column"));
}

TEST(TaxonomyFile, RejectsWhatIsEmptyOrNotUtf8) {
  EXPECT_EQ(ErrorOf(""), "t.csv: a taxonomy must have values, but this file is empty");
  EXPECT_EQ(ErrorOf(" \n\n"), "t.csv: a taxonomy must have values, but this file is empty");
  EXPECT_EQ(ErrorOf("a;*\n\xff;*\n"), "t.csv:2: a taxonomy must be UTF-8, but this line is not");
}

TEST(TaxonomyFile, RejectsMoreThanAThousandLevels) {
  std::string line;
  for (int i = 0; i < 1200; ++i) line += "n" + std::to_string(i) + ";";
  EXPECT_THAT(ErrorOf(line + "*\n"), HasSubstr("at most 1,000 levels"));
}

TEST(ShowTaxonomy, ShowsCountsAndLosses) {
  const Taxonomy taxonomy = Parse(kCourses);
  EXPECT_EQ(ShowTaxonomy(taxonomy, 0),
            "*  (3 leaves)\n"
            "  CS  (2 leaves, loss 0.500)\n"
            "    CS3**  (1 leaf, loss 0.000)\n"
            "      CS305\n"
            "    CS2**  (1 leaf, loss 0.000)\n"
            "      CS201\n"
            "  HIST\n");
}

TEST(ShowTaxonomy, StopsAtTheLimitAndSaysHowManyAreLeft) {
  const Taxonomy taxonomy = Parse(kCourses);
  EXPECT_EQ(ShowTaxonomy(taxonomy, 3),
            "*  (3 leaves)\n"
            "  CS  (2 leaves, loss 0.500)\n"
            "... (5 more)\n");
  EXPECT_EQ(ShowTaxonomy(taxonomy, 7), ShowTaxonomy(taxonomy, 0));
}

RC_GTEST_PROP(TaxonomyFile, ReadsBackWhatItWrites, (const std::vector<uint32_t>& parents)) {
  TaxonomyBuilder builder("*");
  for (size_t i = 0; i < parents.size(); ++i) {
    // Awkward labels, made unique by their number.
    constexpr const char* kLabels[] = {"a;", "\"", "x\ny", "{", " ", ",", "\t", "\xef\xbb\xbf"};
    builder.Add(parents[i] % static_cast<uint32_t>(i + 1), kLabels[i % 8] + std::to_string(i));
  }
  const Taxonomy taxonomy = std::move(builder).Build();
  RC_PRE(taxonomy.node_count() > 1U);
  const std::string text = FormatTaxonomy(taxonomy);
  const Result<Taxonomy> again = ParseTaxonomy(text, "t.csv");
  RC_ASSERT(again.ok());
  RC_ASSERT(FormatTaxonomy(*again) == text);
  RC_ASSERT(again->node_count() == taxonomy.node_count());
}

}  // namespace
}  // namespace thicket::taxonomy_file_test
