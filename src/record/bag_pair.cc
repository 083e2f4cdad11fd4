#include "record/bag_pair.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/stop.h"
#include "record/label_sets.h"
#include "record/published_labels.h"

namespace thicket {

namespace {

constexpr ClassId kTerms = 1;
constexpr BagLabel kNoTerm = ~BagLabel{0};

// The terms of "vino|wine"; nothing if one of the parts is none.
std::optional<std::vector<BagLabel>> ReadSeveral(const BagPair& pair, const Domain& domain,
                                                 std::string_view text) {
  std::vector<BagLabel> terms;
  while (true) {
    const size_t end = text.find(kAlternativesMark);
    const std::optional<Label> label = ReadLabel(domain, text.substr(0, end));
    if (!label || !domain.IsLeaf(*label)) return std::nullopt;
    terms.push_back(pair.LabelOf(label->low));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  std::sort(terms.begin(), terms.end());
  return terms;
}

// By symbol of the published data; kNoTerm for what is no label.
std::vector<BagLabel> ReadLabels(const Domain& domain, const Dictionary& dictionary,
                                 BagPair& pair) {
  std::vector<BagLabel> labels(dictionary.size(), kNoTerm);
  std::map<std::string_view, Symbol> unread;
  for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
    StopPoint();
    const std::optional<Label> label = ReadLabel(domain, dictionary.text(symbol));
    if (label) {
      labels[symbol] = pair.LabelOf(label->low);
    } else {
      unread.emplace(dictionary.text(symbol), symbol);
    }
  }
  for (const auto& [text, symbol] : unread) {
    StopPoint();
    std::optional<std::vector<BagLabel>> terms = ReadSeveral(pair, domain, text);
    if (!terms) continue;
    labels[symbol] = static_cast<BagLabel>(pair.taxonomy->node_count() + pair.several.size());
    pair.several.push_back(std::move(*terms));
  }
  return labels;
}

}  // namespace

void LabelBags::Add(std::vector<BagLabel> labels) {
  std::sort(labels.begin(), labels.end());
  labels_.insert(labels_.end(), labels.begin(), labels.end());
  first_.push_back(labels_.size());
}

std::vector<std::string> BagPair::TermTexts() const {
  std::vector<std::string> texts;
  for (BagLabel term = 0; term < domain; ++term) texts.push_back(taxonomy->label(NodeOf(term)));
  return texts;
}

Result<BagPair> BagPair::Read(const EncodedDataset& original, const Dataset& published) {
  if (!AreSets(original.schema()) || original.classes[kTerms].domains[0].is_numeric()) {
    return Error{ErrorCode::kUsage,
                 "the records must be bags, a root above one class of terms with one "
                 "quasi-identifier that has a taxonomy or a network, but are not",
                 "see docs/policy.md for the shape of bags", ""};
  }
  const Domain& domain = original.classes[kTerms].domains[0];
  BagPair pair;
  pair.taxonomy = &domain.taxonomy();
  pair.domain = domain.value_count() - (domain.has_missing() ? 1 : 0);
  const Forest& originals = original.forest();
  for (RecordId record = 0; record < originals.record_count(); ++record) {
    StopPoint();
    std::vector<BagLabel> terms;
    for (const Vertex vertex : originals.Children(originals.root(record))) {
      const Value value = original.value(vertex, 0);
      if (!domain.IsMissing(value)) terms.push_back(value);
    }
    pair.original.Add(std::move(terms));
  }
  const Dictionary& dictionary = published.dictionaries[kTerms][0];
  const std::vector<BagLabel> label_of = ReadLabels(domain, dictionary, pair);
  for (RecordId record = 0; record < published.forest.record_count(); ++record) {
    StopPoint();
    std::vector<BagLabel> labels;
    for (const Vertex vertex : published.forest.Children(published.forest.root(record))) {
      const Symbol symbol = published.forest.value(vertex, 0);
      if (symbol == kMissing) continue;
      if (label_of[symbol] == kNoTerm) {
        return ErrorAt(ErrorCode::kData, published.PlaceOf(vertex, 0),
                       "a published term must be one of the original's, or a group of them, but "
                       "this one is neither",
                       "measure it against the data and the policy that it was made from",
                       std::string(dictionary.text(symbol)));
      }
      labels.push_back(label_of[symbol]);
    }
    pair.published.Add(std::move(labels));
  }
  return pair;
}

}  // namespace thicket
