#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/phase.h"
#include "io/readers.h"
#include "io/writers.h"

namespace thicket {

namespace {

void AppendItem(std::string_view text, char delimiter, std::string& out) {
  if (!NeedsQuotes(text, delimiter)) {
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

Error HasLineEnd(const OutgoingRecords& records, std::string_view text) {
  const VertexClass& item = records.schema().classes[1];
  return ErrorAt(
      ErrorCode::kData,
      {.file = records.data().source, .path = fmt::format("{}.{}", item.at, item.slot_name(0))},
      "an item must stand on one line, but one has a line end",
      "remove line ends from the data and its taxonomy, or use another format", std::string(text));
}

}  // namespace

Status WriteTransactions(const InputPolicy& input, OutgoingRecords& records,
                         const WriteOptions& options, const WriteBytes& write) {
  if (!HoldsSets(records.schema())) return NotSets();
  if (options.with_class) {
    return Error{ErrorCode::kUsage,
                 "--with-class must go into a format with keys or columns, but transactions have "
                 "neither",
                 "leave it out, or convert the data to jsonl", ""};
  }
  OutputBuffer output(write);
  std::string& out = output.text();
  Phase phase("write", records.count());
  for (size_t i = 0; i < records.count(); ++i) {
    phase.Advance();
    records.Select(i);
    bool first = true;
    for (size_t position = 1; position < records.size(); ++position) {
      const size_t count = std::max<size_t>(1, records.ValueCount(position, 0));
      for (size_t index = 0; index < count; ++index) {
        const std::string_view text = records.ValueAt(position, 0, index).text;
        if (text.find_first_of("\r\n") != std::string_view::npos) return HasLineEnd(records, text);
        if (!first) out += input.delimiter == 0 ? ' ' : input.delimiter;
        first = false;
        AppendItem(text, input.delimiter, out);
      }
    }
    out += '\n';
    THICKET_TRY(output.FlushIfLarge());
  }
  return output.Flush();
}

}  // namespace thicket
