// XML input: no crash, no record from text that is not XML, a data set that holds together, and the same one again when
// it was written and read.
#include <expat.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/dataset_io.h"
#include "nested_schema.h"
#include "walk.h"

namespace thicket {
namespace {

Policy NestedPolicy(std::string at, bool moved = false) {
  Schema schema = fuzz::NestedSchema();
  schema.classes[1].at = "w/c";
  schema.classes[1].keep = {"text()"};
  Policy policy;
  if (moved) policy.privacy.m = policy.privacy.n = 1;
  policy.input.format = Format::kXml;
  policy.input.at = std::move(at);
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

Policy PathPolicy(bool moved = false) {
  Policy policy = NestedPolicy("", moved);
  policy.schema = std::make_shared<const Schema>(fuzz::PathSchema());
  return policy;
}

void SetTrue(void* flag, const XML_Char*, const XML_Char*, const XML_Char*, int) {
  *static_cast<bool*>(flag) = true;
}

// Whether text is XML, and without a document type, in whatever encoding.
bool IsPlainXml(std::string_view text) {
  bool has_doctype = false;
  XML_Parser parser = XML_ParserCreate(nullptr);
  XML_SetUserData(parser, &has_doctype);
  XML_SetStartDoctypeDeclHandler(parser, SetTrue);
  const bool good =
      XML_Parse(parser, text.data(), static_cast<int>(text.size()), XML_TRUE) == XML_STATUS_OK;
  XML_ParserFree(parser);
  return good && !has_doctype;
}

std::string Written(const Policy& policy, const Dataset& data) {
  std::string out;
  DatasetRecords records(data);
  const Status status = WriteRecords(policy, records, {}, [&](std::string_view bytes) {
    out += bytes;
    return Status();
  });
  fuzz::Check(status.ok());
  return out;
}

void ReadAndCheck(const Policy& policy, std::string_view text, ReadAs as) {
  Progress progress;
  const Result<Dataset> data = ReadDatasetText(policy, text, "data", as, progress);
  if (!data.ok()) {
    fuzz::Check(!data.error().message.empty());
    return;
  }
  fuzz::Walk(*data, policy.privacy.structure().vertices_move);
  fuzz::Check(IsPlainXml(text));
  const std::string once = Written(policy, *data);
  fuzz::Check(IsPlainXml(once));
  const Result<Dataset> again =
      ReadDatasetText(policy, once, "again", ReadAs::kPublished, progress);
  fuzz::Check(again.ok());
  fuzz::Check(again->forest.vertex_count() == data->forest.vertex_count());
  fuzz::Check(Written(policy, *again) == once);
}

}  // namespace
}  // namespace thicket

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const thicket::Policy found = thicket::NestedPolicy("");
  static const thicket::Policy given = thicket::NestedPolicy("a/r");
  static const thicket::Policy moved = thicket::NestedPolicy("", /*moved=*/true);
  static const thicket::Policy paths = thicket::PathPolicy();
  static const thicket::Policy moved_paths = thicket::PathPolicy(/*moved=*/true);
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  for (const auto as : {thicket::ReadAs::kOriginal, thicket::ReadAs::kPublished}) {
    thicket::ReadAndCheck(found, text, as);
    thicket::ReadAndCheck(given, text, as);
    thicket::ReadAndCheck(paths, text, as);
  }
  thicket::ReadAndCheck(moved, text, thicket::ReadAs::kPublished);
  thicket::ReadAndCheck(moved_paths, text, thicket::ReadAs::kPublished);
  return 0;
}
