// What generalizing and suppressing costs: the loss metric LM (Definition 3.10 of Ozalp et al. 2016).
//
// Searches count in whole units (taxonomy/domain.h). There a suppressed vertex costs one unit more than its labels, a
// millionth of a label: of two ways to lose the same labels, the one that keeps more vertices is the cheaper one, and a vertex
// without quasi-identifiers is not thrown away for nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "record/dataset.h"
#include "record/published.h"

namespace thicket {

// What it costs to suppress one vertex of a class.
inline Units SuppressionCost(const VertexClass& vertex_class) {
  return static_cast<Units>(vertex_class.quasi.size()) * kLabelUnits + 1;
}

// By vertex: what it costs to suppress its whole subtree.
std::vector<Units> SubtreeCosts(const Schema& schema, const Forest& forest);

struct LossMetric {
  double generalized = 0;   // sum of LM' over the published labels
  uint64_t suppressed = 0;  // labels that are not published
  uint64_t labels = 0;      // labels of the original data
  uint64_t suppressed_vertices = 0;
  double lm() const {
    return labels == 0 ? 0 : (generalized + static_cast<double>(suppressed)) / static_cast<double>(labels);
  }
};

LossMetric MeasureLoss(const EncodedDataset& data, const Published& published);

}  // namespace thicket
