// How tables are read back, for the files of engine/ only.
#pragma once

#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "io/arrow/arrow_table.h"
#include "io/dataset_io.h"
#include "policy/policy.h"
#include "record/dataset.h"

namespace thicket {

Result<Dataset> ReadTableAs(const Policy& policy, const ArrowTable& table, ReadAs as,
                            const std::string& name, Progress& progress);

}  // namespace thicket
