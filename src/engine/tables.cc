#include "engine/tables.h"

#include <limits>
#include <utility>

#include "base/supervised.h"
#include "engine/content.h"
#include "engine/record_content.h"
#include "engine/table_content.h"
#include "io/arrow/arrow_json.h"
#include "io/arrow/arrow_reader.h"
#include "io/arrow/arrow_writer.h"
#include "io/outgoing.h"

namespace thicket {

Result<Dataset> ReadTableAs(const Policy& policy, const ArrowTable& table, ReadAs as,
                            const std::string& name, Progress& progress) {
  // Names lead where keys of JSON lead.
  Policy rules = policy;
  rules.input.format = Format::kJsonl;
  DatasetSink sink(rules, name, as);
  sink.LimitMemory(progress);
  THICKET_TRY(ReadArrow(table, progress, sink));
  return std::move(sink).Finish();
}

Result<RecordSet> ReadTable(const LoadedPolicy& policy, const ArrowTable& table, RecordsAs as,
                            Progress& progress, const std::string& name) {
  return Supervised(progress, [&]() -> Result<RecordSet> {
    THICKET_ASSIGN(Dataset data,
                   ReadTableAs(PolicyOf(policy, as), table, ReadingAs(as), name, progress));
    return MakeRecordSet(std::move(data), as);
  });
}

Result<ArrowTable> TableOfRecords(const LoadedPolicy& policy, const RecordSet& records,
                                  Progress& progress) {
  return Supervised(progress, [&]() -> Result<ArrowTable> {
    THICKET_TRY(MustBe(policy, records, records.content().as));
    const Policy rules = PolicyOf(policy, records.content().as);
    const bool is_public = records.content().as == RecordsAs::kPublished;
    DatasetRecords outgoing(records.content().data, is_public,
                            !(is_public && rules.privacy.structure().changes()));
    return WriteArrow(rules, outgoing, {}, nullptr);
  });
}

Result<std::string> TableAsJson(const ArrowTable& table) {
  return ArrowAsJson(table, std::numeric_limits<uint64_t>::max(), "table");
}

}  // namespace thicket
