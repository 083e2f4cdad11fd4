// Records as rows of joined tables, with fresh keys: what the writers of CSV folders, SQLite and PostgreSQL share.
//
// In globally recoded data a vertex may stand below an ancestor of its class's parent. Its row then has no parent, and
// names that ancestor's row in a column of its own (AncestorColumns), which is there only if some row needs it. A vertex
// that shows several values is several rows: the first one has the vertex's children, the others the further values.
//
// The key of a row is its number in its table, from 1 on. Records come shuffled and siblings in canonical order, so a key
// leads back to nobody; readers of published data check that keys are such numbers.
//
//   OutgoingTables tables(records, options);
//   for (ClassId id = 0; id < classes; ++id) {
//     Create(tables.name(id), tables.columns(id));
//     THICKET_TRY(tables.ForEachRow(id, [&](const std::vector<OutgoingValue>& row) { ... return Status(); }));
//   }
//
// One pass over the records per table, and one more where vertices are moved; O(longest row) memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/phase.h"
#include "io/dataset_io.h"

namespace thicket {

struct OutgoingColumn {
  enum class Role : uint8_t { kQuasi, kOther, kKey, kParent, kAncestor, kClassNumber };
  std::string name;
  Role role = Role::kOther;
  // kQuasi, kOther: the slot of the class.
  size_t slot = 0;
  // As the source's database declared it; empty if none did.
  std::string type;
  // kParent, kAncestor: the class whose rows it leads to, and whether it may be empty.
  ClassId target = 0;
  bool nullable = false;
  // kOther: whether some of its values are suppressed.
  bool has_suppressed = false;
};

class OutgoingTables {
 public:
  // Columns stand as in the source's tables; where the source has none (a data set that is converted), the own key and
  // the parent's come first, then the values in the order of the schema. --with-class adds a last column to the table of
  // persons. The schema must say which tables and keys there are. `records` must outlive it.
  OutgoingTables(OutgoingRecords& records, const WriteOptions& options);

  const VertexClass& vertex_class(ClassId id) const { return records_->schema().classes[id]; }
  const std::string& name(ClassId id) const { return vertex_class(id).table; }
  const std::vector<OutgoingColumn>& columns(ClassId id) const { return columns_[id]; }

  // Keys are whole numbers, of kind kNumber, and so is the number of the class of records. The row is valid during the
  // call only.
  using Row = std::function<Status(const std::vector<OutgoingValue>& row)>;
  Status ForEachRow(ClassId id, const Row& row);

 private:
  // A vertex on the way from the root to the one that is looked at: its class, its key, and where its subtree ends.
  struct Open {
    ClassId id;
    uint64_t key;
    size_t end;
  };

  void AddColumns(ClassId id, const std::vector<bool>& moved_to, const WriteOptions& options);
  // By class, and by the class of an ancestor: whether there is a vertex that was moved there.
  std::vector<std::vector<bool>> FindMoved();
  // How many rows a vertex is.
  size_t CountRows(size_t position);
  void FillRow(ClassId id, size_t position, size_t index, uint64_t key, const Open& parent);

  OutgoingRecords* records_;
  // Each table is a way through all records.
  Phase phase_;
  // By class.
  std::vector<std::vector<OutgoingColumn>> columns_;
  std::vector<Open> open_;
  // The row that is handed out, and its texts one after another.
  std::vector<OutgoingValue> row_;
  std::vector<size_t> ends_;
  std::string text_;
};

}  // namespace thicket
