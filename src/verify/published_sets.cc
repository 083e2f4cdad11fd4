#include "verify/published_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/fold.h"
#include "base/phase.h"
#include "base/stop.h"
#include "verify/label_cover.h"

namespace thicket {

namespace {

constexpr ClassId kItemClass = 1;

}  // namespace

class PublishedSetsReader {
 public:
  PublishedSetsReader(const Dataset& data, const LabelReader& reader, Violations& violations)
      : data_(data), reader_(reader), taxonomy_(*reader.taxonomy()), violations_(violations) {}

  PublishedSets Run() {
    ReadSymbols();
    AddGroups();
    AddUnseen();
    ReadRecords();
    return std::move(sets_);
  }

 private:
  // What a symbol is: a label, a sensitive item, or nothing.
  struct Meaning {
    uint32_t label = PublishedSets::kNone;
    uint32_t item = PublishedSets::kNone;
  };

  void ReadSymbols() {
    const QuasiAttribute& attribute = data_.schema->classes[kItemClass].quasi.front();
    std::unordered_map<std::string, uint32_t> items;
    for (const std::string& item : attribute.sensitive_items) {
      items.emplace(FoldValue(item), static_cast<uint32_t>(items.size()));
    }
    sets_.sensitive_count_ = items.size();
    const Dictionary& dictionary = data_.dictionaries[kItemClass][0];
    meanings_.resize(dictionary.size());
    for (Symbol symbol = 1; symbol < dictionary.size(); ++symbol) {
      StopPoint();
      const std::string_view text = dictionary.text(symbol);
      const auto item = items.find(FoldValue(text));
      if (item != items.end()) {
        meanings_[symbol].item = item->second;
      } else {
        meanings_[symbol].label = LabelOf(text);
      }
    }
    sets_.label_count_ = sets_.groups_.size();
  }

  // Texts of one node are one label. What the taxonomy does not have is a leaf of its own right under the root.
  uint32_t LabelOf(std::string_view text) {
    std::optional<Node> node = taxonomy_.Find(text);
    if (!node && reader_.IsRoot(text)) node = Taxonomy::kRoot;
    if (!node) {
      sets_.groups_.push_back({.text = std::string(text), .legal = reader_.IsLegal(text)});
      nodes_.push_back(std::nullopt);
      return static_cast<uint32_t>(sets_.groups_.size() - 1);
    }
    return GroupOf(*node);
  }
  uint32_t GroupOf(Node node) {
    const auto [known, is_new] =
        group_of_node_.emplace(node, static_cast<uint32_t>(sets_.groups_.size()));
    if (is_new) {
      sets_.groups_.push_back({taxonomy_.label(node), taxonomy_.leaves(node)});
      nodes_.emplace_back(node);
    }
    return known->second;
  }
  // What is above the labels.
  void AddGroups() {
    for (uint32_t group = 0; group < sets_.groups_.size(); ++group) {
      const std::optional<Node> node = nodes_[group];
      if (node && *node == Taxonomy::kRoot) continue;
      const uint32_t parent = GroupOf(node ? taxonomy_.parent(*node) : Taxonomy::kRoot);
      sets_.groups_[group].parent = parent;
    }
  }

  void AddUnseen() {
    std::vector<bool> is_above(taxonomy_.node_count(), false);
    std::vector<bool> is_label(taxonomy_.node_count(), false);
    for (uint32_t group = 0; group < sets_.groups_.size(); ++group) {
      if (!nodes_[group]) continue;
      (group < sets_.label_count_ ? is_label : is_above)[*nodes_[group]] = true;
    }
    std::optional<Node> least;
    for (Node node = 0; node < taxonomy_.node_count(); ++node) {
      StopPoint();
      if (is_above[node] || is_label[node]) continue;
      const Node parent = taxonomy_.parent(node);
      const bool is_largest = node == Taxonomy::kRoot || (is_above[parent] && !is_label[parent]);
      if (!is_largest) continue;
      if (!least || taxonomy_.leaves(node) < taxonomy_.leaves(*least)) least = node;
    }
    if (least) sets_.least_unseen_ = GroupOf(*least);
  }

  void ReadRecords() {
    const Forest& forest = data_.forest;
    std::map<std::vector<uint32_t>, std::vector<RecordId>> classes;
    std::vector<uint32_t> labels;
    Phase phase("verify", 2 * forest.record_count());
    for (RecordId record = 0; record < forest.record_count(); ++record) {
      StopPoint();
      phase.Advance();
      labels.clear();
      symbols_.clear();
      for (const Vertex vertex : forest.Children(forest.root(record))) {
        const Symbol symbol = forest.value(vertex, 0);
        if (symbol == kMissing) AddFault(record, "must have a value, but one has none");
        symbols_.push_back(symbol);
        if (meanings_[symbol].label != PublishedSets::kNone) {
          labels.push_back(meanings_[symbol].label);
        }
      }
      std::sort(labels.begin(), labels.end());
      std::sort(symbols_.begin(), symbols_.end());
      const auto twice = std::adjacent_find(labels.begin(), labels.end());
      if (twice != labels.end() ||
          std::adjacent_find(symbols_.begin(), symbols_.end()) != symbols_.end()) {
        AddFault(record, "must stand there once, but one stands there several times");
      }
      labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
      classes[labels].push_back(record);
    }
    sets_.record_count_ = forest.record_count();
    for (const auto& [shown, records] : classes) {
      AddClass(shown, records);
      phase.Advance(records.size());
    }
  }

  void AddFault(RecordId record, std::string_view what) {
    violations_.Add({ViolationKind::kTellsApart,
                     fmt::format("{}: every item of a set {}", data_.Where(record), what), 1});
  }

  void AddClass(const std::vector<uint32_t>& labels, const std::vector<RecordId>& records) {
    StopPoint();
    sets_.weight_.push_back(records.size());
    sets_.example_.push_back(records.front());
    sets_.labels_.insert(sets_.labels_.end(), labels.begin(), labels.end());
    sets_.first_label_.push_back(sets_.labels_.size());
    std::map<uint32_t, uint64_t> held;
    std::vector<uint32_t> own;
    for (const RecordId record : records) {
      own.clear();
      for (const Vertex vertex : data_.forest.Children(data_.forest.root(record))) {
        const uint32_t item = meanings_[data_.forest.value(vertex, 0)].item;
        if (item != PublishedSets::kNone) own.push_back(item);
      }
      std::sort(own.begin(), own.end());
      own.erase(std::unique(own.begin(), own.end()), own.end());
      for (const uint32_t item : own) ++held[item];
    }
    for (const auto& [item, weight] : held) sets_.held_.push_back({item, weight});
    sets_.first_held_.push_back(sets_.held_.size());
  }

  const Dataset& data_;
  const LabelReader& reader_;
  const Taxonomy& taxonomy_;
  Violations& violations_;
  PublishedSets sets_;
  // By group.
  std::vector<std::optional<Node>> nodes_;
  std::unordered_map<Node, uint32_t> group_of_node_;
  // By symbol.
  std::vector<Meaning> meanings_;
  std::vector<Symbol> symbols_;
};

Result<PublishedSets> PublishedSets::Read(const Dataset& data, const TaxonomyFiles& taxonomies,
                                          Violations& violations) {
  const QuasiAttribute& attribute = data.schema->classes[kItemClass].quasi.front();
  THICKET_ASSIGN(const LabelReader reader, LabelReader::Of(attribute, taxonomies));
  if (reader.taxonomy() == nullptr) {
    return ErrorAt(ErrorCode::kUsage, {.path = attribute.name},
                   "items must have a taxonomy for KL(m,n)-privacy, but have none",
                   "give them one: taxonomy: FILE");
  }
  return PublishedSetsReader(data, reader, violations).Run();
}

uint32_t PublishedSets::FindLabelAboveAnother() const {
  for (uint32_t label = 0; label < label_count_; ++label) {
    for (uint32_t above = groups_[label].parent; above != kNone; above = groups_[above].parent) {
      if (above < label_count_) return above;
    }
  }
  return kNone;
}

}  // namespace thicket
