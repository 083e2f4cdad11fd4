#include "utility/dm.h"

#include <fmt/format.h>

#include "base/phase.h"
#include "base/stop.h"
#include "base/text.h"
#include "record/canonical_form.h"

namespace thicket {

Result<DmReport> MeasureDm(const Dataset& original, const Dataset& published) {
  const uint64_t before = original.forest.record_count();
  const uint64_t after = published.forest.record_count();
  if (after > before) {
    return ErrorAt(ErrorCode::kData, {.file = published.source},
                   fmt::format("published data must not have more records than the original, but "
                               "has {} instead of {}",
                               WithCommas(after), WithCommas(before)),
                   "measure it against the data that it was made from");
  }
  Phase phase("dm", after);
  const CanonicalForm form = Canonicalize(*published.schema, published.forest, CompareBy::kQuasi);
  const RecordGroups groups = GroupRecords(published.forest, form);
  DmReport report;
  report.records = before;
  report.suppressed = before - after;
  report.groups = groups.size();
  report.dm = report.suppressed * before;
  for (size_t group = 0; group < groups.size(); ++group) {
    StopPoint();
    phase.Advance(groups.size(group));
    report.dm += static_cast<uint64_t>(groups.size(group)) * groups.size(group);
  }
  return report;
}

}  // namespace thicket
