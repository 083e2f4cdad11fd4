#include <string>
#include <string_view>

#include "io/writers.h"

namespace thicket {

void AppendCsvField(std::string_view text, char delimiter, std::string& out) {
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

Status WriteCsv(OutgoingRecords& records, const WriteOptions& options, const WriteBytes& write) {
  const TableShape& table = records.data().shape.tables.front();
  const char delimiter = table.delimiter;
  OutputBuffer output(write);
  std::string& out = output.text();
  // A line with one empty field would be a blank line, which is no row.
  const bool alone = table.columns.size() + (options.with_class ? 1 : 0) == 1;
  const auto add = [&](std::string_view text, bool first) {
    if (!first) out += delimiter;
    AppendCsvField(text, delimiter, out);
    if (alone && text.empty()) out += "\"\"";
  };
  const auto end_row = [&](std::string_view class_number) {
    if (options.with_class) add(class_number, table.columns.empty());
    out += '\n';
  };
  for (size_t i = 0; i < table.columns.size(); ++i) {
    add(records.schema().root().slot_name(table.columns[i].slot), i == 0);
  }
  end_row(kClassKey);
  for (size_t record = 0; record < records.count(); ++record) {
    records.Select(record);
    for (size_t i = 0; i < table.columns.size(); ++i) {
      add(records.Value(0, table.columns[i].slot).text, i == 0);
    }
    end_row(std::to_string(records.group()));
    THICKET_TRY(output.FlushIfLarge());
  }
  return output.Flush();
}

}  // namespace thicket
