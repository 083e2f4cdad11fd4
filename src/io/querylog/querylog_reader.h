// The two readers of query logs, behind ReadQuerylog() (io/readers.h).
//
// Original logs: what each user searched for becomes bags of words, by Definition 5.1 of Liu 2010. Rows that are equal in user, query
// and time are one query with several clicks; a word counts once per query; a new bag begins where more than the session gap has
// passed since the user's query before. A bag has its words as they were typed, in lower case; which word of a network or
// taxonomy they mean is found out later. Users, and the queries of each, are put in order if they are not.
//
// Published logs: a running number and a term per row, rows of one bag one after another.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "io/dataset_sink.h"
#include "io/file/source.h"
#include "policy/policy.h"

namespace thicket {

Status ReadOriginalQuerylog(const InputPolicy& input, Source& source, Progress& progress,
                            DatasetSink& sink);
Status ReadPublishedQuerylog(Source& source, Progress& progress, DatasetSink& sink);

// Which column has which name; no column may have the name of another. A name that is not asked for is told to the sink. In
// published logs letter case counts.
class QuerylogHeader {
 public:
  static constexpr size_t kNone = ~size_t{0};

  struct Name {
    std::string_view name;
    bool required = false;
    // The column, or kNone.
    size_t column = kNone;
  };

  explicit QuerylogHeader(DatasetSink& sink) : sink_(&sink), original_(!sink.published()) {}

  Status Find(const std::vector<std::string_view>& header, size_t line, std::vector<Name>& names);

 private:
  Error Missing(size_t line, const std::vector<Name>& names) const;

  DatasetSink* sink_;
  bool original_;
};

}  // namespace thicket
