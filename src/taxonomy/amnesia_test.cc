#include "taxonomy/amnesia.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "taxonomy/taxonomy_file.h"

namespace thicket::amnesia_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kDistinct =
    "distinct\nname education\ntype string\nheight 3\n\n"
    "Undergraduate has Bachelors Some-college \nGraduate has Masters Doctorate \n\n"
    "Any has Undergraduate Graduate \n";

constexpr const char* kDistinctJson =
    R"({"hierType":"distinct","name":"education","type":"string","height":3,
 "level1":{"Any":["Undergraduate","Graduate"]},
 "level2":{"Undergraduate":["Bachelors","Some-college"],"Graduate":["Masters","Doctorate"]}})";

constexpr const char* kRange =
    "range\nname age_hier\ntype int\nheight 3\n\n"
    "0.0,9.0 has 0.0,4.0 5.0,9.0 \n10.0,19.0 has 10.0,14.0 15.0,19.0 \n\n"
    "0.0,19.0 has 0.0,9.0 10.0,19.0 \n";

Taxonomy Parse(const std::string& text) {
  Result<Taxonomy> taxonomy = ParseTaxonomy(text, "h.txt");
  EXPECT_TRUE(taxonomy.ok()) << taxonomy.error().message;
  return taxonomy.ok() ? *std::move(taxonomy) : TaxonomyBuilder("failed").Build();
}

std::string ErrorOf(const std::string& text) {
  const Result<Taxonomy> taxonomy = ParseTaxonomy(text, "h.txt");
  return taxonomy.ok() ? "no error" : taxonomy.error().message;
}

// Whether both have the same labels under the same parents.
bool SameTree(const Taxonomy& a, const Taxonomy& b) {
  if (a.node_count() != b.node_count()) return false;
  for (Node node = 0; node < a.node_count(); ++node) {
    const auto other = b.Find(a.label(node));
    if (!other || b.label(b.parent(*other)) != a.label(a.parent(node))) return false;
  }
  return true;
}

TEST(Amnesia, ReadsTheTextForm) {
  const Taxonomy taxonomy = Parse(kDistinct);
  EXPECT_EQ(taxonomy.leaf_count(), 4U);
  EXPECT_EQ(taxonomy.label(Taxonomy::kRoot), "Any");
  EXPECT_EQ(taxonomy.label(taxonomy.parent(*taxonomy.Find("Masters"))), "Graduate");
  EXPECT_FALSE(taxonomy.has_ranges());
}

TEST(Amnesia, ReadsTheJsonFormAsTheSameTree) {
  EXPECT_TRUE(SameTree(Parse(kDistinct), Parse(kDistinctJson)));
}

TEST(Amnesia, ReadsEscapesAndPlainWordsInJson) {
  const Taxonomy taxonomy =
      Parse(R"({"hierType":"distinct","level1":{"Any":["a \"b\"","\u00e9","\ud83c\udf33",17]}})");
  for (const char* label : {"a \"b\"", "\xc3\xa9", "\xf0\x9f\x8c\xb3", "17"}) {
    EXPECT_TRUE(taxonomy.Find(label)) << label;
  }
}

TEST(Amnesia, FindsTheRangeOfANumber) {
  const Taxonomy taxonomy = Parse(kRange);
  EXPECT_TRUE(taxonomy.has_ranges());
  EXPECT_EQ(taxonomy.FindRange("7"), taxonomy.Find("5.0,9.0"));
  EXPECT_EQ(taxonomy.FindRange("14"), taxonomy.Find("10.0,14.0"));
  EXPECT_FALSE(taxonomy.FindRange("20"));
  EXPECT_FALSE(taxonomy.FindRange("4.5"));
}

TEST(Amnesia, ReadsRangesOfNegativeNumbersInJson) {
  const Taxonomy taxonomy =
      Parse(R"({"hierType":"range","type":"int","level1":{"-10-9":["-10--1","0-9"]}})");
  EXPECT_EQ(taxonomy.FindRange("-3"), taxonomy.Find("-10--1"));
  EXPECT_EQ(taxonomy.FindRange("3"), taxonomy.Find("0-9"));
}

TEST(Amnesia, FindsTheRangeOfADate) {
  const Taxonomy taxonomy = Parse(
      "range\nname d\ntype date\nheight 2\n\n"
      "1990,1999 has 01/1990,06/1994 01/07/1994,31/12/1999 \n");
  EXPECT_EQ(taxonomy.FindRange("1994-06-30"), taxonomy.Find("01/1990,06/1994"));
  EXPECT_EQ(taxonomy.FindRange("01/07/1994"), taxonomy.Find("01/07/1994,31/12/1999"));
  EXPECT_FALSE(taxonomy.FindRange("2000-01-01"));
  // A year that lies in two ranges has none.
  EXPECT_FALSE(taxonomy.FindRange("1994"));
}

TEST(Amnesia, RejectsRangesThatWouldBeUntrue) {
  const std::string head = "range\nname a\ntype int\nheight 2\n\n";
  EXPECT_THAT(ErrorOf(head + "0,9 has 0,4 5,12\n"), HasSubstr("must lie inside its parent"));
  EXPECT_THAT(ErrorOf(head + "0,9 has 0,5 4,9\n"), HasSubstr("must not overlap"));
  EXPECT_THAT(ErrorOf(head + "0,9 has 0,4 9,5\n"), HasSubstr("from a lower to an upper bound"));
  EXPECT_THAT(ErrorOf(head + "0,9 has 0,4 five\n"), HasSubstr("\"five\" is not"));
}

TEST(Amnesia, RejectsTwoRootsTwoParentsAndCycles) {
  const std::string head = "distinct\nname a\ntype string\nheight 2\n\n";
  EXPECT_THAT(ErrorOf(head + "x has a\ny has b\n"), HasSubstr("h.txt:7: there must be one root"));
  EXPECT_THAT(ErrorOf(head + "x has a\ny has a\n"),
              HasSubstr("h.txt:7: a label must have one parent"));
  EXPECT_THAT(ErrorOf(head + "x has y\ny has x\n"), HasSubstr("cycle"));
  EXPECT_THAT(ErrorOf(head + "x has x\n"), HasSubstr("cycle"));
  EXPECT_THAT(ErrorOf(head + "x y z\n"), HasSubstr("h.txt:6: a line must say"));
  EXPECT_THAT(ErrorOf(head), HasSubstr("must have values"));
}

TEST(Amnesia, AValueMayHaveTheNameOfItsGroup) {
  const std::string expected =
      "ham;sausage (any);meat;*\nsausage;sausage (any);meat;*\npork;meat;*\n"
      "detergent;softener;detergent (any);*\nsoap;detergent (any);*\n";
  EXPECT_EQ(FormatTaxonomy(Parse("distinct\nname a\ntype string\nheight 4\n\n"
                                 "sausage has ham sausage\npork has pork\n"
                                 "softener has detergent\nsoap has soap\n\n"
                                 "meat has sausage pork\ndetergent has softener soap\n\n"
                                 "* has meat detergent\n")),
            expected);
  EXPECT_TRUE(SameTree(Parse(R"({"hierType":"distinct","name":"a","type":"string","height":4,
 "level1":{"*":["meat","detergent"]},
 "level2":{"meat":["sausage","pork"],"detergent":["softener","soap"]},
 "level3":{"sausage":["ham","sausage"],"pork":["pork"],"softener":["detergent"],"soap":["soap"]}})"),
                       Parse(expected)));
  const std::string clash =
      "{\"hierType\":\"distinct\",\"level1\":{\"*\":[\"sausage\",\"sausage (any)\"]},\n"
      "\"level2\":{\"sausage\":[\"ham\",\"sausage\"]}}";
  EXPECT_THAT(ErrorOf(clash), HasSubstr("h.txt:2: \"sausage\" is a value and a group"));
}

TEST(Amnesia, ARangeIsNoValueOfItself) {
  EXPECT_THAT(ErrorOf("range\nname a\ntype int\nheight 2\n\n0,9 has 0,4 0,9\n"),
              HasSubstr("cycle"));
}

TEST(Amnesia, RejectsBrokenJsonWithItsLine) {
  EXPECT_THAT(ErrorOf("{\"hierType\":\"distinct\",\n\"level1\":{\"Any\":[\"a\",]}}"),
              HasSubstr("h.txt:2: a label must stand here"));
  EXPECT_THAT(ErrorOf("{\"hierType\":\"distinct\",\n\"level1\":{\"Any\":[\"a\""),
              HasSubstr("h.txt:2:"));
  EXPECT_THAT(ErrorOf("{}"), HasSubstr("must have hierType and levels"));
  EXPECT_THAT(ErrorOf(R"({"hierType":"tree"})"), HasSubstr("must be distinct or range"));
  EXPECT_THAT(ErrorOf(R"({"hierType":"distinct","level1":{"A":[[["x"]]]}})"), HasSubstr("a label"));
  EXPECT_THAT(ErrorOf(std::string(kDistinctJson) + "x"), HasSubstr("the end of the file"));
}

}  // namespace
}  // namespace thicket::amnesia_test
