#include "utility/dissimilarity.h"

#include <array>
#include <cstddef>

namespace thicket {

namespace {

constexpr size_t kLevels = 5;

// Over all pairs of distinct members; `counts` by level.
uint64_t SumOfDistances(const std::array<uint64_t, kLevels>& counts) {
  uint64_t sum = 0;
  for (size_t i = 0; i < kLevels; ++i) {
    for (size_t j = i + 1; j < kLevels; ++j) sum += counts[i] * counts[j] * (j - i);
  }
  return sum;
}

}  // namespace

double DissimilarityDegree(const std::vector<uint32_t>& levels) {
  std::array<uint64_t, kLevels> counts{};
  for (const uint32_t level : levels) ++counts[level - 1];
  return static_cast<double>(SumOfDistances(counts)) /
         static_cast<double>(SumOfDistances({1, 1, 1, 1, 1}));
}

double MeanDissimilarity(const std::vector<std::vector<uint32_t>>& vertices) {
  if (vertices.empty()) return 0;
  double sum = 0;
  for (const std::vector<uint32_t>& levels : vertices) sum += DissimilarityDegree(levels);
  return sum / static_cast<double>(vertices.size());
}

}  // namespace thicket
