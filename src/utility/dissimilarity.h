// How different the sensitive values that stand together are, by their levels of sensitivity: DSimDegree of Wang et al.
// 2018, section 5.1, equations 6 and 7. The larger, the less an adversary learns from knowing the class.
//
//   const std::vector<uint32_t> levels = {1, 2, 5};
//   DissimilarityDegree(levels);   // (|1-2| + |1-5| + |2-5|) / 20 = 0.4
//
// The distance of two levels is the difference of their numbers, which the paper leaves open; the distances between the five
// levels then sum to 20. The degree of a class is the mean over the vertices of its representative that have levels.
//
// Linear in the number of values: only the counts per level matter.
#pragma once

#include <cstdint>
#include <vector>

namespace thicket {

// Of one vertex of a representative: the levels, 1 to 5, of the values that stand there (equation 6).
double DissimilarityDegree(const std::vector<uint32_t>& levels);

// Of a class: the levels by vertex (equation 7). 0 if there are none.
double MeanDissimilarity(const std::vector<std::vector<uint32_t>>& vertices);

}  // namespace thicket
