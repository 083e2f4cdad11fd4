#include "verify/label_cover.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/decimal.h"
#include "base/fold.h"
#include "base/stop.h"
#include "verify/value_reading.h"

namespace thicket {

namespace {

constexpr std::string_view kAnything = "*";
// Stands behind an inner label of a derived taxonomy that reads like one of the data's values.
constexpr std::string_view kCollisionSuffix = " (any)";

struct Interval {
  Decimal low;
  Decimal high;
  bool closed = false;
};

// "[2, 17.5]" or "[1990, 1995)".
std::optional<Interval> ParseInterval(std::string_view text) {
  if (text.size() < 5 || text.front() != '[') return std::nullopt;
  const char last = text.back();
  const size_t comma = text.find(", ");
  if ((last != ']' && last != ')') || comma == std::string_view::npos) return std::nullopt;
  const std::optional<Decimal> low = Decimal::Parse(text.substr(1, comma - 1));
  const std::optional<Decimal> high =
      Decimal::Parse(text.substr(comma + 2, text.size() - comma - 3));
  if (!low || !high || *low >= *high) return std::nullopt;
  return Interval{*low, *high, last == ']'};
}

bool Contains(const std::vector<std::string>& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

bool IsRangeLabel(const Recoding& recoding, std::string_view label) {
  const std::optional<Interval> interval = ParseInterval(label);
  if (!interval || interval->closed) return false;
  const bool in_place =
      std::any_of(recoding.widths.begin(), recoding.widths.end(), [&](const Decimal& width) {
        return interval->high - interval->low == width &&
               interval->low.FloorTo(width) == interval->low;
      });
  if (!in_place) return false;
  const std::string low = interval->low.Text();
  return Contains(LabelsAbove(recoding, low), label);
}

// Whether the value lies in the label, if that is an interval of numbers; looked up here on its own, whatever the recoding
// makes of the value.
bool MayHold(const Recoding& recoding, std::string_view label, std::string_view value) {
  if (recoding.kind != Recoding::Kind::kRanges) return true;
  const std::optional<Interval> interval = ParseInterval(label);
  const std::optional<Decimal> number = Decimal::Parse(value);
  return !interval || (number && interval->low <= *number && *number < interval->high);
}

// Every period has a month in which it begins, and begins with its year.
bool IsDateLabel(const Recoding& recoding, std::string_view label) {
  if (FitsAsValue(recoding, label)) return true;
  if (label.size() < 4) return false;
  // Labels are the same however dates are written.
  Recoding plain = recoding;
  plain.format.clear();
  if (IsDayLabel(recoding, label)) return true;
  for (int month = 1; month <= 12; ++month) {
    const std::string day = fmt::format("{}-{:02}-01", label.substr(0, 4), month);
    if (Contains(LabelsAbove(plain, day), label)) return true;
  }
  return false;
}

// The node that stands for a value: its own, or the range of the file that holds it.
std::optional<Node> NodeOf(const Taxonomy& taxonomy, std::string_view value) {
  const std::optional<Node> node = taxonomy.Find(value);
  if (node || !taxonomy.has_ranges()) return node;
  return taxonomy.FindRange(value);
}

// The label, and what it was called before a value of the data took its name: "1993 (any)" -> "1993".
std::vector<std::string_view> PlainLabels(std::string_view label) {
  std::vector<std::string_view> labels = {label};
  while (label.ends_with(kCollisionSuffix)) {
    label.remove_suffix(kCollisionSuffix.size());
    labels.push_back(label);
  }
  return labels;
}

}  // namespace

Result<LabelReader> LabelReader::Of(const QuasiAttribute& attribute,
                                    const TaxonomyFiles& taxonomies) {
  const Recoding& recoding = attribute.recoding;
  if (recoding.kind != Recoding::Kind::kTaxonomy) return LabelReader(recoding, nullptr);
  auto file = taxonomies.find(recoding.file);
  if (file == taxonomies.end()) file = taxonomies.find(recoding.file + "/" + attribute.name);
  if (file == taxonomies.end()) {
    return ErrorAt(
        ErrorCode::kUsage, {.file = recoding.file},
        fmt::format("the taxonomy of {} must be read before labels are checked, but is not",
                    attribute.name),
        "read the taxonomies that the policy names");
  }
  LabelReader reader(recoding, &file->second, attribute.sensitive_items);
  reader.may_be_several_ = attribute.may_be_several;
  return reader;
}

LabelReader::LabelReader(const Recoding& recoding, const Taxonomy* taxonomy,
                         const std::vector<std::string>& sensitive_items)
    : recoding_(&recoding), taxonomy_(taxonomy) {
  for (const std::string& item : sensitive_items) secrets_.insert(FoldValue(item));
}

bool LabelReader::IsSecret(std::string_view text) const {
  return !secrets_.empty() && secrets_.contains(FoldValue(text));
}

bool LabelReader::IsRoot(std::string_view label) const {
  if (taxonomy_ == nullptr) return PlainLabels(label).back() == kAnything;
  const std::optional<Node> node = taxonomy_->Find(label);
  return node ? *node == Taxonomy::kRoot : label == kAnything;
}

bool LabelReader::IsLegal(std::string_view label) const {
  if (!may_be_several_) return IsLegalAlone(label);
  for (size_t begin = 0; begin <= label.size();) {
    const size_t end = std::min(label.find(kAlternativesMark, begin), label.size());
    if (!IsLegalAlone(label.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return true;
}

bool LabelReader::IsLegalAlone(std::string_view label) const {
  if (IsSecret(label) || IsRoot(label)) return true;
  if (taxonomy_ != nullptr) {
    return recoding_->unknown == UnknownValues::kGeneralize ||
           NodeOf(*taxonomy_, label).has_value();
  }
  // What does not fit may be any text.
  if (recoding_->unknown == UnknownValues::kGeneralize) return true;
  if (recoding_->kind == Recoding::Kind::kNumeric) {
    const std::optional<Interval> interval = ParseInterval(label);
    return Decimal::Parse(label) || (interval && interval->closed);
  }
  // Any value of the data may be published as it is; under a mask that is any text.
  if (FitsAsValue(*recoding_, label)) return true;
  for (const std::string_view plain : PlainLabels(label)) {
    if (recoding_->kind == Recoding::Kind::kRanges && IsRangeLabel(*recoding_, plain)) return true;
    if (recoding_->kind == Recoding::Kind::kDate && IsDateLabel(*recoding_, plain)) return true;
  }
  return false;
}

bool LabelReader::Covers(std::string_view label, std::string_view value) const {
  Dictionary labels;
  Dictionary values;
  const Symbol general = labels.Intern(ValueKind::kString, label);
  const Symbol special = values.Intern(ValueKind::kString, value);
  return CoverTable(*this, labels, values).Covers(general, special);
}

void CoverTable::RankNumbers(const LabelReader& reader, const Dictionary& labels,
                             const Dictionary& values) {
  const bool free_intervals = reader.recoding().kind == Recoding::Kind::kNumeric;
  struct Mention {
    Decimal number;
    uint32_t* rank;
  };
  std::vector<Mention> mentions;
  for (Symbol symbol = 1; symbol < labels.size(); ++symbol) {
    StopPoint();
    Entry& entry = labels_[symbol];
    const std::string_view text = labels.text(symbol);
    if (const std::optional<Decimal> number = Decimal::Parse(text)) {
      mentions.push_back({*number, &entry.low});
      mentions.push_back({*number, &entry.high});
    } else if (const auto interval = ParseInterval(text);
               free_intervals && interval && interval->closed) {
      mentions.push_back({interval->low, &entry.low});
      mentions.push_back({interval->high, &entry.high});
    }
  }
  for (Symbol symbol = 1; symbol < values.size(); ++symbol) {
    StopPoint();
    if (std::optional<Decimal> number = Decimal::Parse(values.text(symbol))) {
      mentions.push_back({std::move(*number), &values_[symbol].low});
    }
  }
  std::sort(mentions.begin(), mentions.end(),
            [](const Mention& a, const Mention& b) { return a.number < b.number; });
  uint32_t rank = 0;
  for (size_t i = 0; i < mentions.size(); ++i) {
    if (i > 0 && mentions[i - 1].number < mentions[i].number) ++rank;
    *mentions[i].rank = rank;
  }
}

CoverTable::CoverTable(const LabelReader& reader, const Dictionary& labels,
                       const Dictionary& values)
    : taxonomy_(reader.taxonomy()), labels_(labels.size()), values_(values.size()) {
  RankNumbers(reader, labels, values);
  const Recoding& recoding = reader.recoding();
  const bool derived = taxonomy_ == nullptr && recoding.kind != Recoding::Kind::kNumeric;
  std::unordered_map<std::string_view, uint32_t> texts;
  // By what a label is called: the texts it is published as.
  std::unordered_map<std::string_view, std::vector<uint32_t>> published;
  for (Symbol symbol = 1; symbol < labels.size(); ++symbol) {
    StopPoint();
    const std::string_view text = labels.text(symbol);
    Entry& entry = labels_[symbol];
    const auto [known, is_new] = texts.emplace(text, static_cast<uint32_t>(texts.size()));
    entry.text = known->second;
    entry.is_secret = reader.IsSecret(text);
    entry.is_root = reader.IsRoot(text);
    if (taxonomy_ != nullptr) {
      entry.node = taxonomy_->Find(text).value_or(kNone);
    } else if (derived && is_new) {
      for (const std::string_view plain : PlainLabels(text)) published[plain].push_back(entry.text);
    }
  }
  for (Symbol symbol = 1; symbol < values.size(); ++symbol) {
    StopPoint();
    const std::string_view text = values.text(symbol);
    Entry& entry = values_[symbol];
    entry.is_secret = reader.IsSecret(text);
    const auto known = texts.find(text);
    // A text of its own, which no label has, where the value is not published as it is.
    entry.text = known == texts.end() ? kNone - 1 : known->second;
    entry.first_cover = static_cast<uint32_t>(covers_.size());
    if (taxonomy_ != nullptr) {
      entry.node = NodeOf(*taxonomy_, text).value_or(kNone);
    } else if (derived && FitsAsValue(recoding, text)) {
      std::vector<std::string> names = LabelsAbove(recoding, text);
      names.emplace_back(text);
      for (const std::string& name : names) {
        const auto found = published.find(name);
        if (found == published.end() || !MayHold(recoding, name, text)) continue;
        covers_.insert(covers_.end(), found->second.begin(), found->second.end());
      }
    }
    entry.last_cover = static_cast<uint32_t>(covers_.size());
  }
}

}  // namespace thicket
