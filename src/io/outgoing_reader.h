// What is to be published, read as a stranger would read it, without text in between: for records that are pulled out one by
// one and never written.
//
//   PublicationRecords records(encoded, published, order);
//   THICKET_ASSIGN(Dataset again, ReadOutgoing(policy, records, {}, "published records", progress));    // and verify it
//
// O(vertices and values). The result holds texts of its own, and nothing of what it was made from.
#pragma once

#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "io/dataset_io.h"
#include "io/outgoing.h"
#include "policy/policy.h"
#include "record/dataset.h"

namespace thicket {

Result<Dataset> ReadOutgoing(const Policy& policy, OutgoingRecords& records,
                             const WriteOptions& options, const std::string& source,
                             Progress& progress);

}  // namespace thicket
