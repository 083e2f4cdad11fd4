// Query logs: no crash, bags that hold together, and the same ones again when they were written and read.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/dataset_io.h"
#include "walk.h"

namespace thicket {
namespace {

Policy LogPolicy() {
  Schema schema;
  schema.classes.resize(2);
  schema.classes[0].name = "bag";
  schema.classes[0].children = {1};
  schema.classes[1].name = schema.classes[1].at = "term";
  schema.classes[1].quasi = {{"q", {}}};
  Policy policy;
  policy.input.format = Format::kQuerylog;
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

std::vector<Policy> Policies() {
  std::vector<Policy> policies(2, LogPolicy());
  policies[1].input.session_gap_s = 60;
  policies[1].input.clicked = true;
  return policies;
}

std::string Write(const Policy& policy, const Dataset& data) {
  DatasetRecords records(data);
  std::string out;
  fuzz::Check(WriteRecords(policy, records, {}, [&](std::string_view bytes) {
                out += bytes;
                return Status();
              }).ok());
  return out;
}

void ReadAndCheck(const Policy& policy, std::string_view text, ReadAs as) {
  Progress progress;
  const Result<Dataset> data = ReadDatasetText(policy, text, "data", as, progress);
  if (!data.ok()) {
    fuzz::Check(!data.error().message.empty());
    return;
  }
  fuzz::Walk(*data);
  const size_t owners = as == ReadAs::kOriginal ? data->forest.record_count() : 0;
  fuzz::Check(data->owners.size() == owners);
  const std::string once = Write(policy, *data);
  const Result<Dataset> again =
      ReadDatasetText(policy, once, "again", ReadAs::kPublished, progress);
  fuzz::Check(again.ok() && again->findings.empty());
  fuzz::Check(again->forest.record_count() == data->forest.record_count());
  fuzz::Check(again->forest.vertex_count() == data->forest.vertex_count());
  fuzz::Check(Write(policy, *again) == once);
}

}  // namespace
}  // namespace thicket

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const std::vector<thicket::Policy> policies = thicket::Policies();
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  for (const thicket::Policy& policy : policies) {
    for (const auto as : {thicket::ReadAs::kOriginal, thicket::ReadAs::kPublished}) {
      thicket::ReadAndCheck(policy, text, as);
    }
  }
  return 0;
}
