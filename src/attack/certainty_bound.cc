#include "attack/certainty_bound.h"

#include <algorithm>
#include <cstdint>

#include "base/stop.h"

namespace thicket {

namespace {

// Of the most frequent bucket among the vertices at a position of a shape, that of suppressed values left out.
double LargestShare(const Release& release, size_t shape, size_t position, ClassId id,
                    size_t attribute, std::vector<uint32_t>& buckets) {
  const size_t members = release.shapes().size(shape);
  buckets.clear();
  for (size_t member = 0; member < members; ++member) {
    const uint32_t bucket = release.Bucket(release.Aligned(shape, member, position), attribute);
    if (!release.IsSuppressed(id, attribute, bucket)) buckets.push_back(bucket);
  }
  std::sort(buckets.begin(), buckets.end());
  size_t most = 0;
  for (size_t begin = 0; begin < buckets.size();) {
    size_t end = begin + 1;
    while (end < buckets.size() && buckets[end] == buckets[begin]) ++end;
    most = std::max(most, end - begin);
    begin = end;
  }
  return static_cast<double>(most) / static_cast<double>(members);
}

}  // namespace

CertaintyBound::CertaintyBound(const Schema& schema, const Release& release,
                               const SecretCounts& secrets) {
  const size_t shapes = release.shapes().size();
  at_place_.of.assign(shapes, 0);
  anywhere_.of.assign(shapes, 0);
  std::vector<uint32_t> buckets;
  for (size_t shape = 0; shape < shapes; ++shape) {
    StopPoint();
    double& largest = at_place_.of[shape];
    for (size_t position = 0; position < release.shape_size(shape); ++position) {
      const ClassId id = release.forest().class_of(release.Aligned(shape, 0, position));
      for (size_t i = 0; i < schema.classes[id].sensitive.size() && largest < 1; ++i) {
        largest = std::max(largest, LargestShare(release, shape, position, id, i, buckets));
      }
    }
    anywhere_.of[shape] = static_cast<double>(secrets.Most(shape)) /
                          static_cast<double>(release.shapes().size(shape));
  }
}

const Bitmap& CertaintyBound::Shares::Above(double worst) {
  if (worst == than) return above;
  than = worst;
  above.assign((of.size() + 63) / 64, 0);
  for (size_t shape = 0; shape < of.size(); ++shape) {
    if (of[shape] > worst) above[shape / 64] |= uint64_t{1} << (shape % 64);
  }
  return above;
}

}  // namespace thicket
