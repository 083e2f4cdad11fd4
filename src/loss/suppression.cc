#include "loss/suppression.h"

namespace thicket {

std::vector<Units> SubtreeCosts(const Schema& schema, const Forest& forest) {
  std::vector<Units> costs(forest.vertex_count());
  for (Vertex v = static_cast<Vertex>(costs.size()); v-- > 0;) {
    costs[v] = SuppressionCost(schema.classes[forest.class_of(v)]);
    for (const Vertex child : forest.Children(v)) costs[v] += costs[child];
  }
  return costs;
}

}  // namespace thicket
