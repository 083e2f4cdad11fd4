#include "verify/value_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <optional>
#include <utility>

#include "base/decimal.h"
#include "base/stop.h"
#include "record/unknown_values.h"

namespace thicket {

namespace {

// A day, a month or a year; parts that nobody knows are 0.
struct Period {
  int year = 0;
  int month = 0;
  int day = 0;
};

bool IsCalendarDay(const Period& period) {
  const auto year = std::chrono::year(period.year);
  if (period.month == 0) return period.day == 0;
  const auto month = std::chrono::month(static_cast<unsigned>(period.month));
  if (!month.ok()) return false;
  return period.day == 0 ||
         (year / month / std::chrono::day(static_cast<unsigned>(period.day))).ok();
}

// Takes up to `most` digits from the front; the text is left alone where there are fewer than `least`.
std::optional<int> TakeDigits(std::string_view& text, size_t least, size_t most) {
  const size_t all = std::min(text.find_first_not_of("0123456789"), text.size());
  const size_t count = std::min(all, most);
  if (count < least) return std::nullopt;
  const std::string digits(text.substr(0, count));
  text.remove_prefix(count);
  return digits.empty() ? 0 : std::stoi(digits);
}

// An English name, short or long, in any letter case; 0 for none.
int TakeMonthName(std::string_view& text) {
  static constexpr std::string_view kNames[] = {"January",   "February", "March",    "April",
                                                "May",       "June",     "July",     "August",
                                                "September", "October",  "November", "December"};
  const auto begins_with = [&](std::string_view name) {
    return text.size() >= name.size() &&
           std::equal(name.begin(), name.end(), text.begin(), [](char a, char b) {
             return std::tolower(static_cast<unsigned char>(a)) ==
                    std::tolower(static_cast<unsigned char>(b));
           });
  };
  for (int month = 1; month <= 12; ++month) {
    const std::string_view name = kNames[month - 1];
    const size_t length = begins_with(name) ? name.size() : begins_with(name.substr(0, 3)) ? 3 : 0;
    if (length == 0) continue;
    text.remove_prefix(length);
    return month;
  }
  return 0;
}

bool TakeNumber(char what, size_t least, std::string_view& text, Period& period) {
  const size_t most = what == 'Y' ? 4 : 2;
  if (what == 'Y' || what == 'y') least = most;
  const std::optional<int> number = TakeDigits(text, least, most);
  if (!number) return false;
  switch (what) {
    case 'Y':
      period.year = *number;
      return true;
    case 'y':
      period.year = *number + (*number >= 69 ? 1900 : 2000);
      return true;
    case 'm':
      period.month = *number;
      return true;
    case 'd':
      period.day = *number;
      return true;
    case 'H':
      return *number <= 24;
    default:
      return *number <= 60;
  }
}

std::optional<Period> ReadAs(std::string_view format, std::string_view text) {
  Period period;
  // Where the last conversion of a number ended in the format.
  size_t taken = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    const bool converts = format[i] == '%' && i + 1 < format.size() && format[i + 1] != '%';
    if (!converts) {
      if (format[i] == '%') ++i;
      if (text.empty() || text.front() != format[i]) return std::nullopt;
      text.remove_prefix(1);
      continue;
    }
    const char what = format[++i];
    if (what == 'b' || what == 'B') {
      period.month = TakeMonthName(text);
      if (period.month == 0) return std::nullopt;
      continue;
    }
    // Two numbers side by side are told apart by how long they are.
    const char next = i + 1 < format.size() ? format[i + 1] : ' ';
    const char after = i + 2 < format.size() ? format[i + 2] : ' ';
    const bool number_follows =
        (next >= '0' && next <= '9') ||
        (next == '%' && std::string_view("YymdHMS").find(after) != std::string_view::npos);
    // Before this conversion stands a digit, or another one of a number, which is no percent sign's.
    const std::string_view before = format.substr(0, i - 1);
    const bool number_precedes =
        !before.empty() &&
        ((before.back() >= '0' && before.back() <= '9') || taken == before.size());
    taken = i + 1;
    if (!TakeNumber(what, number_follows || number_precedes ? 2 : 1, text, period)) {
      return std::nullopt;
    }
  }
  if (!text.empty() || !IsCalendarDay(period)) return std::nullopt;
  return period;
}

bool IsTimeOfDay(std::string_view text) {
  const std::optional<int> hour = TakeDigits(text, 2, 2);
  if (!hour || *hour > 24 || !text.starts_with(':')) return false;
  text.remove_prefix(1);
  const std::optional<int> minute = TakeDigits(text, 2, 2);
  return minute && *minute < 60 &&
         text.find_first_not_of("0123456789:.,+-Z ") == std::string_view::npos;
}

std::optional<Period> ReadPeriod(const Recoding& recoding, std::string_view text) {
  if (!recoding.format.empty()) {
    const std::optional<Period> period = ReadAs(recoding.format, text);
    return period || text.size() != 4 ? period : ReadAs("%Y", text);
  }
  constexpr size_t kDay = 10;
  switch (text.size()) {
    case 4:
      return ReadAs("%Y", text);
    case 7:
      return ReadAs("%Y-%m", text);
    default:
      break;
  }
  if (text.size() < kDay) return std::nullopt;
  if (text.size() > kDay) {
    const char between = text[kDay];
    if ((between != 'T' && between != ' ') || !IsTimeOfDay(text.substr(kDay + 1))) {
      return std::nullopt;
    }
  }
  return ReadAs("%Y-%m-%d", text.substr(0, kDay));
}

std::vector<std::string> PeriodsAround(const Recoding& recoding, std::string_view value) {
  std::vector<std::string> labels;
  const std::optional<Period> period = ReadPeriod(recoding, value);
  if (!period) return labels;
  const std::string year = fmt::format("{:04}", period->year);
  const std::string month = fmt::format("{}-{:02}", year, period->month);
  for (const DateUnit unit : recoding.units) {
    std::string label;
    if (unit == DateUnit::kDay && period->day != 0) {
      label = fmt::format("{}-{:02}", month, period->day);
    } else if (unit == DateUnit::kMonth && period->month != 0) {
      label = month;
    } else if (unit == DateUnit::kQuarter && period->month != 0) {
      label = fmt::format("{}-Q{}", year, 1 + (period->month - 1) / 3);
    } else if (unit == DateUnit::kYear) {
      label = year;
    } else if (unit == DateUnit::kDecade) {
      label = year.substr(0, year.size() - 1) + "0s";
    }
    if (!label.empty() && label != value) labels.push_back(std::move(label));
  }
  return labels;
}

std::vector<std::string> IntervalsAround(const Recoding& recoding, std::string_view value) {
  std::vector<std::string> labels;
  const std::optional<Decimal> number = Decimal::Parse(value);
  if (!number) return labels;
  for (const Decimal& width : recoding.widths) {
    const Decimal low = number->FloorTo(width);
    labels.push_back(fmt::format("[{}, {})", low.Text(), (low + width).Text()));
  }
  return labels;
}

std::vector<std::string> MasksOf(const Recoding& recoding, std::string_view value) {
  std::vector<std::string> labels;
  const auto are_digits = [](std::string_view text) {
    return text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const bool zip_plus_four = value.size() == 10 && value[5] == '-' &&
                             are_digits(value.substr(0, 5)) && are_digits(value.substr(6));
  if (zip_plus_four) {
    value = value.substr(0, 5);
    labels.emplace_back(value);
  }
  std::string text(value);
  std::string stars;
  for (int i = 0; i < recoding.mask && !text.empty(); ++i) {
    // Every byte of the last character.
    while ((static_cast<unsigned char>(text.back()) & 0xc0U) == 0x80U && text.size() > 1) {
      text.pop_back();
    }
    text.pop_back();
    stars += '*';
    const std::string label = text + stars;
    if (label != "*" && label != value && (labels.empty() || label != labels.back())) {
      labels.push_back(label);
    }
  }
  return labels;
}

}  // namespace

bool FitsAsValue(const Recoding& recoding, std::string_view value) {
  switch (recoding.kind) {
    case Recoding::Kind::kNumeric:
    case Recoding::Kind::kRanges:
      return Decimal::Parse(value).has_value();
    case Recoding::Kind::kDate:
      return ReadPeriod(recoding, value).has_value();
    case Recoding::Kind::kMask:
    case Recoding::Kind::kTaxonomy:
    case Recoding::Kind::kNetwork:
      break;
  }
  return true;
}

std::vector<std::string> LabelsAbove(const Recoding& recoding, std::string_view value) {
  switch (recoding.kind) {
    case Recoding::Kind::kRanges:
      return IntervalsAround(recoding, value);
    case Recoding::Kind::kDate:
      return PeriodsAround(recoding, value);
    case Recoding::Kind::kMask:
      return MasksOf(recoding, value);
    case Recoding::Kind::kNumeric:
    case Recoding::Kind::kTaxonomy:
    case Recoding::Kind::kNetwork:
      break;
  }
  return {};
}

bool IsDayLabel(const Recoding& recoding, std::string_view label) {
  const bool has_days = std::find(recoding.units.begin(), recoding.units.end(), DateUnit::kDay) !=
                        recoding.units.end();
  if (!has_days || label.size() != 10) return false;
  const std::optional<Period> period = ReadAs("%Y-%m-%d", label);
  return period && period->day != 0;
}

bool LeavesUnknownOut(const Schema& schema) {
  for (const VertexClass& type : schema.classes) {
    for (const QuasiAttribute& attribute : type.quasi) {
      if (attribute.recoding.unknown == UnknownValues::kLeaveOut) return true;
    }
  }
  return false;
}

Dataset WithUnknownMissing(Dataset original, const TaxonomyFiles& taxonomies) {
  std::vector<ValuesToDrop> unknown;
  for (size_t i = 0; i < original.schema->classes.size(); ++i) {
    const auto id = static_cast<ClassId>(i);
    const VertexClass& type = original.schema->classes[id];
    for (size_t slot = 0; slot < type.quasi.size(); ++slot) {
      const Recoding& recoding = type.quasi[slot].recoding;
      if (recoding.unknown != UnknownValues::kLeaveOut) continue;
      auto file = taxonomies.find(recoding.file);
      if (file == taxonomies.end()) {
        file = taxonomies.find(recoding.file + "/" + type.quasi[slot].name);
      }
      const bool in_file = recoding.kind == Recoding::Kind::kTaxonomy && file != taxonomies.end();
      const Dictionary& dictionary = original.dictionaries[id][slot];
      ValuesToDrop& of = unknown.emplace_back();
      of = {id, slot, std::vector<bool>(dictionary.size(), false)};
      for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
        StopPoint();
        const std::string_view text = dictionary.text(symbol);
        const bool fits =
            in_file ? file->second.Find(text).has_value() ||
                          (file->second.has_ranges() && file->second.FindRange(text).has_value())
                    : FitsAsValue(recoding, text);
        of.symbols[symbol] = !fits;
      }
    }
  }
  return DropValues(std::move(original), unknown);
}

}  // namespace thicket
