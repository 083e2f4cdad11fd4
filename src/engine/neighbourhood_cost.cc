#include "engine/neighbourhood_cost.h"

#include <algorithm>
#include <vector>

#include "grouping/loss_bound.h"
#include "grouping/near_sample.h"
#include "grouping/parts.h"

namespace thicket {

namespace {

// From so many records on a whole run of a sample takes no more than about a fifth of the run's time.
constexpr size_t kFewestRecords = 20'000;
constexpr size_t kPartOfRecords = 20;
constexpr size_t kSmallestSample = 1'000;
constexpr size_t kLargestSample = 4'000;
// The same where parts are grouped by themselves: two parts as a whole take as long as four.
constexpr size_t kFewestParts = 30;

// What is lost of the data, in units.
Result<Units> LossOf(const EncodedDataset& data, const GroupData& group) {
  THICKET_ASSIGN(const Grouping grouping, group(data));
  const GroupingLoss loss = LossOfGrouping(data, grouping.published);
  return loss.total - loss.kept;
}

}  // namespace

size_t NeighbourhoodSample(size_t records, size_t neighbourhood, size_t parts) {
  if (neighbourhood == 0 || records < kFewestRecords) return 0;
  if (parts <= 1 || neighbourhood > kLargestSample) {
    return std::clamp(records / kPartOfRecords, kSmallestSample, kLargestSample);
  }
  return parts < kFewestParts ? 0 : 2 * neighbourhood;
}

Result<std::optional<double>> NeighbourhoodCost(const EncodedDataset& data, size_t sample,
                                                const GroupData& nearby, const GroupData& whole) {
  const EncodedDataset part = PartOf(data, NearSample(data, sample));
  const std::optional<double> nothing;
  const Result<Units> loss_nearby = LossOf(part, nearby);
  if (!loss_nearby.ok()) {
    if (loss_nearby.error().code == ErrorCode::kInterrupted) return loss_nearby.error();
    return nothing;
  }
  const Result<Units> loss_whole = LossOf(part, whole);
  if (!loss_whole.ok()) {
    if (loss_whole.error().code == ErrorCode::kInterrupted) return loss_whole.error();
    return nothing;
  }
  if (*loss_whole == 0) return nothing;
  return std::optional<double>(static_cast<double>(*loss_nearby - *loss_whole) /
                               static_cast<double>(*loss_whole));
}

}  // namespace thicket
