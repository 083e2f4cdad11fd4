// Several things that appear together, as far as a file system lets them.
//
// They appear one after the other. When one of them fails, what was there before those that came first comes back, so that a
// command that fails leaves everything as it was. A process that is killed in between leaves the first of them: a report
// without its data, never data without its report.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "io/dataset_io.h"
#include "io/file/atomic_file.h"
#include "io/file/file_plan.h"

namespace thicket {

// In their order. `plan` is checked again when all but the last are there.
Status CommitAll(const std::vector<std::unique_ptr<AtomicFile>>& files, const FilePlan& plan);

// Data, and before it, in their order, the files that describe it (null: none). Where nobody knows whether data has appeared,
// as when the connection is lost while a server commits, the files stay.
Status CommitBehind(std::span<AtomicFile* const> descriptions, DataTarget& data,
                    const FilePlan& plan);

}  // namespace thicket
