// CSV input: no crash, and a data set that holds together.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "io/dataset_io.h"
#include "walk.h"

namespace thicket {
namespace {

Policy TablePolicy(char delimiter) {
  Schema schema;
  schema.classes.resize(1);
  VertexClass& root = schema.classes[0];
  root.name = "row";
  root.drop = {"d"};
  root.quasi = {{"q", {}}};
  root.sensitive = {{"s", {}, {}}};
  Policy policy;
  policy.input.format = Format::kCsv;
  policy.input.delimiter = delimiter;
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

void ReadAndCheck(const Policy& policy, std::string_view text, ReadAs as) {
  Progress progress;
  const Result<Dataset> data = ReadDatasetText(policy, text, "data", as, progress);
  if (!data.ok()) {
    fuzz::Check(!data.error().message.empty());
    return;
  }
  fuzz::Walk(*data);
  for (const TableColumn& column : data->shape.tables.front().columns) {
    fuzz::Check(column.slot < 2);
  }
}

}  // namespace
}  // namespace thicket

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const thicket::Policy found = thicket::TablePolicy(0);
  static const thicket::Policy given = thicket::TablePolicy(';');
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  for (const auto as : {thicket::ReadAs::kOriginal, thicket::ReadAs::kPublished}) {
    thicket::ReadAndCheck(found, text, as);
    thicket::ReadAndCheck(given, text, as);
  }
  return 0;
}
