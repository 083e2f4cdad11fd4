#include <string>
#include <string_view>
#include <vector>

#include "io/csv/csv_characters.h"
#include "io/csv/csv_field.h"
#include "io/csv/csv_groups.h"
#include "io/csv/decimal_comma.h"
#include "io/file/latin1.h"
#include "io/tables/outgoing_tables.h"
#include "io/writers.h"

namespace thicket {

void AppendCsvField(std::string_view text, char delimiter, std::string& out) {
  if (CsvCharacters(text, delimiter) == 0) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

Status WriteCsvTable(const InputPolicy& input, OutgoingTables& tables, ClassId id, char delimiter,
                     const WriteBytes& write) {
  const WriteBytes encode = [&](std::string_view text) -> Status {
    THICKET_ASSIGN(const std::string bytes, ToLatin1(text));
    return write(bytes);
  };
  OutputBuffer output(input.encoding == TextEncoding::kLatin1 ? encode : write);
  std::string& out = output.text();
  const auto add = [&](std::string_view text, size_t column) {
    if (column > 0) out += delimiter;
    AppendCsvField(text, delimiter, out);
    // A line with one empty field would be a blank line, which is no row.
    if (text.empty() && tables.columns(id).size() == 1) out += "\"\"";
  };
  const std::vector<OutgoingColumn>& columns = tables.columns(id);
  for (size_t i = 0; i < columns.size(); ++i) add(columns[i].name, i);
  out += '\n';
  const DecimalComma numbers(input, tables.vertex_class(id));
  std::string turned;
  const auto is_value = [](const OutgoingColumn& column) {
    return column.role == OutgoingColumn::Role::kQuasi ||
           column.role == OutgoingColumn::Role::kOther;
  };
  THICKET_TRY(tables.ForEachRow(id, [&](const std::vector<OutgoingValue>& row) {
    for (size_t i = 0; i < row.size(); ++i) {
      const bool turn = numbers.any() && is_value(columns[i]);
      add(turn ? numbers.Turn(columns[i].slot, row[i].text, turned) : row[i].text, i);
    }
    out += '\n';
    return output.FlushIfLarge();
  }));
  return output.Flush();
}

Status WriteCsv(const InputPolicy& input, OutgoingRecords& records, const WriteOptions& options,
                const WriteBytes& write) {
  if (!records.schema().root().group_by.empty()) {
    return WriteCsvGroups(input, records, options, write);
  }
  OutgoingTables tables(records, options);
  return WriteCsvTable(input, tables, 0, records.data().shape.tables.front().delimiter, write);
}

}  // namespace thicket
