#include "survey/value_forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace thicket::value_forms_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Optional;

ValueForms Of(const std::vector<std::string>& texts) {
  ValueForms forms;
  std::set<std::string> known;
  for (const std::string& text : texts) {
    forms.Add(text, std::hash<std::string>()(text), known.insert(text).second);
  }
  return forms;
}

// Twenty texts and some more.
std::vector<std::string> Twenty(const std::string& before, const std::string& behind,
                                std::vector<std::string> more) {
  for (int i = 10; i < 30; ++i) more.push_back(before + std::to_string(i) + behind);
  return more;
}

TEST(ValueFormsTest, OneOddValueOfTwentyIsPassedOver) {
  const ValueForms::Numbers numbers = Of(Twenty("", "", {"old"})).numbers('.');
  EXPECT_TRUE(numbers.fits);
  EXPECT_EQ(numbers.odd, 1U);
  EXPECT_TRUE(numbers.integers);
  EXPECT_EQ(numbers.least, 10);
  EXPECT_EQ(numbers.greatest, 29);
  EXPECT_FALSE(Of(Twenty("", "", {"old", "old"})).numbers('.').fits);
  EXPECT_FALSE(Of({"old", "new"}).numbers('.').fits);
  EXPECT_FALSE(Of({}).numbers('.').fits);
}

TEST(ValueFormsTest, WhatStandsForNoValueDoesNotCount) {
  const ValueForms forms = Of({"1", "NA", "NA", "n/a", "?", "na", "-", "2", "NULL", ".", "\\N"});
  EXPECT_TRUE(forms.numbers('.').fits);
  EXPECT_EQ(forms.numbers('.').odd, 0U);
  EXPECT_THAT(forms.placeholders(), ElementsAre("NA", "-", ".", "?", "NULL", "\\N", "n/a"));
  EXPECT_EQ(forms.placeholder_count(), 9U);
  EXPECT_FALSE(IsPlaceholder("Namibia"));
  EXPECT_FALSE(IsPlaceholder(""));
  EXPECT_FALSE(IsPlaceholder("none"));
}

TEST(ValueFormsTest, TellsDecimalCommasFromThousands) {
  EXPECT_TRUE(Of({"1,5", "2", "3,25"}).has_commas());
  EXPECT_FALSE(Of({"1,234", "22,500"}).has_commas());
  EXPECT_TRUE(Of({"1,234", "22,5"}).has_commas());
  EXPECT_FALSE(Of({"1.5", "2"}).has_commas());
  EXPECT_TRUE(Of({"1.5", "2"}).has_points());
  EXPECT_FALSE(Of({"a,b", "c,d"}).has_commas());
  const ValueForms::Numbers numbers = Of({"1,5", "2"}).numbers(',');
  EXPECT_TRUE(numbers.fits);
  EXPECT_EQ(numbers.least, 1.5);
  EXPECT_FALSE(numbers.integers);
}

TEST(ValueFormsTest, FindsOutHowDatesAreWritten) {
  EXPECT_THAT(Of({"1993-04-17", "1873-00-00", "1993-05"}).date_format(), Optional(Eq("")));
  EXPECT_THAT(Of({"19930417", "20010203"}).date_format(), Optional(Eq("%Y%m%d")));
  EXPECT_THAT(Of({"17.04.1993", "3.2.2001", "NA"}).date_format(), Optional(Eq("%d.%m.%Y")));
  EXPECT_THAT(Of({"04/17/1993", "02/03/2001"}).date_format(), Optional(Eq("%m/%d/%Y")));
  EXPECT_THAT(Of({"17/04/1993", "02/03/2001"}).date_format(), Optional(Eq("%d/%m/%Y")));
  EXPECT_THAT(Of({"17-Apr-1993"}).date_format(), Optional(Eq("%d-%b-%Y")));
  EXPECT_THAT(Of({"1993", "2001"}).date_format(), Eq(std::nullopt));
  EXPECT_THAT(Of({"12345678", "87654321"}).date_format(), Eq(std::nullopt));
  EXPECT_THAT(Of({"x"}).date_format(), Eq(std::nullopt));
  EXPECT_TRUE(Of({"02/03/2001"}).is_ambiguous_date());
  EXPECT_FALSE(Of({"04/17/1993", "02/03/2001"}).is_ambiguous_date());
  EXPECT_EQ(Of(Twenty("2001-11-", "", {"long ago"})).odd_dates(), 1U);
}

TEST(ValueFormsTest, KnowsZipCodes) {
  EXPECT_TRUE(Of({"12345", "12345-6789", "NA"}).has_zip_plus_four());
  EXPECT_FALSE(Of({"12345", "12346"}).has_zip_plus_four());
  EXPECT_FALSE(Of({"12345", "12345-6789", "A1"}).has_zip_plus_four());
}

}  // namespace
}  // namespace thicket::value_forms_test
