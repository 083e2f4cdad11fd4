#include "verify/record_shares.h"

namespace thicket {

void RecordShares::Count(const Forest& forest, std::span<const Vertex> vertices, size_t per_record,
                         ClassId id, size_t slot, std::span<const uint32_t> codes) {
  for (const uint32_t code : touched_) counts_[code] = {};
  touched_.clear();
  most_common_ = kNone;
  for (size_t i = 0; i < vertices.size(); ++i) {
    if (forest.class_of(vertices[i]) != id) continue;
    const uint32_t code = codes[forest.value(vertices[i], slot)];
    if (code == kNone) continue;
    if (code >= counts_.size()) counts_.resize(code + 1);
    Tally& tally = counts_[code];
    if (tally.records == 0) {
      tally.example = vertices[i];
      touched_.push_back(code);
    }
    const size_t record = i / per_record + 1;
    if (tally.last_record == record) continue;
    tally.last_record = record;
    ++tally.records;
    if (tally.records > records(most_common_)) most_common_ = code;
  }
}

}  // namespace thicket
