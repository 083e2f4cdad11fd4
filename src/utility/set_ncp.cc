#include "utility/set_ncp.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"

namespace thicket {

namespace {

constexpr Node kNothing = ~Node{0};

// What is published of a record's items.
struct RecordLoss {
  uint64_t suppressed = 0;
  uint64_t generalized = 0;
  double lm = 0;
  double ncp = 0;

  void Add(const SetPair& pair, Node leaf, Node label) {
    if (label == kNothing) {
      ++suppressed;
      lm += 1;
      ncp += 1;
    } else if (label != leaf) {
      ++generalized;
      lm += pair.Lm(label);
      ncp += pair.Ncp(label);
    }
  }
};

// The lowest node at or above one that is marked.
Node Marked(const Taxonomy& taxonomy, const std::vector<bool>& marks, Node node) {
  while (!marks[node]) {
    if (node == Taxonomy::kRoot) return kNothing;
    node = taxonomy.parent(node);
  }
  return node;
}

std::vector<bool> PublishedLabelsOf(const SetPair& pair) {
  std::vector<bool> is_shown(pair.taxonomy->node_count(), false);
  for (size_t record = 0; record < pair.published.size(); ++record) {
    StopPoint();
    for (const Node label : pair.published.labels(record)) is_shown[label] = true;
  }
  return is_shown;
}

bool IsCut(const SetPair& pair, const std::vector<bool>& is_shown) {
  for (Node node = 1; node < is_shown.size(); ++node) {
    if (!is_shown[node]) continue;
    if (Marked(*pair.taxonomy, is_shown, pair.taxonomy->parent(node)) != kNothing) return false;
  }
  return true;
}

// Different published sets, and which of them show a label.
class LocalSets {
 public:
  explicit LocalSets(const SetPair& pair)
      : pair_(pair), showing_(pair.taxonomy->node_count()), mark_(pair.taxonomy->node_count()) {
    for (size_t record = 0; record < pair.published.size(); ++record) {
      const auto labels = pair.published.labels(record);
      sets_.emplace_back(labels.begin(), labels.end());
    }
    std::sort(sets_.begin(), sets_.end());
    sets_.erase(std::unique(sets_.begin(), sets_.end()), sets_.end());
    for (uint32_t set = 0; set < sets_.size(); ++set) {
      for (const Node label : sets_[set]) showing_[label].push_back(set);
    }
  }

  // Of the cheapest set that can be made of the items; nothing if none can.
  std::optional<RecordLoss> Cheapest(std::span<const Node> items) {
    std::optional<RecordLoss> best;
    const auto consider = [&](uint32_t set) {
      StopPoint();
      const std::optional<RecordLoss> loss = LossIn(items, sets_[set]);
      if (loss && (!best || loss->ncp < best->ncp)) best = loss;
    };
    if (items.empty()) {
      if (!sets_.empty() && sets_.front().empty()) consider(0);
      return best;
    }
    const Node rarest = *std::min_element(items.begin(), items.end(),
                                          [&](Node a, Node b) { return Showing(a) < Showing(b); });
    for (Node node = rarest;; node = pair_.taxonomy->parent(node)) {
      for (const uint32_t set : showing_[node]) consider(set);
      if (node == Taxonomy::kRoot) return best;
    }
  }

 private:
  // How many sets show something at or above a node.
  size_t Showing(Node node) const {
    size_t count = showing_[node].size();
    while (node != Taxonomy::kRoot) count += showing_[node = pair_.taxonomy->parent(node)].size();
    return count;
  }

  // Nothing if an item has no label there, or a label no item.
  std::optional<RecordLoss> LossIn(std::span<const Node> items, const std::vector<Node>& set) {
    RecordLoss loss;
    for (const Node label : set) mark_[label] = true;
    size_t used = 0;
    bool fits = true;
    std::vector<Node>& labels = labels_;
    labels.clear();
    for (const Node item : items) {
      const Node label = Marked(*pair_.taxonomy, mark_, item);
      fits = label != kNothing;
      if (!fits) break;
      labels.push_back(label);
      loss.Add(pair_, item, label);
    }
    for (const Node label : set) mark_[label] = false;
    if (!fits) return std::nullopt;
    std::sort(labels.begin(), labels.end());
    used = static_cast<size_t>(std::unique(labels.begin(), labels.end()) - labels.begin());
    if (used != set.size()) return std::nullopt;
    return loss;
  }

  const SetPair& pair_;
  std::vector<std::vector<Node>> sets_;
  // By node.
  std::vector<std::vector<uint32_t>> showing_;
  std::vector<bool> mark_;
  std::vector<Node> labels_;
};

void AddTo(SetNcpReport& report, const RecordLoss& loss, uint64_t items, uint64_t records) {
  report.lm.labels += items * records;
  report.lm.suppressed += loss.suppressed * records;
  report.lm.generalized += loss.generalized * records;
  report.lm.loss += loss.lm * static_cast<double>(records);
  report.ncp_sum += loss.ncp * static_cast<double>(records);
}

// Original records in the order of their labels, so that equal ones follow each other.
std::vector<size_t> SortedRecords(const LabelSets& sets) {
  std::vector<size_t> order(sets.size());
  for (size_t record = 0; record < order.size(); ++record) order[record] = record;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const auto x = sets.labels(a);
    const auto y = sets.labels(b);
    return std::lexicographical_compare(x.begin(), x.end(), y.begin(), y.end());
  });
  return order;
}

}  // namespace

SetNcpReport MeasureSetNcp(const SetPair& pair) {
  SetNcpReport report;
  const std::vector<bool> is_shown = PublishedLabelsOf(pair);
  std::optional<LocalSets> local;
  if (!IsCut(pair, is_shown)) local.emplace(pair);
  report.is_bound = local.has_value();
  const std::vector<size_t> order = SortedRecords(pair.original);
  Phase phase("ncp", order.size());
  for (size_t begin = 0; begin < order.size();) {
    StopPoint();
    const auto items = pair.original.labels(order[begin]);
    size_t end = begin + 1;
    while (end < order.size() &&
           std::equal(items.begin(), items.end(), pair.original.labels(order[end]).begin(),
                      pair.original.labels(order[end]).end())) {
      ++end;
    }
    RecordLoss loss;
    if (local) {
      const std::optional<RecordLoss> cheapest = local->Cheapest(items);
      if (cheapest) loss = *cheapest;
      for (size_t i = 0; !cheapest && i < items.size(); ++i) loss.Add(pair, items[i], kNothing);
    } else {
      for (const Node item : items) loss.Add(pair, item, Marked(*pair.taxonomy, is_shown, item));
    }
    AddTo(report, loss, items.size(), end - begin);
    phase.Advance(end - begin);
    begin = end;
  }
  return report;
}

LmReport LmOfSets(const Schema& schema, const SetNcpReport& report) {
  LmReport lm;
  for (const VertexClass& of : schema.classes) {
    ClassLoss loss;
    loss.name = of.name;
    for (const QuasiAttribute& quasi : of.quasi) {
      AttributeLoss attribute;
      attribute.name = quasi.name;
      attribute += report.lm;
      loss += attribute;
      loss.attributes.push_back(std::move(attribute));
    }
    lm += loss;
    lm.classes.push_back(std::move(loss));
  }
  return lm;
}

}  // namespace thicket
