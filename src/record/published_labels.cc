#include "record/published_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/stop.h"

namespace thicket {

namespace {

std::optional<uint32_t> RankOf(const std::vector<Decimal>& numbers, std::string_view text) {
  const std::optional<Decimal> number = Decimal::Parse(text);
  if (!number) return std::nullopt;
  const auto place = std::lower_bound(numbers.begin(), numbers.end(), *number);
  if (place == numbers.end() || *place != *number) return std::nullopt;
  return static_cast<uint32_t>(place - numbers.begin());
}

// A number, "[2, 17.5]", "*", or a text that is no number.
std::optional<Label> ReadNumericLabel(const Domain& domain, std::string_view text) {
  const std::vector<Decimal>& numbers = domain.numbers();
  if (text == "*") return domain.Anything();
  const auto other = std::lower_bound(domain.others().begin(), domain.others().end(), text);
  if (other != domain.others().end() && *other == text) {
    return domain.Leaf(static_cast<Value>(numbers.size()) +
                       static_cast<Value>(other - domain.others().begin()));
  }
  if (const auto rank = RankOf(numbers, text)) return Label{*rank, *rank};
  const size_t comma = text.find(", ");
  if (comma == std::string_view::npos || text.front() != '[' || text.back() != ']') {
    return std::nullopt;
  }
  const auto low = RankOf(numbers, text.substr(1, comma - 1));
  const auto high = RankOf(numbers, text.substr(comma + 2, text.size() - comma - 3));
  if (!low || !high || *low >= *high) return std::nullopt;
  return Label{*low, *high};
}

}  // namespace

std::optional<Label> ReadLabel(const Domain& domain, std::string_view text) {
  if (domain.is_numeric()) return ReadNumericLabel(domain, text);
  const Taxonomy& taxonomy = domain.taxonomy();
  const std::optional<Node> node = taxonomy.Find(text);
  if (!node) {
    if (text == "*") return Label{Taxonomy::kRoot, Taxonomy::kRoot};
    return std::nullopt;
  }
  // The leaf for missing values has a name that no text of data may stand for.
  if (taxonomy.is_leaf(*node) && domain.IsMissing(domain.LeafValue({*node, *node}))) {
    return std::nullopt;
  }
  return Label{*node, *node};
}

Result<PublishedLabels> PublishedLabels::Read(const EncodedDataset& original,
                                              const Dataset& published, const Options& options) {
  PublishedLabels result;
  const Schema& schema = original.schema();
  result.labels_.resize(schema.classes.size());
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    for (size_t quasi = 0; quasi < schema.classes[id].quasi.size(); ++quasi) {
      const Domain& domain = original.classes[id].domains[quasi];
      const Dictionary& dictionary = published.dictionaries[id][quasi];
      auto& labels = result.labels_[id].emplace_back(dictionary.size(), kNone);
      if (options.missing_is_label && domain.has_missing()) {
        labels[kMissing] = domain.Leaf(static_cast<Value>(domain.value_count() - 1));
      }
      for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
        StopPoint();
        labels[symbol] = ReadLabel(domain, dictionary.text(symbol)).value_or(kNone);
      }
    }
  }
  for (Vertex v = 0; v < published.forest.vertex_count(); ++v) {
    StopPoint();
    const ClassId id = published.forest.class_of(v);
    const auto& of_class = result.labels_[id];
    for (size_t quasi = 0; quasi < of_class.size(); ++quasi) {
      const Symbol symbol = published.forest.value(v, quasi);
      if (of_class[quasi][symbol] != kNone) continue;
      if (symbol == kMissing && !options.missing_is_label) continue;
      return ErrorAt(ErrorCode::kData, published.PlaceOf(v, quasi), options.rule,
                     std::string(options.hint),
                     std::string(published.dictionaries[id][quasi].text(symbol)));
    }
  }
  return result;
}

}  // namespace thicket
