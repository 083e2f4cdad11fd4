// How different the sensitive values that stand together are, by their levels of sensitivity: DSimDegree of Wang et al.
// 2018, section 5.1, equations 6 and 7. The larger, the less an adversary learns from knowing the class.
//
//   const std::vector<uint32_t> levels = {1, 2, 5};
//   DissimilarityDegree(levels);   // (|1-2| + |1-5| + |2-5|) / 20 = 0.4
//
// The distance of two levels is the difference of their numbers, which the paper leaves open; the distances between the five
// levels then sum to 20. The degree of a class is the mean over the vertices of its representative that have levels.
//
// The degree adds up pairs and so grows with the square of the class: classes of different sizes cannot be compared by it. The
// mean distance of two values, from 0 to 4, can.
//
//   const DissimilarityReport report = MeasureDissimilarity(published, levels);
//
// Linear in the number of values: only the counts per level matter.
#pragma once

#include <cstdint>
#include <vector>

#include "record/dataset.h"
#include "record/symbol_levels.h"

namespace thicket {

// Of one vertex of a representative: the levels, 1 to 5, of the values that stand there (equation 6).
double DissimilarityDegree(const std::vector<uint32_t>& levels);

// Of a class: the levels by vertex (equation 7). 0 if there are none.
double MeanDissimilarity(const std::vector<std::vector<uint32_t>>& vertices);

struct DissimilarityReport {
  // The mean degree of a class.
  double degree = 0;
  // The mean distance of the levels of two values that stand together, over all such pairs.
  double mean_distance = 0;
  // Classes that have sensitive values.
  uint64_t classes = 0;
};

// Of published data as it is read back: a class is all records with equal trees. Each sensitive attribute of a vertex counts
// as a vertex of its own. Aligned are vertices at the same place of the canonical order.
DissimilarityReport MeasureDissimilarity(const Dataset& published, const SymbolLevels& levels);

}  // namespace thicket
