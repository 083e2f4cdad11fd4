// The link: which original record each published one stands for, as a private file.
//
//   published,original
//   1,17
//   2,4
//
// A steward keeps it who must find a person's published record again, or who wants the output checked against the original
// exactly (`verify --link`). Whoever else has it undoes the work. Records are numbered from 1, as Thicket reads them: the
// published ones in the order in which they were written, the original ones in the order in which they were read. It holds
// numbers only. Rows may stand in any order.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "io/file/atomic_file.h"
#include "record/forest.h"

namespace thicket {

// `certificate`: by published record, the original.
Status WriteLink(AtomicFile& file, std::span<const RecordId> certificate);

// By published record, the original; there are so many of each. kData, with the line, where the file is not a link between them: each published
// record must be there once, and no original twice. O(records).
Result<std::vector<RecordId>> ReadLink(const std::string& path, size_t published, size_t original,
                                       Progress& progress);

}  // namespace thicket
