#include "io/dataset_io.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <memory>
#include <utility>

#include "io/data_target.h"
#include "io/dataset_sink.h"
#include "io/documents.h"
#include "io/file/source.h"
#include "io/readers.h"
#include "io/writers.h"

namespace thicket {

namespace {

// simdjson chooses the code for this processor at its first use, in functions that may not throw though they allocate.
// This is the first use: before main, when there is nothing that could be left behind.
[[maybe_unused]] const bool simdjson_has_chosen = simdjson::validate_utf8("", 0);

Error NotAStream(Format format) {
  return ErrorAt(ErrorCode::kUsage, {.path = "input.format"},
                 fmt::format("text in memory must be of a format that is one stream of "
                             "bytes, but {} is not",
                             FormatName(format)),
                 "use jsonl, json, csv, xml, transactions or querylog, or read the data from where "
                 "it is kept");
}

Result<Dataset> ReadStream(const Policy& policy, Source& source, const std::string& name, ReadAs as,
                           Progress& progress) {
  DatasetSink sink(policy, name, as);
  sink.LimitMemory(progress);
  switch (policy.input.format) {
    case Format::kJsonl:
      THICKET_TRY(ReadJsonl(source, progress, sink));
      break;
    case Format::kJson:
      THICKET_TRY(ReadJson(policy.input, source, progress, sink));
      break;
    case Format::kCsv:
      THICKET_TRY(ReadCsv(policy.input, source, progress, sink));
      break;
    case Format::kXml:
      THICKET_TRY(ReadXml(policy.input, source, progress, sink));
      break;
    case Format::kTransactions:
      THICKET_TRY(ReadTransactions(policy.input, source, progress, sink));
      break;
    case Format::kQuerylog:
      THICKET_TRY(ReadQuerylog(policy.input, source, progress, sink));
      break;
    case Format::kTables:
    case Format::kSqlite:
    case Format::kPostgresql:
      return NotAStream(policy.input.format);
  }
  if (!source.beside_data().empty()) sink.MeetUnnamedAt(source.name(), source.beside_data());
  return std::move(sink).Finish();
}

}  // namespace

bool IsStream(Format format) {
  return format != Format::kTables && format != Format::kSqlite && format != Format::kPostgresql;
}

Format FormatOfFile(Format format, const std::string& path) {
  if (format != Format::kJson) return format;
  std::string_view name = path;
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  return name.ends_with(".jsonl") ? Format::kJsonl : format;
}

Result<Dataset> ReadDataset(const Policy& policy, const std::string& location, ReadAs as,
                            Progress& progress) {
  if (HoldsDocuments(policy.input.format, location)) {
    DatasetSink sink(policy, location, as);
    sink.LimitMemory(progress);
    THICKET_TRY(ReadDocuments(policy, location, progress, sink));
    return std::move(sink).Finish();
  }
  // Documents may have been published as JSON Lines.
  if (as == ReadAs::kPublished &&
      FormatOfFile(policy.input.format, location) != policy.input.format &&
      HoldsJsonLines(location)) {
    Policy of_file = policy;
    of_file.input.format = Format::kJsonl;
    return ReadDataset(of_file, location, as, progress);
  }
  if (!IsStream(policy.input.format)) {
    DatasetSink sink(policy, location, as);
    sink.LimitMemory(progress);
    THICKET_TRY(
        policy.input.format == Format::kTables   ? ReadTables(policy, location, progress, sink)
        : policy.input.format == Format::kSqlite ? ReadSqlite(policy, location, progress, sink)
                                                 : ReadPostgres(policy, location, progress, sink));
    return std::move(sink).Finish();
  }
  // The path of original data may be the policy's; that of published data never is.
  const std::string_view if_missing =
      as == ReadAs::kOriginal ? "check the path, and input.path in the policy" : "check the path";
  THICKET_ASSIGN(const std::unique_ptr<Source> source, Source::Open(location, if_missing));
  return ReadStream(policy, *source, location == "-" ? "standard input" : location, as, progress);
}

Result<Dataset> ReadDatasetText(const Policy& policy, std::string_view text,
                                const std::string& source, ReadAs as, Progress& progress) {
  const std::unique_ptr<Source> memory = Source::FromText(text);
  return ReadStream(policy, *memory, source, as, progress);
}

Status WriteRecords(const Policy& policy, OutgoingRecords& records, const WriteOptions& options,
                    const WriteBytes& write) {
  switch (policy.input.format) {
    case Format::kJsonl:
    case Format::kJson:
      return WriteJson(policy.input, records, options, write);
    case Format::kCsv:
      return WriteCsv(policy.input, records, options, write);
    case Format::kXml:
      return WriteXml(policy.input, records, options, write);
    case Format::kTransactions:
      return WriteTransactions(policy.input, records, options, write);
    case Format::kQuerylog:
      return WriteQuerylog(records, options, write);
    case Format::kTables:
    case Format::kSqlite:
    case Format::kPostgresql:
      break;
  }
  return NotAStream(policy.input.format);
}

Result<std::unique_ptr<DataTarget>> DataTarget::Create(const Policy& policy,
                                                       const OutputPlace& place) {
  switch (policy.input.format) {
    case Format::kTables:
      return CreateTablesTarget(policy, place);
    case Format::kSqlite:
      return CreateSqliteTarget(policy, place);
    case Format::kPostgresql:
      return CreatePostgresTarget(policy, place);
    default: {
      const bool lines = FormatOfFile(policy.input.format, place.path) == Format::kJsonl;
      if (place.documents && !lines) return CreateDocumentsTarget(policy, place);
      return CreateFileTarget(policy, place);
    }
  }
}

}  // namespace thicket
