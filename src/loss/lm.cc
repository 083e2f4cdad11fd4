#include "loss/lm.h"

namespace thicket {

std::vector<Units> SubtreeCosts(const Schema& schema, const Forest& forest) {
  std::vector<Units> costs(forest.vertex_count());
  for (Vertex v = static_cast<Vertex>(costs.size()); v-- > 0;) {
    costs[v] = SuppressionCost(schema.classes[forest.class_of(v)]);
    for (const Vertex child : forest.Children(v)) costs[v] += costs[child];
  }
  return costs;
}

LossMetric MeasureLoss(const EncodedDataset& data, const Published& published) {
  LossMetric result;
  result.labels = CountLabels(data.schema(), data.forest());
  uint64_t shown = 0;
  uint64_t vertices = 0;
  for (const PublishedClass& group : published.classes) {
    const auto members = static_cast<double>(group.records.size());
    for (size_t position = 0; position < group.size(); ++position) {
      const ClassEncoding& encoding = data.classes[group.vertex_class[position]];
      for (size_t slot = 0; slot < encoding.domains.size(); ++slot) {
        result.generalized += members * encoding.domains[slot].ExactLoss(group.labels(position)[slot]);
      }
      shown += group.records.size() * encoding.domains.size();
    }
    vertices += group.records.size() * group.size();
  }
  result.suppressed = result.labels - shown;
  result.suppressed_vertices = data.forest().vertex_count() - vertices;
  return result;
}

}  // namespace thicket
