#include "survey/value_forms.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/fold.h"
#include "base/text.h"
#include "taxonomy/date.h"
#include "taxonomy/date_format.h"

namespace thicket {

namespace {

// Those that a computer writes come first; of two that fit alike the first is taken.
constexpr std::array<std::string_view, 11> kDateFormats = {
    "",         "%Y%m%d",   "%d.%m.%Y", "%m/%d/%Y",  "%d/%m/%Y", "%Y/%m/%d",
    "%d-%m-%Y", "%d-%b-%Y", "%d %b %Y", "%b %d, %Y", "%d.%m.%y"};

// Longer texts are no dates, no numbers and no placeholders.
constexpr size_t kLongest = 40;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::optional<Date> DateIn(std::string_view format, std::string_view text) {
  constexpr int kFirstYear = 1000;
  constexpr int kLastYear = 2200;
  const std::optional<Date> date = format.empty() ? ParseDate(text) : ParseDateAs(format, text);
  if (!date || date->year < kFirstYear || date->year > kLastYear) return std::nullopt;
  // Eight digits that are no date of our time are a number.
  const bool by_digits = format == "%Y%m%d";
  if (by_digits && (date->year < 1850 || date->year > 2100)) return std::nullopt;
  return date;
}

bool IsZip(std::string_view text) {
  if (text.size() != 5 && text.size() != 10) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i == 5 ? text[i] != '-' : !IsDigit(text[i])) return false;
  }
  return true;
}

std::string Turned(std::string_view text) {
  std::string turned(text);
  for (char& c : turned) c = c == '.' ? ',' : c == ',' ? '.' : c;
  return turned;
}

// 1,234 and 1,234,567: the comma may stand between thousands.
bool MayHaveThousands(std::string_view text) {
  const size_t comma = text.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma > 4) return false;
  return text.size() - comma == 4;
}

}  // namespace

bool IsPlaceholder(std::string_view text) {
  // Blanks around them do not count.
  constexpr size_t kLongestPlaceholder = 12;
  if (text.size() > kLongestPlaceholder) return false;
  const std::string meaning = FoldValue(text);
  for (const std::string_view one :
       {"na", "n/a", "#n/a", "n.a.", "null", "nan", "?", "-", "--", ".", "\\n"}) {
    if (meaning == one) return true;
  }
  return false;
}

void ValueForms::Odd::Meet(uint64_t hash, bool is_new, bool fits) {
  if (is_new && fits) return;
  const auto known = counts_.find(hash);
  if (known != counts_.end()) {
    ++known->second;
    ++count_;
  } else if (is_new && !too_many_) {
    too_many_ = counts_.size() >= kMost;
    counts_.emplace(hash, 1);
    ++count_;
  }
}

void ValueForms::MeetNumber(std::string_view text, uint64_t hash, bool is_new, Form& form) {
  if (!is_new) {
    form.odd.Meet(hash, false, true);
    return;
  }
  const std::optional<double> number =
      text.size() <= kLongest ? ParseNumber(text) : std::optional<double>();
  form.odd.Meet(hash, true, number.has_value());
  if (!number) return;
  form.integers = form.integers && *number == std::floor(*number);
  form.fractions = form.fractions || text.find('.') != std::string_view::npos;
  form.least = form.any ? std::min(form.least, *number) : *number;
  form.greatest = form.any ? std::max(form.greatest, *number) : *number;
  form.any = true;
}

void ValueForms::Add(std::string_view text, uint64_t hash, bool is_new) {
  const bool placeholder =
      is_new ? IsPlaceholder(text)
             : !placeholders_.empty() && placeholders_.contains(std::string(text));
  if (placeholder) {
    ++placeholders_[std::string(text)];
    ++placeholder_count_;
    return;
  }
  ++values_;
  MeetNumber(text, hash, is_new, points_);
  const bool turned = is_new && text.size() <= kLongest && text.find(',') != std::string_view::npos;
  const std::string comma_text = is_new && text.size() <= kLongest ? Turned(text) : std::string();
  MeetNumber(is_new && text.size() <= kLongest ? std::string_view(comma_text) : text, hash, is_new,
             commas_);
  if (turned && ParseNumber(comma_text) && !MayHaveThousands(text)) comma_is_decimal_ = true;
  for (size_t i = 0; i < kFormats; ++i) {
    if (dates_[i].too_many()) continue;
    const bool fits = is_new && text.size() <= kLongest && DateIn(kDateFormats[i], text);
    dates_[i].Meet(hash, is_new, fits);
  }
  if (!is_new) return;
  const bool year = text.size() == 4 && std::all_of(text.begin(), text.end(), IsDigit);
  ++(year ? years_ : with_month_);
  zips_ = zips_ && IsZip(text);
  zip_plus_four_ = zip_plus_four_ || text.size() == 10;
}

ValueForms::Numbers ValueForms::numbers(char decimal) const {
  const Form& form = decimal == ',' ? commas_ : points_;
  return {form.any && form.odd.few(values_), form.odd.count(), form.integers, form.least,
          form.greatest};
}

bool ValueForms::has_commas() const {
  return comma_is_decimal_ && commas_.any && commas_.odd.few(values_);
}

size_t ValueForms::FindFormat(size_t from) const {
  for (size_t i = from; i < kFormats; ++i) {
    if (dates_[i].few(values_)) return i;
  }
  return kFormats;
}

std::optional<std::string> ValueForms::date_format() const {
  size_t best = FindFormat(0);
  // Years alone are numbers.
  if (best == kFormats || years_ >= with_month_) return std::nullopt;
  for (size_t i = FindFormat(best + 1); i < kFormats; i = FindFormat(i + 1)) {
    if (dates_[i].count() < dates_[best].count()) best = i;
  }
  return std::string(kDateFormats[best]);
}

uint64_t ValueForms::odd_dates() const {
  const std::optional<std::string> format = date_format();
  if (!format) return 0;
  const auto place = std::find(kDateFormats.begin(), kDateFormats.end(), *format);
  return dates_[place - kDateFormats.begin()].count();
}

bool ValueForms::is_ambiguous_date() const {
  const std::optional<std::string> format = date_format();
  if (!format) return false;
  const uint64_t odd = odd_dates();
  size_t alike = 0;
  for (size_t i = FindFormat(0); i < kFormats; i = FindFormat(i + 1)) {
    if (dates_[i].count() == odd) ++alike;
  }
  return alike > 1;
}

std::vector<std::string> ValueForms::placeholders() const {
  std::vector<std::string> texts;
  texts.reserve(placeholders_.size());
  for (const auto& [text, count] : placeholders_) texts.push_back(text);
  // The most frequent one is what is published; of equals the first in the alphabet.
  std::sort(texts.begin(), texts.end(), [&](const std::string& a, const std::string& b) {
    const uint64_t of_a = placeholders_.at(a);
    const uint64_t of_b = placeholders_.at(b);
    return of_a != of_b ? of_a > of_b : a < b;
  });
  // One text of each meaning says enough.
  std::vector<std::string> meanings;
  std::erase_if(texts, [&](const std::string& text) {
    std::string meaning = FoldValue(text);
    if (std::find(meanings.begin(), meanings.end(), meaning) != meanings.end()) return true;
    meanings.push_back(std::move(meaning));
    return false;
  });
  return texts;
}

}  // namespace thicket
