// The readers behind ReadDataset(), one per format. Each fills a DatasetSink.
#pragma once

#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"
#include "io/dataset_sink.h"
#include "io/file/source.h"
#include "policy/policy.h"

namespace thicket {

// A record (a line, a row) that is longer than this is refused.
inline constexpr size_t kLongestRecord = size_t{1} << 30;

// One JSON object per line. O(longest line) memory beside the data set.
Status ReadJsonl(Source& source, Progress& progress, DatasetSink& sink);

// One JSON document, held in memory while it is read.
Status ReadJson(const InputPolicy& input, Source& source, Progress& progress, DatasetSink& sink);

// One table with a header (RFC 4180). O(longest row) memory beside the data set.
Status ReadCsv(const InputPolicy& input, Source& source, Progress& progress, DatasetSink& sink);

// One XML document, streamed: O(longest text) memory beside the data set.
Status ReadXml(const InputPolicy& input, Source& source, Progress& progress, DatasetSink& sink);

// One set per line, its items separated by blanks, or by the policy's delimiter. An item that original data has twice in a line counts
// once, with a warning. O(longest line) memory beside the data set.
Status ReadTransactions(const InputPolicy& input, Source& source, Progress& progress,
                        DatasetSink& sink);
// Whether an item of a set must stand in quotes: it would be taken for two, for none, for a quoted one, or for the mark at
// the beginning of a file.
bool NeedsQuotes(std::string_view item, char delimiter);
// What is wrong with a schema that does not hold sets.
Error NotSets();

// A query log (io/querylog/): the bags of words that each user searched for. O(rows) memory beside the data set for original data,
// without their texts.
Status ReadQuerylog(const InputPolicy& input, Source& source, Progress& progress,
                    DatasetSink& sink);
// What is wrong with a schema that does not hold bags of terms.
Error NotTerms();

// Tables that are joined by keys (io/tables/table_join.h): a folder of CSV files, a SQLite file, a PostgreSQL server.
Status ReadTables(const Policy& policy, const std::string& folder, Progress& progress,
                  DatasetSink& sink);
Status ReadSqlite(const Policy& policy, const std::string& path, Progress& progress,
                  DatasetSink& sink);
Status ReadPostgres(const Policy& policy, const std::string& location, Progress& progress,
                    DatasetSink& sink);

}  // namespace thicket
