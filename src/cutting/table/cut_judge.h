// Whether a cut of a table is valid, what it costs, and what must be left out of its publication. From scratch: for
// searches that go from cut to cut in any order, and for whoever publishes the cut that was found.
//
//   CutJudge judge(task);
//   const CutOutcome outcome = judge.Judge(labels);         // one label on each way from a root to a leaf
//   if (outcome.valid) Compare(outcome.cost);
//
// O(cells) for a cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "cutting/table/class_judge.h"
#include "cutting/table/key_numbers.h"

namespace thicket {

struct CutOutcome {
  bool valid = true;
  TableTask::Cost cost = 0;
  // Published classes, and those that broke the promise.
  uint64_t classes = 0;
  uint64_t violating_classes = 0;
  uint64_t suppressed_records = 0;
  uint64_t suppressed_values = 0;
};

// What must be left out of a publication of a cut.
struct TableSuppression {
  struct Value {
    uint32_t record;
    // A sensitive attribute.
    uint32_t attribute;
    friend bool operator==(const Value&, const Value&) = default;
  };
  // Both ascending.
  std::vector<uint32_t> records;
  std::vector<Value> values;
};

class CutJudge {
 public:
  explicit CutJudge(const TableTask& task);

  // The labels of a cut of the table's forest, in any order. Cost and counts are only those of a valid cut.
  CutOutcome Judge(std::span<const Item> labels);

  // Which records, and which values, go. How many of each kind follows from the table; who of those that are equal (same
  // class, same value, same label where CM asks) is drawn, so that neither the order of the records nor a name says who is
  // published. Leaving out at random among equals is truthful, and safe: every record that stays is as it was, and
  // the counts that the promise is about are those of the class. The cut must be valid.
  TableSuppression Suppress(std::span<const Item> labels, Random& random);

  // By cell: the number of its class, from 0 in the order of their first cells; of the cut that was last given.
  const std::vector<uint32_t>& class_of_cell() const { return class_of_cell_; }

 private:
  // Into `class_of_cell_`, `numbers_`, `first_cell_` and `cells_`.
  void FindClasses(std::span<const Item> labels);
  void NumberKeys();
  void SortCells();
  // The kinds of a class, cell by cell, into `kinds_`; what its labels lose per record.
  TableTask::Cost GatherKinds(size_t number);
  void StarValues(std::span<const uint32_t> records, TableSuppression& result);
  void DrawRecords(std::vector<uint32_t>& records, Random& random, TableSuppression& result);

  const TableTask* task_;
  ClassJudge judge_;
  // By item: the label at or above it.
  std::vector<Item> label_of_;
  std::vector<uint64_t> keys_;
  KeyNumbers numbers_;
  std::vector<uint32_t> class_of_cell_;
  // The cells of a class are cells_[first_cell_[class]] and on.
  std::vector<uint32_t> first_cell_;
  std::vector<uint32_t> cells_;
  std::vector<Table::KindCount> kinds_;
};

}  // namespace thicket
