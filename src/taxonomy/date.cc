#include "taxonomy/date.h"

#include <algorithm>

namespace thicket {

namespace {

// `text` as a number, if it is exactly `digits` digits long.
std::optional<int> Digits(std::string_view text, size_t digits) {
  if (text.size() != digits) return std::nullopt;
  int number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

int DaysInMonth(int year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return month == 2 && leap ? 29 : kDays[month - 1];
}

bool IsMonth(std::optional<int> month) { return month && *month >= 1 && *month <= 12; }

bool IsDay(int year, int month, std::optional<int> day) {
  return day && *day >= 1 && *day <= DaysInMonth(year, month);
}

// hh:mm, then seconds, fractions and a zone in any of the usual forms.
bool IsTime(std::string_view text) {
  if (text.size() < 5 || text[2] != ':') return false;
  const std::optional<int> hour = Digits(text.substr(0, 2), 2);
  const std::optional<int> minute = Digits(text.substr(3, 2), 2);
  if (!hour || *hour > 24 || !minute || *minute > 59) return false;
  return text.substr(5).find_first_not_of("0123456789:.,+-Z ") == std::string_view::npos;
}

int DayNumber(int year, int month, int day) {
  // Years begin in March, so that a leap day is the last of its year.
  const int shifted_year = month > 2 ? year : year - 1;
  const int shifted_month = (month + 9) % 12;
  const int whole_days = 365 * shifted_year + (shifted_year + 400) / 4 -
                         (shifted_year + 400) / 100 + (shifted_year + 400) / 400;
  return whole_days + (153 * shifted_month + 2) / 5 + day - 1;
}

}  // namespace

std::optional<Date> ParseDate(std::string_view text) {
  Date date;
  const std::optional<int> year = Digits(text.substr(0, 4), 4);
  if (!year) return std::nullopt;
  date.year = *year;
  if (text.size() == 4) return date;
  if (text[4] != '-') return std::nullopt;
  const std::optional<int> month = Digits(text.substr(5, 2), 2);
  // Nobody knows a month or a day of 00; and where the month is not known, neither is the day.
  if (month != 0 && !IsMonth(month)) return std::nullopt;
  date.month = *month;
  if (text.size() == 7) return date;
  if (text[7] != '-') return std::nullopt;
  const std::optional<int> day = Digits(text.substr(8, 2), 2);
  if (day != 0 && (date.month == 0 || !IsDay(date.year, date.month, day))) return std::nullopt;
  date.day = *day;
  if (text.size() == 10) return date;
  if ((text[10] != 'T' && text[10] != ' ') || !IsTime(text.substr(11))) return std::nullopt;
  return date;
}

std::optional<Date> ParseSlashDate(std::string_view text) {
  Date date;
  const size_t slash = text.rfind('/');
  const std::optional<int> year =
      Digits(slash == std::string_view::npos ? text : text.substr(slash + 1), 4);
  if (!year) return std::nullopt;
  date.year = *year;
  if (slash == std::string_view::npos) return date;
  const bool has_day = slash == 5 && text[2] == '/';
  const std::optional<int> month = Digits(has_day ? text.substr(3, 2) : text.substr(0, slash), 2);
  if (!IsMonth(month)) return std::nullopt;
  date.month = *month;
  if (!has_day) return date;
  const std::optional<int> day = Digits(text.substr(0, 2), 2);
  if (!IsDay(date.year, date.month, day)) return std::nullopt;
  date.day = *day;
  return date;
}

int FirstDay(const Date& date) {
  return DayNumber(date.year, std::max(date.month, 1), std::max(date.day, 1));
}

int LastDay(const Date& date) {
  if (date.day != 0) return FirstDay(date);
  const int month = date.month != 0 ? date.month : 12;
  return DayNumber(date.year, month, DaysInMonth(date.year, month));
}

}  // namespace thicket
