#include "attack/cover_index.h"

#include <utility>

#include "base/stop.h"

namespace thicket {

CoverIndex::CoverIndex(const Schema& schema, const Forest& forest, VertexValues values,
                       const std::vector<RecordId>& records)
    : record_count_(records.size()),
      holders_(schema.classes.size()),
      known_(schema.classes.size()),
      counts_(records.size(), 0) {
  for (size_t id = 0; id < schema.classes.size(); ++id) {
    holders_[id].resize(schema.classes[id].quasi.size());
    known_[id].resize(schema.classes[id].quasi.size());
  }
  for (uint32_t i = 0; i < records.size(); ++i) {
    StopPoint();
    for (Vertex v = forest.root(records[i]); v < forest.root(records[i] + 1); ++v) {
      auto& of_class = holders_[forest.class_of(v)];
      for (size_t slot = 0; slot < of_class.size(); ++slot) {
        const uint32_t raw = values.at(v, slot);
        if (of_class[slot].size() <= raw) of_class[slot].resize(raw + 1);
        std::vector<Holder>& holders = of_class[slot][raw];
        if (holders.empty() || holders.back().record != i) holders.push_back({i, 0});
        ++holders.back().count;
      }
    }
  }
}

const Bitmap& CoverIndex::Find(ClassId id, size_t slot, uint32_t key, uint32_t least,
                               const std::function<bool(uint32_t raw)>& accept) {
  const uint64_t question = uint64_t{key} << 32 | least;
  const auto found = known_[id][slot].find(question);
  if (found != known_[id][slot].end()) return found->second;
  touched_.clear();
  const auto& of_slot = holders_[id][slot];
  for (uint32_t raw = 0; raw < of_slot.size(); ++raw) {
    StopPoint();
    if (of_slot[raw].empty() || !accept(raw)) continue;
    for (const Holder& holder : of_slot[raw]) {
      if (counts_[holder.record] == 0) touched_.push_back(holder.record);
      counts_[holder.record] += holder.count;
    }
  }
  Bitmap bits((record_count_ + 63) / 64, 0);
  for (const uint32_t record : touched_) {
    if (counts_[record] >= least) bits[record / 64] |= uint64_t{1} << (record % 64);
    counts_[record] = 0;
  }
  known_words_ += bits.size();
  if (known_words_ > kMostWords) {
    for (auto& of_class : known_) {
      for (auto& slot_known : of_class) slot_known.clear();
    }
    known_words_ = bits.size();
  }
  return known_[id][slot].emplace(question, std::move(bits)).first->second;
}

Bitmap CoverIndex::All() const {
  Bitmap bits((record_count_ + 63) / 64, ~uint64_t{0});
  if (record_count_ % 64 != 0) bits.back() = (uint64_t{1} << (record_count_ % 64)) - 1;
  return bits;
}

}  // namespace thicket
