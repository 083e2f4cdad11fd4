#include "taxonomy/recoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/stop.h"
#include "taxonomy/date.h"
#include "taxonomy/date_format.h"

namespace thicket {

namespace {

constexpr std::string_view kRootLabel = "*";
constexpr std::string_view kCollisionSuffix = " (any)";

std::vector<std::string> RangeAncestors(const std::vector<Decimal>& widths, const Decimal& number) {
  std::vector<std::string> ancestors;
  for (const Decimal& width : widths) {
    const Decimal low = number.FloorTo(width);
    ancestors.push_back(fmt::format("[{}, {})", low.Text(), (low + width).Text()));
  }
  return ancestors;
}

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

// 12345-6789: the code of five digits, and four more that say where exactly.
bool IsZipPlusFour(std::string_view value) {
  constexpr size_t kHyphen = 5;
  if (value.size() != 10 || value[kHyphen] != '-') return false;
  for (size_t i = 0; i < value.size(); ++i) {
    if (i != kHyphen && (value[i] < '0' || value[i] > '9')) return false;
  }
  return true;
}

std::vector<std::string> MaskAncestors(int most, std::string_view value) {
  std::vector<std::string> ancestors;
  if (IsZipPlusFour(value)) {
    value = value.substr(0, 5);
    ancestors.emplace_back(value);
  }
  std::string_view last = value;
  size_t kept = value.size();
  for (int masked = 1; masked <= most && kept > 0; ++masked) {
    --kept;
    while (kept > 0 && IsContinuation(value[kept])) --kept;
    std::string label = std::string(value.substr(0, kept)) + std::string(masked, '*');
    if (label == last || label == kRootLabel) continue;
    ancestors.push_back(std::move(label));
    last = ancestors.back();
  }
  return ancestors;
}

// Empty where the date is too coarse for the unit.
std::string DateLabel(const Date& date, DateUnit unit) {
  switch (unit) {
    case DateUnit::kDay:
      if (date.day == 0) return "";
      return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
    case DateUnit::kMonth:
      return date.month == 0 ? "" : fmt::format("{:04}-{:02}", date.year, date.month);
    case DateUnit::kQuarter:
      return date.month == 0 ? "" : fmt::format("{:04}-Q{}", date.year, (date.month + 2) / 3);
    case DateUnit::kYear:
      return fmt::format("{:04}", date.year);
    case DateUnit::kDecade:
      return fmt::format("{:03}0s", date.year / 10);
  }
  return "";
}

std::optional<Date> ReadDate(const Recoding& recoding, std::string_view value) {
  return recoding.format.empty() ? ParseDate(value) : ParseDateAs(recoding.format, value);
}

std::vector<std::string> DateAncestors(const Recoding& recoding, std::string_view value) {
  std::vector<std::string> ancestors;
  const std::optional<Date> date = ReadDate(recoding, value);
  if (!date) return ancestors;
  for (const DateUnit unit : recoding.units) {
    std::string label = DateLabel(*date, unit);
    if (!label.empty() && label != value) ancestors.push_back(std::move(label));
  }
  return ancestors;
}

// A million texts take longer to sort than a user who wants to stop should wait.
constexpr auto kIsBefore = [](const auto& a, const auto& b) {
  StopPoint();
  return a < b;
};

// The values once each, in an order that does not depend on how they came.
void SortValues(const Recoding& recoding, std::vector<std::string>& values) {
  std::sort(values.begin(), values.end(), kIsBefore);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (recoding.kind != Recoding::Kind::kRanges) return;
  std::vector<std::pair<Decimal, std::string>> numbers;
  numbers.reserve(values.size());
  for (std::string& value : values) {
    StopPoint();
    Decimal number = Decimal::Parse(value).value_or(Decimal());
    numbers.emplace_back(std::move(number), std::move(value));
  }
  std::sort(numbers.begin(), numbers.end(), kIsBefore);
  for (size_t i = 0; i < values.size(); ++i) values[i] = std::move(numbers[i].second);
}

}  // namespace

bool FitsRecoding(const Recoding& recoding, std::string_view value) {
  switch (recoding.kind) {
    case Recoding::Kind::kTaxonomy:
    case Recoding::Kind::kMask:
    case Recoding::Kind::kNetwork:
      return true;
    case Recoding::Kind::kNumeric:
      return Decimal::Parse(value).has_value();
    case Recoding::Kind::kRanges:
      return Decimal::Parse(value).has_value() && !recoding.widths.empty() &&
             std::all_of(recoding.widths.begin(), recoding.widths.end(), [](const Decimal& width) {
               return width > Decimal() && width.digit_count() <= Decimal::kMostWidthDigits;
             });
    case Recoding::Kind::kDate:
      return ReadDate(recoding, value).has_value();
  }
  return false;
}

std::string RecodingExpectation(const Recoding& recoding) {
  switch (recoding.kind) {
    case Recoding::Kind::kTaxonomy:
      return "a value of its taxonomy";
    case Recoding::Kind::kMask:
      return "a text";
    case Recoding::Kind::kNumeric:
    case Recoding::Kind::kRanges:
      return "a number";
    case Recoding::Kind::kDate:
      return recoding.format.empty() ? "a date (yyyy-mm-dd)"
                                     : fmt::format("a date ({})", recoding.format);
    case Recoding::Kind::kNetwork:
      return "a word of its network";
  }
  return "";
}

std::vector<std::string> RecodingAncestors(const Recoding& recoding, std::string_view value) {
  if (!FitsRecoding(recoding, value)) return {};
  switch (recoding.kind) {
    case Recoding::Kind::kRanges:
      return RangeAncestors(recoding.widths, Decimal::Parse(value).value_or(Decimal()));
    case Recoding::Kind::kMask:
      return MaskAncestors(recoding.mask, value);
    case Recoding::Kind::kDate:
      return DateAncestors(recoding, value);
    case Recoding::Kind::kTaxonomy:
    case Recoding::Kind::kNumeric:
    case Recoding::Kind::kNetwork:
      break;
  }
  return {};
}

Taxonomy DeriveTaxonomy(const Recoding& recoding, std::vector<std::string> values) {
  SortValues(recoding, values);
  std::vector<std::vector<std::string>> ancestors;
  ancestors.reserve(values.size());
  std::unordered_set<std::string> inner = {std::string(kRootLabel)};
  for (const std::string& value : values) {
    StopPoint();
    ancestors.push_back(RecodingAncestors(recoding, value));
    inner.insert(ancestors.back().begin(), ancestors.back().end());
  }

  // A value keeps its text; an inner node of the same text gives way, and becomes the value's
  // nearest ancestor.
  std::unordered_set<std::string> taken(values.begin(), values.end());
  taken.insert(inner.begin(), inner.end());
  std::unordered_map<std::string, std::string> renamed;
  for (const std::string& value : values) {
    StopPoint();
    if (!inner.contains(value)) continue;
    std::string label = value;
    do {
      label += kCollisionSuffix;
    } while (!taken.insert(label).second);
    renamed.emplace(value, std::move(label));
  }
  const auto shown = [&](const std::string& label) {
    const auto found = renamed.find(label);
    return found == renamed.end() ? label : found->second;
  };

  TaxonomyBuilder builder(shown(std::string(kRootLabel)));
  for (size_t i = 0; i < values.size(); ++i) {
    std::vector<std::string>& chain = ancestors[i];
    // What does not fit only happens to have the group's name.
    if (renamed.contains(values[i]) && values[i] != kRootLabel &&
        FitsRecoding(recoding, values[i])) {
      chain.insert(chain.begin(), values[i]);
    }
    TaxonomyBuilder::Handle parent = TaxonomyBuilder::root();
    for (size_t level = chain.size(); level-- > 0;) {
      std::string label = shown(chain[level]);
      const auto known = builder.Find(label);
      parent = known ? *known : builder.Add(parent, std::move(label));
    }
    builder.Add(parent, values[i]);
  }
  return std::move(builder).Build();
}

}  // namespace thicket
