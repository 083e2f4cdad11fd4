// Calendar dates as they stand in data: yyyy, yyyy-mm or yyyy-mm-dd, the last also with a time
// behind it. A month or a day of 00 is one that nobody knows.
//
//   ParseDate("1993-04-17T10:30:00Z");  // {1993, 4, 17}
//   ParseDate("1993");                  // {1993, 0, 0}
//   ParseDate("1873-00-00");            // {1873, 0, 0}
#pragma once

#include <optional>
#include <string_view>

namespace thicket {

// A part that is not given is 0.
struct Date {
  int year = 0;
  int month = 0;
  int day = 0;
};

// The date at the start of the text, taken as written (a time zone does not move it), or nothing.
std::optional<Date> ParseDate(std::string_view text);

// The forms of Amnesia: yyyy, MM/yyyy, dd/MM/yyyy.
std::optional<Date> ParseSlashDate(std::string_view text);

// Days in one continuous count (March 1 of year 0 is day 0), of the first and the last day that the
// date stands for.
int FirstDay(const Date& date);
int LastDay(const Date& date);

}  // namespace thicket
