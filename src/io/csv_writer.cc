#include <string>
#include <string_view>

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

Status WriteCsv(const EncodedDataset& data, const Published& published,
                const std::vector<Place>& order, const WriteOptions& options, const Write& write) {
  const char delimiter = data.data.delimiter;
  const std::vector<size_t>& columns = data.data.columns;
  PublishedValues values(data);
  OutputBuffer output(write);
  std::string& out = output.text();
  // A line with one empty field would be a blank line, which is no row.
  const bool alone = columns.size() + (options.with_class ? 1 : 0) == 1;
  const auto begin = [&](bool first) {
    if (!first) out += delimiter;
  };
  for (size_t i = 0; i < columns.size(); ++i) {
    begin(i == 0);
    const std::string& name = data.schema().root().slot_name(columns[i]);
    AppendField(name, delimiter, out);
    if (alone && name.empty()) out += "\"\"";
  }
  if (options.with_class) {
    begin(columns.empty());
    out += kClassKey;
  }
  out += '\n';
  for (const Place& place : order) {
    const PublishedClass& group = published.classes[place.group];
    for (size_t i = 0; i < columns.size(); ++i) {
      begin(i == 0);
      const PublishedValue value = values.Get(group, place.member, 0, columns[i]);
      AppendField(value.text, delimiter, out);
      if (alone && value.text.empty()) out += "\"\"";
    }
    if (options.with_class) {
      begin(columns.empty());
      out += std::to_string(place.group);
    }
    out += '\n';
    THICKET_TRY(output.FlushIfLarge());
  }
  return output.Flush();
}

}  // namespace thicket
