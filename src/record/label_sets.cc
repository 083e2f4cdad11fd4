#include "record/label_sets.h"

#include <algorithm>
#include <utility>

#include "base/stop.h"
#include "record/published_labels.h"

namespace thicket {

namespace {

void SortDistinct(std::vector<uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

void LabelSets::Add(std::vector<Node> labels, std::vector<uint32_t> secrets) {
  SortDistinct(labels);
  SortDistinct(secrets);
  labels_.insert(labels_.end(), labels.begin(), labels.end());
  first_label_.push_back(labels_.size());
  secrets_.insert(secrets_.end(), secrets.begin(), secrets.end());
  first_secret_.push_back(secrets_.size());
  if (!secrets.empty()) secret_count_ = std::max(secret_count_, secrets.back() + 1);
}

namespace {

constexpr ClassId kItems = 1;

// Sorts nodes into labels and sensitive items.
class SetCollector {
 public:
  SetCollector(const EncodedDataset& original, LabelSets& sets)
      : encoding_(original.classes[kItems]),
        first_leaf_(encoding_.domains[0].taxonomy().first_leaf()),
        sets_(sets) {}

  void Add(Node node) {
    const uint32_t secret =
        node < first_leaf_ ? ClassEncoding::kNoSecret : encoding_.SecretOf(0, node - first_leaf_);
    if (secret == ClassEncoding::kNoSecret) {
      labels_.push_back(node);
    } else {
      secrets_.push_back(secret);
    }
  }
  void EndRecord() { sets_.Add(std::exchange(labels_, {}), std::exchange(secrets_, {})); }

 private:
  const ClassEncoding& encoding_;
  Node first_leaf_;
  LabelSets& sets_;
  std::vector<Node> labels_;
  std::vector<uint32_t> secrets_;
};

}  // namespace

bool AreSets(const Schema& schema) {
  return schema.classes.size() == 2 && schema.root().quasi.empty() &&
         schema.classes[kItems].quasi.size() == 1;
}

Result<SetPair> SetPair::Read(const EncodedDataset& original, const Dataset& published) {
  if (!AreSets(original.schema()) || original.classes[kItems].domains[0].is_numeric()) {
    return Error{ErrorCode::kUsage,
                 "the records must be sets, a root above one class of items with one "
                 "quasi-identifier that has a taxonomy, but are not",
                 "see docs/policy.md for the shape of sets", ""};
  }
  THICKET_ASSIGN(const PublishedLabels read,
                 PublishedLabels::Read(original, published, {.missing_is_label = false}));
  const Domain& domain = original.classes[kItems].domains[0];
  SetPair pair;
  pair.taxonomy = &domain.taxonomy();
  SetCollector before(original, pair.original);
  const Forest& originals = original.forest();
  for (RecordId record = 0; record < originals.record_count(); ++record) {
    StopPoint();
    for (const Vertex vertex : originals.Children(originals.root(record))) {
      const Value value = original.value(vertex, 0);
      if (!domain.IsMissing(value)) before.Add(domain.Leaf(value).low);
    }
    before.EndRecord();
  }
  SetCollector after(original, pair.published);
  for (RecordId record = 0; record < published.forest.record_count(); ++record) {
    StopPoint();
    for (const Vertex vertex : published.forest.Children(published.forest.root(record))) {
      const Label label = read.of(kItems, 0, published.forest.value(vertex, 0));
      if (label != PublishedLabels::kNone) after.Add(label.low);
    }
    after.EndRecord();
  }
  const Taxonomy& taxonomy = domain.taxonomy();
  pair.leaves.assign(taxonomy.node_count(), 0);
  for (Value value = 0; value < taxonomy.leaf_count(); ++value) {
    const bool counts = !domain.IsMissing(value) &&
                        original.classes[kItems].SecretOf(0, value) == ClassEncoding::kNoSecret;
    pair.leaves[taxonomy.first_leaf() + value] = counts ? 1 : 0;
  }
  for (auto node = static_cast<Node>(taxonomy.node_count()); node-- > 1;) {
    pair.leaves[taxonomy.parent(node)] += pair.leaves[node];
  }
  return pair;
}

double SetPair::Ncp(Node node) const {
  if (!IsGeneral(node)) return 0;
  return static_cast<double>(leaves[node]) / static_cast<double>(leaves[Taxonomy::kRoot]);
}

double SetPair::Lm(Node node) const {
  const double all = leaves[Taxonomy::kRoot];
  if (!IsGeneral(node) || all <= 1) return 0;
  return (static_cast<double>(leaves[node]) - 1) / (all - 1);
}

}  // namespace thicket
