// What stands behind a RecordSet, for the files of engine/ only.
#pragma once

#include <memory>
#include <utility>

#include "engine/records.h"
#include "io/dataset_io.h"
#include "record/dataset.h"

namespace thicket {

struct RecordSet::Content {
  Dataset data;
  RecordsAs as = RecordsAs::kOriginal;
};

inline RecordSet MakeRecordSet(Dataset data, RecordsAs as) {
  auto content = std::make_shared<RecordSet::Content>();
  content->data = std::move(data);
  content->as = as;
  return RecordSet(std::move(content));
}

// kUsage where the records are not what they must be, or are not the policy's.
Status MustBe(const LoadedPolicy& policy, const RecordSet& records, RecordsAs as);

// How readers take records that are meant as `as`, and the policy that they read them by.
ReadAs ReadingAs(RecordsAs as);
Policy PolicyOf(const LoadedPolicy& policy, RecordsAs as);

// The policy whose schema leaves nothing out: identifiers and dropped attributes are kept like any other.
Policy WholePolicy(const Policy& policy);

}  // namespace thicket
