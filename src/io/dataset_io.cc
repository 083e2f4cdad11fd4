#include "io/dataset_io.h"

#include <memory>
#include <utility>

#include "io/dataset_sink.h"
#include "io/readers.h"
#include "io/source.h"
#include "io/writers.h"

namespace thicket {

namespace {

Result<Dataset> ReadFrom(const Policy& policy, Source& source, const std::string& name, ReadAs as,
                         Progress& progress) {
  DatasetSink sink(policy, name, as);
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
  }
  return std::move(sink).Finish();
}

}  // namespace

Result<Dataset> ReadDataset(const Policy& policy, const std::string& path, ReadAs as,
                            Progress& progress) {
  // The path of original data may be the policy's; that of published data never is.
  const std::string_view if_missing =
      as == ReadAs::kOriginal ? "check the path, and input.path in the policy" : "check the path";
  THICKET_ASSIGN(const std::unique_ptr<Source> source, Source::Open(path, if_missing));
  return ReadFrom(policy, *source, path == "-" ? "standard input" : path, as, progress);
}

Result<Dataset> ReadDatasetText(const Policy& policy, std::string_view text,
                                const std::string& source, ReadAs as, Progress& progress) {
  const std::unique_ptr<Source> memory = Source::FromText(text);
  return ReadFrom(policy, *memory, source, as, progress);
}

Status WritePublished(const Policy& policy, const EncodedDataset& data, const Published& published,
                      const std::vector<Place>& order, const WriteOptions& options,
                      const Write& write) {
  switch (policy.input.format) {
    case Format::kJsonl:
    case Format::kJson:
      return WriteJson(policy.input, data, published, order, options, write);
    case Format::kCsv:
      return WriteCsv(data, published, order, options, write);
  }
  return {};
}

}  // namespace thicket
