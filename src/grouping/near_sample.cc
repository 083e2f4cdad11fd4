#include "grouping/near_sample.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "base/stop.h"
#include "grouping/counted_labels.h"
#include "grouping/shared_labels.h"

namespace thicket {

std::vector<RecordId> NearSample(const EncodedDataset& data, size_t count) {
  const size_t all = data.forest().record_count();
  std::vector<RecordId> sample(std::min(count, all));
  if (count >= all) {
    std::iota(sample.begin(), sample.end(), RecordId{0});
    return sample;
  }
  const CountedLabels labels(data);
  const std::vector<uint32_t> no_values;
  SharedLabels own(labels, no_values);
  Random random = Random::Seeded(1);
  own.Load(static_cast<RecordId>(random.Below(all)));
  std::vector<uint64_t> mask(own.words());
  // What is not in common, of both, but for what the drawn record counts itself.
  std::vector<std::pair<Units, RecordId>> far;
  for (RecordId record = 0; record < all; ++record) {
    StopPoint();
    own.Share(record, mask.data());
    far.emplace_back(labels.Total(record) - 2 * own.Weigh(mask.data()), record);
  }
  std::nth_element(far.begin(), far.begin() + static_cast<std::ptrdiff_t>(count), far.end());
  for (size_t i = 0; i < count; ++i) sample[i] = far[i].second;
  std::sort(sample.begin(), sample.end());
  return sample;
}

}  // namespace thicket
