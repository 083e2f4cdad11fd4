// In how many records of a class a sensitive value stands, in whichever vertex.
//
// l-diversity (Definition 3.15 of Ozalp et al. 2016) is about aligned vertices. Two records with the diagnoses [HIV, flu] and
// [flu, HIV] are 2-diverse, and yet both have HIV: the conclusion of the paper says so. Here a record counts once for each
// value that any of its vertices of a class has; a missing value is none.
//
//   RecordShares shares;
//   shares.Count(forest, aligned, records, id, slot, codes);
//   shares.most();   // of the value that most records have
//
// O(vertices of the class) per question.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/forest.h"

namespace thicket {

class RecordShares {
 public:
  // What is not counted.
  static constexpr uint32_t kNone = 0;

  // `vertices`: those of all records of the class, record by record, `per_record` of each. `codes`: by symbol, what the values
  // of `slot` in vertices of class `id` count as, kNone for a missing one.
  void Count(const Forest& forest, std::span<const Vertex> vertices, size_t per_record, ClassId id,
             size_t slot, std::span<const uint32_t> codes);

  // In how many records the code stands.
  size_t records(uint32_t code) const { return code < counts_.size() ? counts_[code].records : 0; }
  // A vertex that has it; only if a record does.
  Vertex example(uint32_t code) const { return counts_[code].example; }
  // In how many records the code stands that stands in most, and that code.
  size_t most() const { return records(most_common_); }
  uint32_t most_common() const { return most_common_; }
  // All codes that stand somewhere, each once, in the order in which they were found.
  std::span<const uint32_t> codes() const { return touched_; }

 private:
  struct Tally {
    size_t records = 0;
    size_t last_record = 0;  // from 1
    Vertex example = 0;
  };
  std::vector<Tally> counts_;  // by code
  std::vector<uint32_t> touched_;
  uint32_t most_common_ = kNone;
};

}  // namespace thicket
