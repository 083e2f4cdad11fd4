#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/phase.h"
#include "base/stop.h"
#include "io/csv/csv_field.h"
#include "io/csv/csv_groups.h"
#include "io/csv/decimal_comma.h"
#include "io/file/latin1.h"
#include "io/person_rows.h"
#include "io/writers.h"

namespace thicket {

namespace {

class GroupWriter {
 public:
  GroupWriter(const InputPolicy& input, OutgoingRecords& records, const WriteOptions& options)
      : of_person_(input, records.schema().root()),
        of_row_(input, records.schema().classes[PersonRows::kRow]),
        records_(&records),
        with_class_(options.with_class),
        delimiter_(records.data().shape.tables.front().delimiter),
        columns_(ColumnsOfPersonRows(records.data())) {}

  void WriteHeader(std::string& out) const {
    const Schema& schema = records_->schema();
    bool first = true;
    for (const TableColumn& column : columns_) {
      Add(NameOfColumn(schema, column), first, out);
      first = false;
    }
    if (with_class_) Add(kClassKey, first, out);
    out += '\n';
  }

  void WriteRecord(size_t record, std::string& out) {
    records_->Select(record);
    bool any = false;
    for (size_t position = 1; position < records_->size(); ++position) {
      if (records_->vertex_class(position) != PersonRows::kRow) continue;
      const size_t rows = RowsOfVertex(*records_, position);
      for (size_t index = 0; index < rows; ++index) WriteRow(record, position, index, out);
      any = true;
    }
    if (!any) WriteRow(record, 0, 0, out);
  }

 private:
  // `position` is 0 where the person has no row.
  void WriteRow(size_t record, size_t position, size_t index, std::string& out) {
    const size_t quasi = records_->schema().classes[PersonRows::kRow].quasi.size();
    bool first = true;
    for (const TableColumn& column : columns_) {
      if (column.role == TableColumn::Role::kKey) {
        Add(fmt::format("{}", record + 1), first, out);
      } else if (column.name.empty()) {
        Add(of_person_.Turn(column.slot, records_->Value(0, column.slot).text, turned_), first,
            out);
      } else if (position == 0) {
        Add("", first, out);
      } else {
        // Labels are the same in all rows of a vertex.
        const std::string_view text =
            records_->ValueAt(position, column.slot, column.slot < quasi ? 0 : index).text;
        Add(of_row_.Turn(column.slot, text, turned_), first, out);
      }
      first = false;
    }
    if (with_class_) Add(fmt::format("{}", records_->group()), first, out);
    out += '\n';
  }

  void Add(std::string_view text, bool first, std::string& out) const {
    if (!first) out += delimiter_;
    AppendCsvField(text, delimiter_, out);
  }

  DecimalComma of_person_;
  DecimalComma of_row_;
  std::string turned_;
  OutgoingRecords* records_;
  bool with_class_;
  char delimiter_;
  std::vector<TableColumn> columns_;
};

}  // namespace

Status WriteCsvGroups(const InputPolicy& input, OutgoingRecords& records,
                      const WriteOptions& options, const WriteBytes& write) {
  GroupWriter writer(input, records, options);
  const WriteBytes encode = [&](std::string_view text) -> Status {
    THICKET_ASSIGN(const std::string bytes, ToLatin1(text));
    return write(bytes);
  };
  OutputBuffer output(input.encoding == TextEncoding::kLatin1 ? encode : write);
  writer.WriteHeader(output.text());
  Phase phase("write", records.count());
  for (size_t i = 0; i < records.count(); ++i) {
    StopPoint();
    writer.WriteRecord(i, output.text());
    THICKET_TRY(output.FlushIfLarge());
    phase.Advance();
  }
  return output.Flush();
}

}  // namespace thicket
