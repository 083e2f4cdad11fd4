// Sets, one per line: no crash, a data set that holds together, and the same one again when it was written and read.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/dataset_io.h"
#include "walk.h"

namespace thicket {
namespace {

Policy SetPolicy() {
  Schema schema;
  schema.classes.resize(2);
  schema.classes[0].name = "set";
  schema.classes[0].children = {1};
  schema.classes[1].name = schema.classes[1].at = "item";
  schema.classes[1].quasi = {{"q", {}}};
  Policy policy;
  policy.input.format = Format::kTransactions;
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

// False where a set holds a line end: the writer must say so.
bool Write(const Policy& policy, const Dataset& data, std::string& out) {
  DatasetRecords records(data);
  return WriteRecords(policy, records, {},
                      [&](std::string_view bytes) {
                        out += bytes;
                        return Status();
                      })
      .ok();
}

void ReadAndCheck(const Policy& policy, std::string_view text, ReadAs as) {
  Progress progress;
  const Result<Dataset> data = ReadDatasetText(policy, text, "data", as, progress);
  if (!data.ok()) {
    fuzz::Check(!data.error().message.empty());
    return;
  }
  fuzz::Walk(*data);
  std::string once;
  if (!Write(policy, *data, once)) {
    fuzz::Check(text.find('\r') != std::string_view::npos);
    return;
  }
  const Result<Dataset> again =
      ReadDatasetText(policy, once, "again", ReadAs::kPublished, progress);
  fuzz::Check(again.ok());
  fuzz::Check(again->forest.record_count() == data->forest.record_count());
  fuzz::Check(again->forest.vertex_count() == data->forest.vertex_count());
  std::string twice;
  fuzz::Check(Write(policy, *again, twice) && twice == once);
}

}  // namespace
}  // namespace thicket

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const thicket::Policy blanks = thicket::SetPolicy();
  static const thicket::Policy delimited = [] {
    thicket::Policy policy = thicket::SetPolicy();
    policy.input.delimiter = ';';
    return policy;
  }();
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  for (const thicket::Policy* policy : {&blanks, &delimited}) {
    for (const auto as : {thicket::ReadAs::kOriginal, thicket::ReadAs::kPublished}) {
      thicket::ReadAndCheck(*policy, text, as);
    }
  }
  return 0;
}
