#include "utility/published_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/stop.h"
#include "base/text.h"

namespace thicket {

namespace {

constexpr Label kNoLabel = PublishedLabels::kNone;

std::optional<uint32_t> RankOf(const std::vector<Decimal>& numbers, std::string_view text) {
  const std::optional<Decimal> number = Decimal::Parse(Trim(text));
  if (!number) return std::nullopt;
  const auto place = std::lower_bound(numbers.begin(), numbers.end(), *number);
  if (place == numbers.end() || *place != *number) return std::nullopt;
  return static_cast<uint32_t>(place - numbers.begin());
}

Label NumericLabel(const std::vector<Decimal>& numbers, std::string_view text) {
  if (text == "*") return {0, static_cast<uint32_t>(numbers.size())};
  if (const auto rank = RankOf(numbers, text)) return {*rank, *rank};
  const size_t comma = text.find(',');
  if (text.size() < 2 || text.front() != '[' || text.back() != ']' ||
      comma == std::string_view::npos) {
    return kNoLabel;
  }
  const auto low = RankOf(numbers, text.substr(1, comma - 1));
  const auto high = RankOf(numbers, text.substr(comma + 1, text.size() - comma - 2));
  return low && high && *low <= *high ? Label{*low, *high} : kNoLabel;
}

Label MissingLabel(const Domain& domain) {
  if (!domain.has_missing()) return kNoLabel;
  return domain.Leaf(static_cast<Value>(domain.value_count() - 1));
}

std::vector<Label> LabelsOf(const Domain& domain, const Dictionary& dictionary) {
  std::vector<Label> labels(dictionary.size(), kNoLabel);
  labels[kMissing] = MissingLabel(domain);
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    if (domain.is_numeric()) {
      labels[symbol] = NumericLabel(domain.numbers(), dictionary.text(symbol));
    } else if (const auto node = domain.taxonomy().Find(dictionary.text(symbol))) {
      labels[symbol] = {*node, *node};
    }
  }
  return labels;
}

}  // namespace

Result<PublishedLabels> PublishedLabels::Read(const EncodedDataset& original,
                                              const Dataset& published) {
  PublishedLabels result;
  const Schema& schema = original.schema();
  result.labels_.resize(schema.classes.size());
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    for (size_t quasi = 0; quasi < schema.classes[id].quasi.size(); ++quasi) {
      result.labels_[id].push_back(
          LabelsOf(original.classes[id].domains[quasi], published.dictionaries[id][quasi]));
    }
  }
  for (Vertex v = 0; v < published.forest.vertex_count(); ++v) {
    StopPoint();
    const auto& of_class = result.labels_[published.forest.class_of(v)];
    for (size_t quasi = 0; quasi < of_class.size(); ++quasi) {
      const Symbol symbol = published.forest.value(v, quasi);
      if (of_class[quasi][symbol] != kNoLabel) continue;
      const ClassId id = published.forest.class_of(v);
      return Error{ErrorCode::kData,
                   fmt::format("{}: a published value must be an original one or a generalization "
                               "of it, but this one is neither",
                               published.Where(v, quasi)),
                   "measure it against the data and the policy that it was made from",
                   std::string(published.dictionaries[id][quasi].text(symbol))};
    }
  }
  return result;
}

}  // namespace thicket
