// Who of very many records may have most in common with one of them, and how much the rest has at most.
//
// As grouping/label_scan.h: bitmaps of who has a label, added up 64 sums to a word. But sums are bounds here. What rounding takes
// away is known for each query and added to all sums alike; an item without a bitmap of its own counts for whoever has the label above, or fewer
// vertices there; and where values must differ (grouping/shared_labels.h), an item of a single vertex does not count for those of whom all
// vertices at the label have its value. So nobody who is left out keeps more than Query::rest().
//
//   LabelSums sums(model, labels, values);
//   LabelSums::Query query;
//   sums.Load(own, record, LabelSums::Roots::kAny, least, 64, query);      // own: the SharedLabels of the record
//   sums.Find({&query, 1}, workspace);
//   for (const LabelSums::Found& found : query.found()) Compare(found.record);
//
// Several queries at once read each block of records while it is in the cache; what each finds is a function of the data alone. A look
// takes one to six cycles for each record. Memory: a bit for each record and bitmap, of which there are at most 4,096.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "grouping/bit_sums.h"
#include "grouping/counted_labels.h"
#include "grouping/shared_labels.h"
#include "matching/tree_model.h"

namespace thicket {

class LabelSums {
 public:
  struct Found {
    Units
        most;  // what the record and the one that looks keep together at most, as far as sums tell
    RecordId record;
  };
  // What is asked of the roots of those who are found.
  enum class Roots {
    kAny,
    kApart,  // another sensitive value, where one attribute of at most 64 values decides
  };

  // Of all records. `values` as in SharedLabels.
  LabelSums(const TreeModel& model, const CountedLabels& labels,
            const std::vector<uint32_t>& values);

  // Whether Roots::kApart leaves anybody out.
  bool roots_decide() const { return root_values_ != kNoRow; }

  class Query {
   public:
    // The records that may keep more than `least`, the best first; of equals the one with the lowest number.
    const std::vector<Found>& found() const { return found_; }
    // What anybody else keeps at most; at least `least`.
    Units rest() const { return rest_; }

   private:
    friend class LabelSums;
    // Whoever has `row`, less those who have `without`, counts so much.
    struct Weight {
      uint32_t row;
      uint32_t without;
      Units weight;
    };
    RecordId record_ = 0;
    Units least_ = 0;
    size_t most_ = 0;
    uint32_t forbidden_ = 0;  // a row, or kNoRow
    Units base_ = 0;          // what everybody has
    Units unit_ = 1;          // what a sum of one stands for
    std::vector<Weight> weights_;
    uint32_t needed_ = 0;  // the least sum that is of interest
    std::vector<Found> found_;
    Units rest_ = 0;
  };
  class Workspace {
    friend class LabelSums;
    std::vector<FineBitSums::Row> masked_;
    std::vector<FineBitSums::Term> terms_;
    FineBitSums sums_;
  };

  // What the record that `own` has loaded looks for: the `most` records that may keep most, if more than `least`.
  void Load(const SharedLabels& own, RecordId record, Roots roots, Units least, size_t most,
            Query& query) const;
  void Find(std::span<Query> queries, Workspace& work) const;

 private:
  static constexpr uint32_t kNoRow = std::numeric_limits<uint32_t>::max();

  struct Block {
    std::vector<FineBitSums::Row> rows;
    FineBitSums::Row present{};
  };
  // The rows of a node: of one vertex, two vertices, and so on, in larger steps for many.
  struct NodeRows {
    uint32_t first = kNoRow;
    uint32_t steps = 0;
    uint32_t holders = 0;
  };
  // A node of a record: how many vertices, and whether all have one value.
  struct Standing {
    uint32_t node;
    uint32_t count;
    uint32_t value;  // SharedLabels::kNoValue unless all have this one
  };

  // Fills listed_ with the nodes of a record, ascending.
  void List(RecordId record);
  void ChooseRows();
  void Write(RecordId record);
  // The row of the j-th vertex at a node, or that of fewer vertices, or of a node above; kNoRow if everybody may have it.
  uint32_t RowOf(uint32_t node, uint32_t count) const;
  uint32_t ValueRow(uint32_t node, uint32_t value) const;
  void Look(size_t number, Query& query, Workspace& work) const;
  static void Shorten(Query& query);

  const TreeModel* model_;
  const CountedLabels* labels_;
  const std::vector<uint32_t>* vertex_values_;
  std::vector<NodeRows> node_rows_;
  std::unordered_map<uint64_t, uint32_t> value_rows_;  // by node and value
  uint32_t root_values_ = kNoRow;                      // by bucket of the root
  uint32_t row_count_ = 0;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<Standing> listed_;
  std::vector<std::pair<uint32_t, uint32_t>> pairs_;  // node and value
};

}  // namespace thicket
