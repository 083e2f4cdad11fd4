#include "utility/set_loss.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"
#include "record/published_labels.h"

namespace thicket {

namespace {

constexpr ClassId kItems = 1;

class SetLossCounter {
 public:
  explicit SetLossCounter(const EncodedDataset& original)
      : original_(original),
        domain_(original.classes[kItems].domains[0]),
        taxonomy_(domain_.taxonomy()),
        shown_(taxonomy_.node_count(), kNobody),
        leaves_(taxonomy_.node_count(), 0) {
    for (Value value = 0; value < taxonomy_.leaf_count(); ++value) {
      if (IsOccurrence(value)) ++leaves_[taxonomy_.first_leaf() + value];
    }
    for (auto node = static_cast<Node>(taxonomy_.node_count()); node-- > 1;) {
      leaves_[taxonomy_.parent(node)] += leaves_[node];
    }
  }

  void Show(Node label, RecordId published) { shown_[label] = published; }
  // Of an original record and the published one whose labels were shown, or kNobody for one that is left out.
  void Count(RecordId record, RecordId published) {
    values_.clear();
    const Forest& forest = original_.forest();
    for (const Vertex vertex : forest.Children(forest.root(record))) {
      const Value value = original_.value(vertex, 0);
      if (IsOccurrence(value)) values_.push_back(value);
    }
    std::sort(values_.begin(), values_.end());
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    for (const Value value : values_) Add(taxonomy_.first_leaf() + value, published);
  }

  const LossCount& count() const { return count_; }
  double ncp() const { return ncp_; }

  static constexpr RecordId kNobody = ~RecordId{0};

 private:
  bool IsOccurrence(Value value) const {
    return !domain_.IsMissing(value) &&
           original_.classes[kItems].SecretOf(0, value) == ClassEncoding::kNoSecret;
  }
  void Add(Node leaf, RecordId published) {
    Node node = leaf;
    while (published != kNobody && shown_[node] != published && node != Taxonomy::kRoot) {
      node = taxonomy_.parent(node);
    }
    ++count_.labels;
    if (published == kNobody || shown_[node] != published) {
      ++count_.suppressed;
      count_.loss += 1;
      ncp_ += 1;
      return;
    }
    if (node == leaf) return;
    ++count_.generalized;
    const auto all = static_cast<double>(leaves_[Taxonomy::kRoot]);
    const auto own = static_cast<double>(leaves_[node]);
    ncp_ += own / all;
    if (all > 1) count_.loss += (own - 1) / (all - 1);
  }

  const EncodedDataset& original_;
  const Domain& domain_;
  const Taxonomy& taxonomy_;
  // By node: the last published record that shows it.
  std::vector<RecordId> shown_;
  std::vector<uint64_t> leaves_;
  std::vector<Value> values_;
  LossCount count_;
  double ncp_ = 0;
};

}  // namespace

Result<SetLoss> MeasureSetLoss(const EncodedDataset& original, const Dataset& published,
                               std::span<const RecordId> original_of) {
  THICKET_ASSIGN(const PublishedLabels labels, PublishedLabels::Read(original, published));
  SetLossCounter counter(original);
  std::vector<bool> is_published(original.forest().record_count(), false);
  Phase phase("lm", original.forest().record_count());
  const Forest& forest = published.forest;
  for (RecordId record = 0; record < forest.record_count(); ++record) {
    StopPoint();
    phase.Advance();
    for (const Vertex vertex : forest.Children(forest.root(record))) {
      const Label label = labels.of(kItems, 0, forest.value(vertex, 0));
      if (label != PublishedLabels::kNone) counter.Show(label.low, record);
    }
    counter.Count(original_of[record], record);
    is_published[original_of[record]] = true;
  }
  for (RecordId record = 0; record < is_published.size(); ++record) {
    StopPoint();
    if (!is_published[record]) counter.Count(record, SetLossCounter::kNobody);
  }
  SetLoss result;
  for (const VertexClass& type : original.schema().classes) {
    result.lm.classes.emplace_back();
    result.lm.classes.back().name = type.name;
  }
  AttributeLoss attribute;
  attribute.name = original.schema().classes[kItems].quasi.front().name;
  static_cast<LossCount&>(attribute) = counter.count();
  static_cast<LossCount&>(result.lm.classes[kItems]) = counter.count();
  result.lm.classes[kItems].attributes.push_back(std::move(attribute));
  static_cast<LossCount&>(result.lm) = counter.count();
  result.ncp_sum = counter.ncp();
  return result;
}

}  // namespace thicket
