#include "utility/cut_lm.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"
#include "utility/path_trees.h"

namespace thicket {

namespace {

// By label: whether it is published.
std::vector<bool> PublishedSet(const LabelSpace& space, const PathTrees& published) {
  std::vector<bool> set(space.size(), false);
  PathTree tree;
  Phase phase("lm", published.record_count());
  for (RecordId record = 0; record < published.record_count(); ++record) {
    StopPoint();
    phase.Advance();
    published.Read(record, tree);
    for (size_t i = 1; i < tree.nodes.size(); ++i) set[tree.nodes[i].label] = true;
  }
  return set;
}

// By value: how often it occurs.
std::vector<uint64_t> CountValues(const EncodedDataset& data, ClassId id, size_t quasi) {
  std::vector<uint64_t> counts(data.classes[id].domains[quasi].value_count(), 0);
  for (Vertex v = 0; v < data.forest().vertex_count(); ++v) {
    StopPoint();
    if (data.forest().class_of(v) == id) ++counts[data.value(v, quasi)];
  }
  return counts;
}

class CutLoss {
 public:
  CutLoss(const EncodedDataset& original, const LabelSpace& space, std::vector<bool> published)
      : original_(original), space_(space), published_(std::move(published)) {}

  // Whether no published label of the attribute stands above another.
  bool IsCut(ClassId id, size_t quasi) const {
    const Taxonomy& taxonomy = original_.classes[id].domains[quasi].taxonomy();
    for (Node node = 1; node < taxonomy.node_count(); ++node) {
      if (!published_[space_.Id(id, quasi, node)]) continue;
      if (Covering(id, quasi, taxonomy.parent(node)) != kNothing) return false;
    }
    return true;
  }

  AttributeLoss Of(ClassId id, size_t quasi) const {
    const Domain& domain = original_.classes[id].domains[quasi];
    AttributeLoss loss;
    loss.name = original_.schema().classes[id].quasi[quasi].name;
    const std::vector<uint64_t> counts = CountValues(original_, id, quasi);
    for (Value value = 0; value < counts.size(); ++value) {
      (domain.IsMissing(value) ? loss.absent : loss.labels) += counts[value];
      if (counts[value] == 0 || domain.IsMissing(value)) continue;
      const Node leaf = domain.Leaf(value).low;
      const Node node = Covering(id, quasi, leaf);
      if (node == kNothing) loss.suppressed += counts[value];
      if (node != kNothing && node != leaf) loss.generalized += counts[value];
      const double each = node == kNothing ? 1 : domain.ExactLoss({node, node});
      loss.loss += static_cast<double>(counts[value]) * each;
    }
    return loss;
  }

 private:
  static constexpr Node kNothing = ~Node{0};

  // The lowest published label at or above the node.
  Node Covering(ClassId id, size_t quasi, Node node) const {
    const Taxonomy& taxonomy = original_.classes[id].domains[quasi].taxonomy();
    while (!published_[space_.Id(id, quasi, node)]) {
      if (node == Taxonomy::kRoot) return kNothing;
      node = taxonomy.parent(node);
    }
    return node;
  }

  const EncodedDataset& original_;
  const LabelSpace& space_;
  std::vector<bool> published_;
};

}  // namespace

Result<LmReport> MeasureCutLm(const EncodedDataset& original, const Dataset& published) {
  const LabelSpace space(original);
  THICKET_ASSIGN(const PathTrees trees, PathTrees::OfPublished(space, original, published));
  const CutLoss cut(original, space, PublishedSet(space, trees));
  LmReport report;
  for (size_t i = 0; i < original.classes.size(); ++i) {
    const auto id = static_cast<ClassId>(i);
    const VertexClass& vertex_class = original.schema().classes[id];
    ClassLoss of_class;
    of_class.name = vertex_class.name;
    for (size_t quasi = 0; quasi < vertex_class.quasi.size(); ++quasi) {
      if (!cut.IsCut(id, quasi)) {
        return ErrorAt(ErrorCode::kData, {.file = published.source},
                       fmt::format("the published labels of {} must be a cut through its taxonomy, "
                                   "but one of them is above another",
                                   vertex_class.quasi[quasi].name),
                       "measure local recoding by its vertices");
      }
      AttributeLoss loss = cut.Of(id, quasi);
      of_class += loss;
      of_class.attributes.push_back(std::move(loss));
    }
    report += of_class;
    report.classes.push_back(std::move(of_class));
  }
  return report;
}

Result<LmReport> MeasureLm(const EncodedDataset& original, const Dataset& published,
                           bool rearranged) {
  return rearranged ? MeasureCutLm(original, published) : MeasureLm(original, published);
}

}  // namespace thicket
