#include "io/tables/tables_reader.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "io/csv/csv_rows.h"
#include "io/csv/decimal_comma.h"
#include "io/file/latin1.h"
#include "io/readers.h"

namespace thicket {

namespace {

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

bool HasExtension(std::string_view table) {
  constexpr std::array<std::string_view, 4> kExtensions = {".csv", ".tsv", ".gz", ".zst"};
  return std::any_of(kExtensions.begin(), kExtensions.end(),
                     [&](std::string_view extension) { return EndsWith(table, extension); });
}

// A table's name must not lead out of the folder.
Status MustBeFileName(const Policy& policy, const std::string& table) {
  const bool leads_out = table.empty() || table == "." || table == ".." ||
                         table.find('/') != std::string::npos ||
                         table.find('\0') != std::string::npos;
  if (!leads_out) return {};
  return ErrorAt(ErrorCode::kUsage, {.file = policy.file},
                 "a table must be the name of a file in the folder, but one of them "
                 "is a path",
                 "name the file without its folder; input.path says which folder it is");
}

struct TableFile {
  std::string path;
  uint64_t bytes = 0;
};

Error CannotReadFolder(const std::string& folder, int error, bool original) {
  std::string hint;
  if (error == ENOENT)
    hint = original ? "check the path, and input.path in the policy" : "check the path";
  if (error == ENOTDIR) hint = "give the folder that holds the tables";
  return ErrorAt(ErrorCode::kIo, {.file = folder},
                 fmt::format("cannot be read: {}", std::strerror(error)), hint);
}

std::vector<std::string> NamesOfTable(const std::string& table) {
  std::vector<std::string> names;
  if (HasExtension(table)) names.push_back(table);
  for (const char* extension : {".csv", ".tsv", ".csv.gz", ".csv.zst"}) {
    names.push_back(table + extension);
  }
  return names;
}

Result<TableFile> FindTable(const std::string& folder, const std::string& table) {
  for (const std::string& path : TablePaths(folder, table)) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) continue;
    const bool regular = S_ISREG(status.st_mode);
    return TableFile{path, regular ? static_cast<uint64_t>(status.st_size) : 0};
  }
  std::vector<std::string> names = NamesOfTable(table);
  names.resize(HasExtension(table) ? 1 : names.size());
  return ErrorAt(
      ErrorCode::kIo, {.file = folder},
      fmt::format("must hold the table {}, but there is no {}", table, fmt::join(names, ", ")),
      "check the folder, and the table's name in the policy");
}

// A folder that is published holds its tables and nothing else: no further files, also hidden ones, and no folders.
Status FindOtherFiles(const std::string& folder, const std::vector<TableFile>& files,
                      DatasetSink& sink) {
  std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), closedir);
  if (!open) return CannotReadFolder(folder, errno, false);
  while (const dirent* entry = readdir(open.get())) {
    const std::string_view name = entry->d_name;
    const bool is_table = std::any_of(files.begin(), files.end(), [&](const TableFile& file) {
      return file.path.substr(file.path.rfind('/') + 1) == name;
    });
    if (name != "." && name != ".." && !is_table) sink.CountOutside(name);
  }
  return {};
}

}  // namespace

std::vector<std::string> TablePaths(const std::string& folder, const std::string& table) {
  std::vector<std::string> paths = NamesOfTable(table);
  for (std::string& path : paths) path.insert(0, folder + (EndsWith(folder, "/") ? "" : "/"));
  return paths;
}

Result<std::vector<std::string>> TableFileNames(const Policy& policy) {
  std::vector<std::string> names;
  std::map<std::string, std::string> table_of_name;
  for (const VertexClass& type : policy.schema->classes) {
    THICKET_TRY(MustBeFileName(policy, type.table));
    names.push_back(HasExtension(type.table) ? type.table : type.table + ".csv");
    const auto [other, added] = table_of_name.emplace(names.back(), type.table);
    if (added) continue;
    return ErrorAt(ErrorCode::kUsage, {.file = policy.file},
                   fmt::format("every table must be a file of its own, but {} and {} are both {}",
                               other->second, type.table, names.back()),
                   "rename one of the tables");
  }
  return names;
}

Status ReadCsvTable(const InputPolicy& input, ClassId id, const std::string& name, Source& source,
                    Progress& progress, DatasetSink& sink, TableJoin& join) {
  std::optional<Latin1Source> decoded;
  if (input.encoding == TextEncoding::kLatin1) decoded.emplace(source);
  CsvRows rows(decoded ? *decoded : source, name, input.delimiter, progress);
  CsvAppearance appearance(sink, name);
  const VertexClass& type = sink.schema().classes[id];
  const DecimalComma numbers(input, type);
  // By column: the slot of its values, where numbers may have to be turned; and their texts.
  std::vector<std::optional<size_t>> slots;
  std::vector<std::string> turned;
  if (sink.published()) rows.Watch(appearance);
  bool has_header = false;
  std::vector<TableJoin::Field> fields;
  THICKET_TRY(rows.ForEach(
      [&](const CsvRows::Fields& header, uint32_t) {
        has_header = true;
        std::vector<TableJoin::Column> columns;
        for (const std::string_view column : header) columns.push_back({std::string(column), ""});
        fields.resize(columns.size());
        slots.resize(columns.size());
        turned.resize(columns.size());
        for (size_t slot = 0; numbers.any() && slot < type.value_count(); ++slot) {
          const auto column = std::find(header.begin(), header.end(), type.slot_name(slot));
          if (column != header.end()) slots[static_cast<size_t>(column - header.begin())] = slot;
        }
        sink.dataset().shape.tables[id].delimiter = rows.delimiter();
        return join.BeginTable(id, name, columns);
      },
      [&](const CsvRows::Fields& row, uint32_t line) {
        for (size_t i = 0; i < row.size(); ++i) {
          fields[i] = {row[i].empty() ? ValueKind::kNone : ValueKind::kString,
                       slots[i] ? numbers.Turn(*slots[i], row[i], turned[i]) : row[i]};
        }
        return join.AddRow(fields, line);
      }));
  if (!has_header) {
    return ErrorAt(ErrorCode::kData, {.file = name}, "must have a header, but is empty",
                   "write the names of the columns into its first line");
  }
  return join.EndTable();
}

Status ReadTables(const Policy& policy, const std::string& folder, Progress& progress,
                  DatasetSink& sink) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0) {
    return CannotReadFolder(folder, errno, !sink.published());
  }
  if (!S_ISDIR(status.st_mode)) return CannotReadFolder(folder, ENOTDIR, !sink.published());
  THICKET_TRY(TableFileNames(policy));
  std::vector<TableFile> files;
  uint64_t bytes = 0;
  for (const VertexClass& type : policy.schema->classes) {
    THICKET_ASSIGN(TableFile file, FindTable(folder, type.table));
    bytes += file.bytes;
    files.push_back(std::move(file));
  }
  if (sink.published()) THICKET_TRY(FindOtherFiles(folder, files, sink));
  progress.Begin("read", bytes);
  TableJoin join(policy, sink);
  for (size_t id = 0; id < files.size(); ++id) {
    THICKET_ASSIGN(const std::unique_ptr<Source> source, Source::Open(files[id].path));
    THICKET_TRY(ReadCsvTable(policy.input, static_cast<ClassId>(id), files[id].path, *source,
                             progress, sink, join));
    if (!source->beside_data().empty()) {
      sink.MeetUnnamedAt(source->name(), source->beside_data());
    }
  }
  THICKET_TRY(join.Finish());
  progress.End();
  return {};
}

}  // namespace thicket
