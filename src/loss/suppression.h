// What it costs to suppress vertices, in the units that searches count in (taxonomy/domain.h).
//
// LM (Definition 3.10 of Ozalp et al. 2016) charges a suppressed vertex 1 for each of its labels. Here it costs one unit
// more, a millionth of a label: of two ways to lose the same labels, the one that keeps more vertices is the cheaper
// one, and a vertex without quasi-identifiers is not thrown away for nothing.
#pragma once

#include <vector>

#include "record/forest.h"
#include "record/schema.h"
#include "taxonomy/domain.h"

namespace thicket {

// What it costs to suppress one vertex of a class.
inline Units SuppressionCost(const VertexClass& vertex_class) {
  return static_cast<Units>(vertex_class.quasi.size()) * kLabelUnits + 1;
}

// By vertex: what it costs to suppress its whole subtree.
std::vector<Units> SubtreeCosts(const Schema& schema, const Forest& forest);

}  // namespace thicket
