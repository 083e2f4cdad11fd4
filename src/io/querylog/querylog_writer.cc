#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>

#include "base/phase.h"
#include "io/querylog/querylog_columns.h"
#include "io/readers.h"
#include "io/writers.h"

namespace thicket {

namespace {

void AppendField(std::string_view text, char delimiter, std::string& out) {
  const bool quote = text.find(delimiter) != std::string_view::npos ||
                     text.find_first_of("\"\r\n") != std::string_view::npos;
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

// An empty query stands for a bag without terms.
Error HasNoText(const OutgoingRecords& records) {
  const VertexClass& term = records.schema().classes[1];
  return ErrorAt(
      ErrorCode::kData,
      {.file = records.data().source, .path = fmt::format("{}.{}", term.at, term.slot_name(0))},
      "every term of a query log must have a text, but one has none",
      "take missing and empty values out, or use another format");
}

}  // namespace

Status WriteQuerylog(OutgoingRecords& records, const WriteOptions& options,
                     const WriteBytes& write) {
  if (!HoldsTerms(records.schema())) return NotTerms();
  const char delimiter = records.data().shape.log_delimiter;
  OutputBuffer output(write);
  std::string& out = output.text();
  out += kAnonId;
  out += delimiter;
  out += kQuery;
  if (options.with_class) {
    out += delimiter;
    out += kClassKey;
  }
  out += '\n';
  Phase phase("write", records.count());
  for (size_t i = 0; i < records.count(); ++i) {
    phase.Advance();
    records.Select(i);
    const auto row = [&](std::string_view term) {
      fmt::format_to(std::back_inserter(out), "{}{}", i + 1, delimiter);
      AppendField(term, delimiter, out);
      if (options.with_class) {
        fmt::format_to(std::back_inserter(out), "{}{}", delimiter, records.group());
      }
      out += '\n';
    };
    if (records.size() == 1) row("");
    for (size_t position = 1; position < records.size(); ++position) {
      const std::string_view term = records.Value(position, 0).text;
      if (term.empty()) return HasNoText(records);
      row(term);
    }
    THICKET_TRY(output.FlushIfLarge());
  }
  return output.Flush();
}

}  // namespace thicket
