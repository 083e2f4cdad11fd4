#include "taxonomy/date_format.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace thicket::date_format_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Read(std::string_view format, std::string_view text) {
  const std::optional<Date> date = ParseDateAs(format, text);
  return date ? fmt::format("{} {} {}", date->year, date->month, date->day) : "none";
}

TEST(ParseDateAsTest, ReadsTheUsualWaysToWriteADate) {
  EXPECT_EQ(Read("%Y%m%d", "19930417"), "1993 4 17");
  EXPECT_EQ(Read("%d.%m.%Y", "17.04.1993"), "1993 4 17");
  EXPECT_EQ(Read("%d.%m.%Y", "17.4.1993"), "1993 4 17");
  EXPECT_EQ(Read("%m/%d/%Y", "4/7/1993"), "1993 4 7");
  EXPECT_EQ(Read("%d-%b-%Y", "17-apr-1993"), "1993 4 17");
  EXPECT_EQ(Read("%B %d, %Y", "April 7, 1993"), "1993 4 7");
  EXPECT_EQ(Read("%b %d, %Y", "April 7, 1993"), "1993 4 7");
  EXPECT_EQ(Read("%Y-%m-%d %H:%M:%S", "1993-04-17 10:30:59"), "1993 4 17");
  EXPECT_EQ(Read("%Y%%%m", "1993%04"), "1993 4 0");
}

TEST(ParseDateAsTest, TakesYearsOfTwoDigitsAsStrptimeDoes) {
  EXPECT_EQ(Read("%y%m%d", "690417"), "1969 4 17");
  EXPECT_EQ(Read("%y%m%d", "680417"), "2068 4 17");
}

TEST(ParseDateAsTest, LeavesOutWhatNobodyKnows) {
  EXPECT_EQ(Read("%Y%m%d", "18730000"), "1873 0 0");
  EXPECT_EQ(Read("%Y%m%d", "18730400"), "1873 4 0");
  EXPECT_EQ(Read("%Y%m%d", "18730017"), "none");
  EXPECT_EQ(Read("%d.%m.%Y", "1873"), "1873 0 0");
}

TEST(ParseDateAsTest, RefusesWhatIsNoSuchDate) {
  for (const std::string text : {"", "1993041", "199304170", "19931317", "19930431", "1993-04-17",
                                 "19930417 ", "x9930417", "0000", "19930229"}) {
    EXPECT_EQ(Read("%Y%m%d", text), text == "0000" ? "0 0 0" : "none") << text;
  }
  EXPECT_EQ(Read("%Y%m%d", "19920229"), "1992 2 29");
  EXPECT_EQ(Read("%d %b %Y", "17 apx 1993"), "none");
  EXPECT_EQ(Read("%Y-%m-%d %H:%M:%S", "1993-04-17 25:30:59"), "none");
}

TEST(FaultOfDateFormatTest, SaysWhatIsWrong) {
  EXPECT_THAT(FaultOfDateFormat("%Y%m%d"), IsEmpty());
  EXPECT_THAT(FaultOfDateFormat("%d. %B %y %H:%M:%S %%"), IsEmpty());
  EXPECT_THAT(FaultOfDateFormat("%Y"), IsEmpty());
  EXPECT_THAT(FaultOfDateFormat("%m-%d"), HasSubstr("must have a year"));
  EXPECT_THAT(FaultOfDateFormat("%Y %y"), HasSubstr("must have one year"));
  EXPECT_THAT(FaultOfDateFormat("%Y %m %b"), HasSubstr("must have one month"));
  EXPECT_THAT(FaultOfDateFormat("%Y %d"), HasSubstr("must have a month beside the day"));
  EXPECT_THAT(FaultOfDateFormat("%Y %Y"), HasSubstr("twice"));
  EXPECT_THAT(FaultOfDateFormat("%Y %x"), HasSubstr("has %x"));
  EXPECT_THAT(FaultOfDateFormat("%Y%"), HasSubstr("percent"));
}

}  // namespace
}  // namespace thicket::date_format_test
