#include "io/querylog/query_time.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "base/text.h"

namespace thicket {

namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr int64_t kDay = 86'400;
// The end of the year 9999.
constexpr int64_t kLatest = 253'402'300'799;

// Takes the text apart from its front.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  // One of these characters.
  bool Take(std::string_view characters) {
    if (text_.empty() || characters.find(text_.front()) == std::string_view::npos) return false;
    text_.remove_prefix(1);
    return true;
  }
  // A number of so many digits.
  std::optional<int> Number(size_t least, size_t most) {
    const size_t digits = std::min(text_.find_first_not_of(kDigits), text_.size());
    if (digits < least || digits > most) return std::nullopt;
    int number = 0;
    for (const char digit : text_.substr(0, digits)) number = number * 10 + (digit - '0');
    text_.remove_prefix(digits);
    return number;
  }
  bool SkipDigits() {
    const size_t digits = std::min(text_.find_first_not_of(kDigits), text_.size());
    text_.remove_prefix(digits);
    return digits > 0;
  }

 private:
  std::string_view text_;
};

std::optional<int64_t> ParseSeconds(std::string_view text) {
  constexpr size_t kMostDigits = 12;
  const size_t digits = std::min(text.find_first_not_of(kDigits), text.size());
  if (digits == 0 || digits > kMostDigits) return std::nullopt;
  Scanner rest(text.substr(digits));
  if (rest.Take(".") && !rest.SkipDigits()) return std::nullopt;
  if (!rest.done()) return std::nullopt;
  int64_t seconds = 0;
  for (const char digit : text.substr(0, digits)) seconds = seconds * 10 + (digit - '0');
  return seconds <= kLatest ? std::optional(seconds) : std::nullopt;
}

// Days since 1970.
std::optional<int64_t> ParseDate(Scanner& scanner) {
  const auto year = scanner.Number(4, 4);
  if (!year || !scanner.Take("-")) return std::nullopt;
  const auto month = scanner.Number(2, 2);
  if (!month || !scanner.Take("-")) return std::nullopt;
  const auto day = scanner.Number(2, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

// Seconds since midnight; a second 60 is a leap second.
std::optional<int64_t> ParseClock(Scanner& scanner) {
  const auto hour = scanner.Number(1, 2);
  if (!hour || *hour > 23 || !scanner.Take(":")) return std::nullopt;
  const auto minute = scanner.Number(2, 2);
  if (!minute || *minute > 59) return std::nullopt;
  const int64_t seconds = int64_t{*hour} * 3600 + *minute * 60;
  if (!scanner.Take(":")) return seconds;
  const auto second = scanner.Number(2, 2);
  if (!second || *second > 60) return std::nullopt;
  if (scanner.Take(".,") && !scanner.SkipDigits()) return std::nullopt;
  return seconds + *second;
}

// How many seconds the zone is before UTC.
std::optional<int64_t> ParseZone(Scanner& scanner) {
  if (scanner.done() || scanner.Take("Zz")) return 0;
  const bool before = scanner.Take("+");
  if (!before && !scanner.Take("-")) return std::nullopt;
  std::optional<int> hour = scanner.Number(2, 2);
  std::optional<int> minute = 0;
  if (!hour) {
    // +0130
    hour = scanner.Number(4, 4);
    if (!hour) return std::nullopt;
    minute = *hour % 100;
    hour = *hour / 100;
  } else if (scanner.Take(":")) {
    minute = scanner.Number(2, 2);
  }
  if (!minute || *minute > 59 || *hour > 23) return std::nullopt;
  const int64_t seconds = int64_t{*hour} * 3600 + *minute * 60;
  return before ? seconds : -seconds;
}

}  // namespace

std::optional<int64_t> ParseQueryTime(std::string_view text) {
  text = Trim(text);
  if (const auto seconds = ParseSeconds(text)) return seconds;
  Scanner scanner(text);
  const auto day = ParseDate(scanner);
  if (!day) return std::nullopt;
  if (scanner.done()) return *day * kDay;
  if (!scanner.Take(" Tt")) return std::nullopt;
  const auto clock = ParseClock(scanner);
  if (!clock) return std::nullopt;
  const auto zone = ParseZone(scanner);
  if (!zone || !scanner.done()) return std::nullopt;
  return *day * kDay + *clock - *zone;
}

}  // namespace thicket
