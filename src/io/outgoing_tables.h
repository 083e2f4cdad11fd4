// Records as rows of joined tables, with fresh keys: what the writers of CSV folders, SQLite and PostgreSQL share.
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
// One pass over the records per table, O(longest row) memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/dataset_io.h"

namespace thicket {

struct OutgoingColumn {
  enum class Role : uint8_t { kQuasi, kOther, kKey, kParent, kClassNumber };
  std::string name;
  Role role = Role::kOther;
  // kQuasi, kOther: the slot of the class.
  size_t slot = 0;
  // As the source's database declared it; empty if none did.
  std::string type;
};

class OutgoingTables {
 public:
  // Columns stand as in the source's tables; where the source has none (a data set that is converted), the own key and
  // the parent's come first, then the values in the order of the schema. --with-class adds a last column to the table of
  // persons. The schema must say which tables and keys there are. `records` must outlive it.
  OutgoingTables(OutgoingRecords& records, const WriteOptions& options);

  const std::string& name(ClassId id) const { return records_->schema().classes[id].table; }
  const std::vector<OutgoingColumn>& columns(ClassId id) const { return columns_[id]; }

  // Keys are whole numbers, of kind kNumber, and so is the number of the class of records. The row is valid during the
  // call only.
  using Row = std::function<Status(const std::vector<OutgoingValue>& row)>;
  Status ForEachRow(ClassId id, const Row& row);

 private:
  void AddColumns(ClassId id, const WriteOptions& options);
  void FillRow(ClassId id, size_t position, uint64_t key, uint64_t parent);

  OutgoingRecords* records_;
  // By class.
  std::vector<std::vector<OutgoingColumn>> columns_;
  // The row that is handed out, and its texts one after another.
  std::vector<OutgoingValue> row_;
  std::vector<size_t> ends_;
  std::string text_;
};

}  // namespace thicket
