// Rows of numbers, each different one once: how often it occurs, and the first record that has it.
//
// A published table has few different rows, however many records it has. What is checked of each record is checked once for each
// different row, with its count.
//
//   RowCounts rows(2);
//   rows.Add({3, 7}, record); ...
//   for (size_t i = 0; i < rows.size(); ++i) Use(rows.row(i), rows.count(i), rows.first(i));
//
// Rows stand in the order of their first records, and are compared in full. O(width) for each record.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/forest.h"

namespace thicket {

class RowCounts {
 public:
  explicit RowCounts(size_t width) : width_(width), table_(1024, 0) {}

  // Records must come in ascending order.
  void Add(std::span<const uint32_t> row, RecordId record) {
    size_t place = HashOf(row) & (table_.size() - 1);
    for (; table_[place] != 0; place = (place + 1) & (table_.size() - 1)) {
      const size_t known = table_[place] - 1;
      if (!std::equal(row.begin(), row.end(), numbers_.data() + known * width_)) continue;
      ++counts_[known];
      return;
    }
    numbers_.insert(numbers_.end(), row.begin(), row.end());
    counts_.push_back(1);
    first_.push_back(record);
    table_[place] = static_cast<uint32_t>(counts_.size());
    if (counts_.size() * 2 > table_.size()) Grow();
  }

  size_t size() const { return counts_.size(); }
  std::span<const uint32_t> row(size_t i) const { return {numbers_.data() + i * width_, width_}; }
  uint64_t count(size_t i) const { return counts_[i]; }
  RecordId first(size_t i) const { return first_[i]; }

 private:
  static size_t HashOf(std::span<const uint32_t> row) {
    uint64_t hash = 0x2545f4914f6cdd1dULL;
    for (const uint32_t number : row) {
      hash = (hash ^ number) * 0xd6e8feb86659fd93ULL;
      hash ^= hash >> 32;
    }
    return static_cast<size_t>(hash);
  }
  void Grow() {
    table_.assign(table_.size() * 2, 0);
    for (uint32_t i = 0; i < counts_.size(); ++i) {
      size_t place = HashOf(row(i)) & (table_.size() - 1);
      while (table_[place] != 0) place = (place + 1) & (table_.size() - 1);
      table_[place] = i + 1;
    }
  }

  size_t width_;
  std::vector<uint32_t> numbers_;
  std::vector<uint64_t> counts_;
  std::vector<RecordId> first_;
  // Open addressing: the number of a row and one, 0 for a free place.
  std::vector<uint32_t> table_;
};

}  // namespace thicket
