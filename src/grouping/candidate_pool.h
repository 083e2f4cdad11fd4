// The records that have no class yet, laid out for scanning.
//
// What a scan reads of a record's root stands in columns, in the order of the records. A record that leaves is only
// marked; when an eighth of the places is empty, the columns are closed up.
//
//   CandidatePool pool(model);
//   pool.Remove(record);
//   for (size_t place = 0; place < pool.places(); ++place) Use(pool.record(place), pool.weight(place));
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "matching/tree_model.h"

namespace thicket {

class CandidatePool {
 public:
  // The weight of a place whose record has left or is hidden: more than any cost, and safe to add to.
  static constexpr Units kGone = Units{1} << 60;

  explicit CandidatePool(const TreeModel& model);

  // How many records are in the pool, hidden ones included.
  size_t size() const { return present_; }
  bool Contains(RecordId record) const { return in_pool_[record]; }
  void Remove(RecordId record);
  // Takes a record out of the scans for a while.
  void Hide(RecordId record) { weights_[PlaceOf(record)] = kGone; }
  void Unhide(RecordId record);

  size_t places() const { return records_.size(); }
  // Ascending.
  RecordId record(size_t place) const { return records_[place]; }
  // What it costs to suppress the record, or kGone.
  const Units* weights() const { return weights_.data(); }
  // The root's values of a quasi-identifier, and the bits of the buckets of a sensitive attribute.
  const uint32_t* values(size_t slot) const { return values_[slot].data(); }
  const uint64_t* bits(size_t attribute) const { return bits_[attribute].data(); }
  // Changes when places get other numbers.
  uint32_t generation() const { return generation_; }

 private:
  size_t PlaceOf(RecordId record) const;
  void Close();

  const TreeModel* model_;
  std::vector<RecordId> records_;
  std::vector<Units> weights_;
  std::vector<std::vector<uint32_t>> values_;
  std::vector<std::vector<uint64_t>> bits_;
  std::vector<bool> in_pool_;  // by record
  size_t present_ = 0;
  uint32_t generation_ = 0;
};

}  // namespace thicket
