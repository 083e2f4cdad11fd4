#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"
#include "io/arrow/arrow_cells.h"
#include "io/arrow/arrow_groups.h"
#include "io/arrow/arrow_writer.h"
#include "io/person_rows.h"

namespace thicket {

namespace {

class ArrowGroupWriter {
 public:
  ArrowGroupWriter(OutgoingRecords& records, const WriteOptions& options, const ArrowType* like)
      : records_(records),
        columns_(ColumnsOfPersonRows(records.data())),
        table_(ArrowCells::Struct("")) {
    for (const TableColumn& column : columns_) {
      cells_.push_back(&table_.Add(
          ArrowCells::Leaf(NameOfColumn(records.schema(), column), TypeOf(column, like))));
    }
    if (options.with_class) {
      class_number_ = &table_.Add(ArrowCells::Leaf(std::string(kClassKey), PlainType("l")));
    }
  }

  ArrowTable Write() {
    Phase phase("write", records_.count());
    for (size_t i = 0; i < records_.count(); ++i) {
      StopPoint();
      WriteRecord(i);
      phase.Advance();
    }
    return std::move(table_).Finish();
  }

 private:
  // In which position nobody stands: that of the person.
  static constexpr size_t kNoVertex = 0;

  ArrowType TypeOf(const TableColumn& column, const ArrowType* like) const {
    if (column.role == TableColumn::Role::kKey) return PlainType("l");
    const ArrowType* source = nullptr;
    for (size_t i = 0; like != nullptr && i < like->children.size(); ++i) {
      if (like->children[i].name == NameOfColumn(records_.schema(), column)) {
        source = &like->children[i];
      }
    }
    return PublishedType(records_, ClassOf(column), column.slot, source);
  }

  static ClassId ClassOf(const TableColumn& column) {
    return column.name.empty() ? PersonRows::kPerson : PersonRows::kRow;
  }

  void WriteRecord(size_t record) {
    records_.Select(record);
    bool any = false;
    for (size_t position = 1; position < records_.size(); ++position) {
      if (records_.vertex_class(position) != PersonRows::kRow) continue;
      const size_t rows = RowsOfVertex(records_, position);
      for (size_t index = 0; index < rows; ++index) WriteRow(record, position, index);
      any = true;
    }
    if (!any) WriteRow(record, kNoVertex, 0);
  }

  void WriteRow(size_t record, size_t position, size_t index) {
    const size_t quasi = records_.schema().classes[PersonRows::kRow].quasi.size();
    for (size_t i = 0; i < columns_.size(); ++i) {
      const TableColumn& column = columns_[i];
      if (column.role == TableColumn::Role::kKey) {
        cells_[i]->Append({ValueKind::kNumber, std::to_string(record + 1)});
      } else if (ClassOf(column) == PersonRows::kPerson) {
        cells_[i]->Append(records_.Value(0, column.slot));
      } else if (position == kNoVertex) {
        cells_[i]->AppendNull();
      } else {
        // Labels are the same in all rows of a vertex.
        cells_[i]->Append(records_.ValueAt(position, column.slot, column.slot < quasi ? 0 : index));
      }
    }
    if (class_number_ != nullptr) {
      class_number_->Append({ValueKind::kNumber, std::to_string(records_.group())});
    }
    table_.EndStruct();
  }

  OutgoingRecords& records_;
  std::vector<TableColumn> columns_;
  ArrowCells table_;
  // By column.
  std::vector<ArrowCells*> cells_;
  ArrowCells* class_number_ = nullptr;
};

}  // namespace

Result<ArrowTable> WriteArrowGroups(OutgoingRecords& records, const WriteOptions& options,
                                    const ArrowTable* like) {
  if (like == nullptr) return ArrowGroupWriter(records, options, nullptr).Write();
  THICKET_ASSIGN(const ArrowType type, ArrowType::OfTable(like->schema(), "table"));
  return ArrowGroupWriter(records, options, &type).Write();
}

}  // namespace thicket
