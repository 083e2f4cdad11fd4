#include <string>
#include <string_view>
#include <vector>

#include "io/tables/outgoing_tables.h"
#include "io/writers.h"

namespace thicket {

namespace {

// Quotes wherever the field could be taken for something else, also by a reader that has yet to find the delimiter.
void AppendField(std::string_view text, char delimiter, std::string& out) {
  const bool quote = text.find_first_of("\",;\t|\r\n") != std::string_view::npos ||
                     text.find(delimiter) != std::string_view::npos;
  if (!quote) {
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

}  // namespace

Status WriteCsvTable(OutgoingTables& tables, ClassId id, char delimiter, const WriteBytes& write) {
  OutputBuffer output(write);
  std::string& out = output.text();
  const auto add = [&](std::string_view text, size_t column) {
    if (column > 0) out += delimiter;
    AppendField(text, delimiter, out);
    // A line with one empty field would be a blank line, which is no row.
    if (text.empty() && tables.columns(id).size() == 1) out += "\"\"";
  };
  for (size_t i = 0; i < tables.columns(id).size(); ++i) add(tables.columns(id)[i].name, i);
  out += '\n';
  THICKET_TRY(tables.ForEachRow(id, [&](const std::vector<OutgoingValue>& row) {
    for (size_t i = 0; i < row.size(); ++i) add(row[i].text, i);
    out += '\n';
    return output.FlushIfLarge();
  }));
  return output.Flush();
}

Status WriteCsv(OutgoingRecords& records, const WriteOptions& options, const WriteBytes& write) {
  OutgoingTables tables(records, options);
  return WriteCsvTable(tables, 0, records.data().shape.tables.front().delimiter, write);
}

}  // namespace thicket
