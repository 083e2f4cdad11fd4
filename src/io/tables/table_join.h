// Rows of several tables, joined by keys into trees: what the readers of CSV folders, SQLite and PostgreSQL share.
//
// Tables come in the order of the schema's classes, so parents before children. A row's values are interned as it is read;
// of its keys only keyed hashes stay (IdSet), so no text is held twice. When all tables are read, children are sorted by
// their parents and the forest is built in the order of the person table, siblings in the order of their own tables.
//
// The key of a published row is its number in its table, and rows stand in the order of the rows that they belong to, as
// OutgoingTables writes them. Anything else is a kPromise error: an order of its own could be that of the originals.
//
//   TableJoin join(policy, sink);
//   for (ClassId id = 0; id < classes; ++id) {
//     THICKET_TRY(join.BeginTable(id, "data/courses.csv", columns));
//     while (...) THICKET_TRY(join.AddRow(fields, line));
//     THICKET_TRY(join.EndTable());
//   }
//   THICKET_TRY(join.Finish());
//
// The rules of a snowflake (Nergiz et al. 2008, section IV-A) that only the data can break are checked here, each with its
// own message that names table, column and the first row: keys are there and unique; every row reaches a person (else it
// is an orphan: an error, or with `orphans: drop` left out and counted); no published column is a second key.
//
// In published k^(m,n)-anonymous data a row may have no parent and name the row of another ancestor instead, in a column of
// its own (AncestorColumns in policy/moved_vertices.h).
//
// O(rows) time. While rows are read a row takes 4 bytes per value and 8 more; an original key takes about 50, and a
// published row 4.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/dataset_sink.h"
#include "io/id_set.h"
#include "policy/policy.h"

namespace thicket {

// Foreign keys of several columns are left out: no table can be joined by them.
struct CatalogueForeignKey {
  std::string column;
  std::string table;
  std::string referenced_column;
};

class TableJoin {
 public:
  // kNone: no value (NULL, or an empty field of a CSV file).
  struct Field {
    ValueKind kind = ValueKind::kNone;
    std::string_view text;
    // Whether a database stores it as a floating-point number, also where the text is that of a whole one.
    bool real = false;
  };
  struct Column {
    std::string name;
    // As a database declares it; empty if it does not.
    std::string type = "";
    // The table of the policy that a declared foreign key leads to; empty if there is none.
    std::string references = "";
  };

  // Both must outlive the join. Messages speak of rows instead of lines where sink.dataset().has_lines is false.
  TableJoin(const Policy& policy, DatasetSink& sink);

  // Takes over which columns are declared as keys to tables of the policy: those may not be published.
  void AddReferences(const std::vector<CatalogueForeignKey>& keys,
                     std::vector<Column>& columns) const;
  // `source` names the table in messages ("data/courses.csv", "students.db: courses").
  Status BeginTable(ClassId id, std::string source, const std::vector<Column>& columns);
  // Whether the values of a column matter; a reader need not fetch the others.
  bool Wants(size_t column) const {
    return columns_[column].role != Role::kNone || is_part_[column];
  }
  // Whether a column holds a quasi-identifier.
  bool IsQuasi(size_t column) const {
    return columns_[column].role == Role::kValue &&
           columns_[column].slot < type(current_).quasi.size();
  }
  // One field per column of BeginTable(). `place` is a line, or the number of the row.
  Status AddRow(const std::vector<Field>& fields, uint32_t place);
  Status EndTable();

  // Hands the trees to the sink, whose Finish() comes next.
  Status Finish();

 private:
  using Row = uint32_t;
  static constexpr Row kNoRow = std::numeric_limits<Row>::max();
  static constexpr size_t kNoColumn = std::numeric_limits<size_t>::max();

  enum class Role : uint8_t { kNone, kKey, kParent, kAncestor, kId, kDrop, kClassNumber, kValue };
  struct Meaning {
    Role role = Role::kNone;
    // kValue: the slot of the class.
    size_t slot = 0;
    std::string name;
  };
  struct Table {
    std::string source;
    // By row.
    std::vector<uint32_t> places;
    // By row and slot.
    std::vector<Symbol> values;
    // By row: the parent's row, kNoRow for an orphan. Empty for the person table.
    std::vector<Row> parents;
    // By row: the class of that parent. Empty if it is the usual one for all.
    std::vector<ClassId> parent_classes;
    // Published data, by row: what stands under kClassKey. Empty if the table has no such column.
    std::vector<Symbol> class_numbers;
    // Original data: keys as they were read; the place of an entry is one more than its row.
    IdSet keys;
    // Published data, by row: the row of the person that it belongs to. Empty for the person table.
    std::vector<Row> persons;
    uint64_t orphans = 0;
    Row first_orphan = kNoRow;
    std::string first_orphan_key;
    std::string first_orphan_column;
    ClassId first_orphan_class = 0;

    Row rows() const { return static_cast<Row>(places.size()); }
  };
  // The rows of a class by their parents of another: those of row r are [first[r], first[r + 1]).
  struct Children {
    ClassId id = 0;
    std::vector<uint32_t> first;
    std::vector<Row> rows;
  };

  const VertexClass& type(ClassId id) const { return sink_->schema().classes[id]; }
  const std::string& KeyColumn() const { return type(current_).key; }
  const std::string& ParentColumn() const { return type(current_).parent_key; }

  // `slot` is set for kValue.
  Role RoleOf(const std::string& column, size_t& slot);
  Status CheckColumns(const std::vector<Column>& columns) const;
  Status CheckReference(const Column& column) const;
  void KeepKey(size_t column);

  // Original data: the columns of a key of several, in the order of the policy; empty for others.
  std::vector<size_t> FindParts(const std::vector<std::string>& parts,
                                const std::vector<Column>& columns);
  // A key as one text; kNone where a part of it is missing.
  Field Joined(const std::vector<Field>& fields, const std::vector<size_t>& parts, size_t column);
  bool IsPart(const std::string& column) const;

  Status AddKey(const Field& field);
  Status CheckPublishedKey(const Field& field) const;
  Status CheckPublishedOrder(size_t column, ClassId parent_class, const Field& field);
  Status AddParent(const std::vector<Field>& fields);
  Row FindParent(ClassId parent_class, const Field& field) const;
  Status AddId(const Field& field);
  Status CheckOrphans();
  static std::string OrphansHint(const Table& table, const std::string& parent);
  Status CheckSecondKeys() const;
  Status CheckSecondKey(ClassId id, size_t slot) const;
  bool IsKeyName(ClassId id, const std::string& column) const;

  Children SortByParent(ClassId id, ClassId above) const;
  void SortByParents(ClassId id);
  Status Emit(ClassId id, Row row);

  std::string Place(Row row) const;
  ErrorPlace PlaceOf(const Table& table, Row row, const std::string& column) const;
  // About the row that is being read.
  Error Wrong(const std::string& column, std::string_view what, std::string hint,
              std::string_view value) const;
  Error Leak(const std::string& column, std::string_view what, std::string_view value) const;

  const Policy* policy_;
  DatasetSink* sink_;
  std::vector<Table> tables_;
  // By the class of the parents; in the order of the children's classes.
  std::vector<std::vector<Children>> children_;
  IdSet ids_;
  Dictionary class_numbers_;
  // How many vertices and values there are so far.
  uint64_t size_ = 0;

  // The table that is being read.
  ClassId current_ = 0;
  std::vector<Meaning> columns_;
  std::vector<size_t> wanted_;
  size_t key_column_ = kNoColumn;
  size_t parent_column_ = kNoColumn;
  std::vector<size_t> key_parts_;
  std::vector<size_t> parent_parts_;
  // By column.
  std::vector<bool> is_part_;
  std::string joined_;
  struct AncestorAt {
    size_t column;
    ClassId ancestor;
  };
  std::vector<AncestorAt> ancestor_columns_;
  // Published data, by column: the row that the last row with a value there belongs to.
  std::vector<Row> last_parent_;
};

}  // namespace thicket
