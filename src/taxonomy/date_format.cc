#include "taxonomy/date_format.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace thicket {

namespace {

constexpr std::string_view kConversions = "YymdbBHMS";

constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool StartsWith(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  for (size_t i = 0; i < lower.size(); ++i) {
    if (Lower(text[i]) != lower[i]) return false;
  }
  return true;
}

// Reads a text piece by piece.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  bool Skip(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // From `least` to `most` digits, as many as there are.
  std::optional<int> Number(size_t least, size_t most) {
    int number = 0;
    size_t digits = 0;
    while (digits < most && digits < rest_.size() && IsDigit(rest_[digits])) {
      number = number * 10 + (rest_[digits++] - '0');
    }
    if (digits < least) return std::nullopt;
    rest_.remove_prefix(digits);
    return number;
  }

  std::optional<int> MonthName() {
    constexpr size_t kShort = 3;
    for (size_t i = 0; i < kMonths.size(); ++i) {
      for (const std::string_view name : {kMonths[i], kMonths[i].substr(0, kShort)}) {
        if (!StartsWith(rest_, name)) continue;
        rest_.remove_prefix(name.size());
        return static_cast<int>(i) + 1;
      }
    }
    return std::nullopt;
  }

 private:
  std::string_view rest_;
};

// Whether a number begins right at this place of the format.
bool BeginsNumber(std::string_view format) {
  if (format.empty()) return false;
  if (format.front() != '%') return IsDigit(format.front());
  return format.size() > 1 && std::string_view("YymdHMS").find(format[1]) != std::string_view::npos;
}

bool ReadConversion(char conversion, bool beside_number, Scanner& scanner, Date& date) {
  constexpr int kFirstOfLastCentury = 69;
  std::optional<int> number;
  switch (conversion) {
    case 'Y':
      number = scanner.Number(4, 4);
      if (number) date.year = *number;
      break;
    case 'y':
      number = scanner.Number(2, 2);
      if (number) date.year = *number + (*number < kFirstOfLastCentury ? 2000 : 1900);
      break;
    case 'm':
      number = scanner.Number(beside_number ? 2 : 1, 2);
      if (number) date.month = *number;
      break;
    case 'd':
      number = scanner.Number(beside_number ? 2 : 1, 2);
      if (number) date.day = *number;
      break;
    case 'b':
    case 'B':
      number = scanner.MonthName();
      if (number) date.month = *number;
      break;
    default:
      number = scanner.Number(beside_number ? 2 : 1, 2);
      return number && *number <= (conversion == 'H' ? 24 : 60);
  }
  return number.has_value();
}

bool FitsFormat(std::string_view format, std::string_view text, Date& date) {
  Scanner scanner(text);
  // Whether a number has just ended.
  bool after_number = false;
  while (!format.empty()) {
    const char c = format.front();
    const bool is_number = BeginsNumber(format);
    if (c == '%' && format[1] != '%') {
      const std::string_view rest = format.substr(2);
      const bool beside_number = after_number || BeginsNumber(rest);
      if (!ReadConversion(format[1], beside_number, scanner, date)) return false;
      format = rest;
      after_number = is_number;
    } else {
      after_number = is_number;
      if (!scanner.Skip(c)) return false;
      format.remove_prefix(c == '%' ? 2 : 1);
    }
  }
  return scanner.at_end();
}

}  // namespace

std::optional<Date> ParseDateAs(std::string_view format, std::string_view text) {
  Date date;
  if (FitsFormat(format, text, date)) {
    if (date.month == 0 && date.day != 0) return std::nullopt;
    // The parts as ParseDate() has them, which knows how long months are.
    std::string plain = fmt::format("{:04}", date.year);
    if (date.month != 0) plain += fmt::format("-{:02}", date.month);
    if (date.day != 0) plain += fmt::format("-{:02}", date.day);
    return ParseDate(plain);
  }
  constexpr size_t kYear = 4;
  return text.size() == kYear ? ParseDate(text) : std::nullopt;
}

std::string FaultOfDateFormat(std::string_view format) {
  std::string seen;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    ++i;
    if (i == format.size()) return "must end with more than a percent sign, but does not";
    if (format[i] == '%') continue;
    if (kConversions.find(format[i]) == std::string_view::npos) {
      return fmt::format("must have known conversions only, but has %{}", format[i]);
    }
    if (seen.find(format[i]) != std::string::npos) {
      return fmt::format("must have every conversion once, but has %{} twice", format[i]);
    }
    seen += format[i];
  }
  const auto count = [&](std::string_view of) {
    size_t found = 0;
    for (const char c : of) found += seen.find(c) != std::string::npos ? 1 : 0;
    return found;
  };
  if (count("Yy") == 0) return "must have a year (%Y or %y), but has none";
  if (count("Yy") > 1) return "must have one year, but has both %Y and %y";
  if (count("mbB") > 1) return "must have one month, but has several";
  if (count("d") == 1 && count("mbB") == 0) return "must have a month beside the day, but has none";
  return "";
}

}  // namespace thicket
