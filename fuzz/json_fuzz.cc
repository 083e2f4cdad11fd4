// JSON input, as lines and as a document: no crash, no record from text that is not JSON, and a data set that holds
// together.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/text.h"
#include "io/dataset_io.h"
#include "io/json/json_scan.h"
#include "nested_schema.h"
#include "walk.h"

namespace thicket {
namespace {

Policy NestedPolicy(Format format, bool moved = false) {
  Schema schema = fuzz::NestedSchema();
  Policy policy;
  if (moved) policy.privacy.m = policy.privacy.n = 1;
  policy.input.format = format;
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

Policy PathPolicy(Format format, bool moved = false) {
  Policy policy = NestedPolicy(format, moved);
  policy.schema = std::make_shared<const Schema>(fuzz::PathSchema());
  return policy;
}

bool IsJsonOnEveryLine(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.substr(0, 3) == kByteOrderMark) text.remove_prefix(3);
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = Trim(text.substr(0, end));
    if (!line.empty() && FindJsonFault(line)) return false;
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return true;
}

void ReadAndCheck(const Policy& policy, std::string_view text, ReadAs as) {
  Progress progress;
  const Result<Dataset> data = ReadDatasetText(policy, text, "data", as, progress);
  if (!data.ok()) {
    fuzz::Check(!data.error().message.empty());
    return;
  }
  fuzz::Walk(*data, policy.privacy.structure().vertices_move);
  if (policy.input.format == Format::kJsonl) {
    fuzz::Check(IsJsonOnEveryLine(text));
  } else {
    if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
    fuzz::Check(!FindJsonFault(text));
  }
}

}  // namespace
}  // namespace thicket

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const thicket::Policy lines = thicket::NestedPolicy(thicket::Format::kJsonl);
  static const thicket::Policy document = thicket::NestedPolicy(thicket::Format::kJson);
  static const thicket::Policy moved =
      thicket::NestedPolicy(thicket::Format::kJsonl, /*moved=*/true);
  static const thicket::Policy paths = thicket::PathPolicy(thicket::Format::kJsonl);
  static const thicket::Policy moved_paths =
      thicket::PathPolicy(thicket::Format::kJson, /*moved=*/true);
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  for (const auto as : {thicket::ReadAs::kOriginal, thicket::ReadAs::kPublished}) {
    thicket::ReadAndCheck(lines, text, as);
    thicket::ReadAndCheck(document, text, as);
    thicket::ReadAndCheck(paths, text, as);
  }
  thicket::ReadAndCheck(moved, text, thicket::ReadAs::kPublished);
  thicket::ReadAndCheck(moved_paths, text, thicket::ReadAs::kPublished);
  return 0;
}
