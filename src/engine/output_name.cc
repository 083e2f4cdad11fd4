#include "engine/output_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace thicket {

namespace {

struct Ending {
  std::string_view ending;
  std::string_view says;
  // The formats that such a file may hold.
  std::vector<Format> formats;
};

const std::vector<Ending>& Endings() {
  static const std::vector<Ending> endings = {
      {".csv", "CSV", {Format::kCsv, Format::kTransactions, Format::kQuerylog}},
      {".tsv", "CSV", {Format::kCsv, Format::kTransactions, Format::kQuerylog}},
      {".json", "JSON", {Format::kJson, Format::kJsonl}},
      {".jsonl", "JSON Lines", {Format::kJsonl, Format::kJson}},
      {".ndjson", "JSON Lines", {Format::kJsonl, Format::kJson}},
      {".xml", "XML", {Format::kXml}},
      {".db", "a database", {Format::kSqlite}},
      {".sqlite", "a database", {Format::kSqlite}},
      {".sqlite3", "a database", {Format::kSqlite}},
      {".xlsx", "a spreadsheet", {}},
      {".parquet", "a Parquet file", {}},
  };
  return endings;
}

}  // namespace

std::vector<std::string> NameWarnings(Format written, const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz" || name.extension() == ".zst") name.replace_extension();
  const std::string ending = name.extension().string();
  for (const Ending& one : Endings()) {
    if (one.ending != ending) continue;
    if (std::find(one.formats.begin(), one.formats.end(), written) != one.formats.end()) break;
    return {
        fmt::format("{}: its name says {}, but it is {}, the format of the data; thicket convert "
                    "--published changes the format",
                    path, one.says, FormatName(written))};
  }
  return {};
}

}  // namespace thicket
