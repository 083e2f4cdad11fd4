#include "io/sets_of_items_io.h"

#include <memory>
#include <utility>

#include "io/dataset_sink.h"
#include "io/readers.h"
#include "policy/policy.h"
#include "record/sets_of_items.h"

namespace thicket {

Result<SetsOfItems> ReadSetsOfItems(Source& source, const std::string& name, char delimiter,
                                    Progress& progress) {
  Schema schema;
  schema.classes.resize(2);
  schema.classes[0].name = "set";
  schema.classes[0].children = {1};
  schema.classes[1].name = "item";
  schema.classes[1].at = "items";
  schema.classes[1].quasi.emplace_back();
  schema.classes[1].quasi.back().name = "item";
  Policy policy;
  policy.input.format = Format::kTransactions;
  policy.input.delimiter = delimiter;
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  DatasetSink sink(policy, name, ReadAs::kOriginal);
  sink.LimitMemory(progress);
  THICKET_TRY(ReadTransactions(policy.input, source, progress, sink));
  THICKET_ASSIGN(const Dataset data, std::move(sink).Finish());
  return SetsOfItemsIn(data);
}

}  // namespace thicket
