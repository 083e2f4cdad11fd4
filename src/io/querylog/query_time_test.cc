#include "io/querylog/query_time.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <optional>

namespace thicket::query_time_test {
namespace {

TEST(QueryTime, IsReadInEveryForm) {
  for (const char* text :
       {"2006-03-01 07:17:12", "2006-03-01T07:17:12", " 2006-03-01 7:17:12 ", "1141197432",
        "1141197432.75", "2006-03-01 07:17:12.999", "2006-03-01T07:17:12Z",
        "2006-03-01T08:17:12+01:00", "2006-03-01T08:17:12+01", "2006-02-28T23:47:12-0730"}) {
    EXPECT_EQ(ParseQueryTime(text), 1141197432) << text;
  }
  EXPECT_EQ(ParseQueryTime("2006-03-01 07:17"), 1141197432 - 12);
  EXPECT_EQ(ParseQueryTime("2006-03-01"), 1141171200);
  EXPECT_EQ(ParseQueryTime("0"), 0);
  EXPECT_EQ(ParseQueryTime("1969-12-31 23:59:59"), -1);
  EXPECT_EQ(ParseQueryTime("2016-12-31 23:59:60"), ParseQueryTime("2017-01-01 00:00:00"));
  EXPECT_EQ(ParseQueryTime("9999-12-31 23:59:59"), ParseQueryTime("253402300799"));
}

TEST(QueryTime, IsNothingElse) {
  for (const char* text : {"",
                           " ",
                           "now",
                           "1:00Jan1",
                           "2006-02-29",
                           "2006-13-01",
                           "2006-3-1",
                           "06-03-01",
                           "2006-03",
                           "2006/03/01",
                           "2006-03-01 24:00:00",
                           "2006-03-01 07:60:00",
                           "2006-03-01 07:17:61",
                           "2006-03-01 07",
                           "2006-03-01 07:17:1",
                           "2006-03-01 07:17:12 PM",
                           "2006-03-01  07:17:12",
                           "2006-03-01T",
                           "2006-03-01x",
                           "2006-03-01 07:17:12+1",
                           "2006-03-01 07:17:12+25:00",
                           "2006-03-01 07:17:12+01:60",
                           "2006-03-01 07:17:12.",
                           "-5",
                           "1e9",
                           "1141197432.",
                           "1141197432000",
                           "253402300800",
                           "+7"}) {
    EXPECT_EQ(ParseQueryTime(text), std::nullopt) << text;
  }
}

TEST(QueryTime, OfEveryDayIsThatOfTheCalendar) {
  using std::chrono::days;
  for (std::chrono::sys_days day = std::chrono::year{1899} / 12 / 31;
       day < std::chrono::year{2101} / 1 / 1; day += days(1)) {
    const std::chrono::year_month_day date = day;
    char text[32];
    std::snprintf(text, sizeof(text), "%04d-%02u-%02u 00:00:01", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
    ASSERT_EQ(ParseQueryTime(text), int64_t{day.time_since_epoch().count()} * 86'400 + 1) << text;
  }
}

}  // namespace
}  // namespace thicket::query_time_test
