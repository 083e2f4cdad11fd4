// Joined CSV tables: no crash, and a data set that holds together and survives being written as tables again.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/tables/outgoing_tables.h"
#include "io/tables/tables_reader.h"
#include "walk.h"

namespace thicket {
namespace {

constexpr size_t kTables = 3;

Policy JoinedPolicy(bool drop_orphans, bool moved = false) {
  Schema schema;
  schema.classes.resize(kTables);
  VertexClass& person = schema.classes[0];
  person.name = person.table = "p";
  person.key = person.id = "k";
  person.drop = {"d"};
  person.quasi = {{"q", {}}};
  person.children = {1};
  VertexClass& visit = schema.classes[1];
  visit.name = visit.table = visit.at = "v";
  visit.key = "k";
  visit.parent_key = "f";
  visit.quasi = {{"q", {}}};
  visit.sensitive = {{"s", {}, {}}};
  visit.children = {2};
  VertexClass& drug = schema.classes[2];
  drug.name = drug.table = drug.at = "m";
  drug.parent = 1;
  drug.parent_key = "f";
  drug.keep = {"q"};
  Policy policy;
  policy.file = "policy";
  if (moved) policy.privacy.m = policy.privacy.n = 1;
  policy.input.format = Format::kTables;
  policy.input.drop_orphans = drop_orphans;
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

// The three tables stand one after another, separated by lines of one '='.
std::array<std::string_view, kTables> Split(std::string_view text) {
  std::array<std::string_view, kTables> tables;
  for (std::string_view& table : tables) {
    const size_t end = text.find("\n=\n");
    table = text.substr(0, end == std::string_view::npos ? end : end + 1);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 3);
  }
  return tables;
}

template <typename Text>
Result<Dataset> ReadTexts(const Policy& policy, const std::array<Text, kTables>& texts, ReadAs as) {
  Progress progress;
  DatasetSink sink(policy, "data", as);
  TableJoin join(policy, sink);
  for (size_t id = 0; id < texts.size(); ++id) {
    const auto source = Source::FromText(texts[id]);
    THICKET_TRY(ReadCsvTable(policy.input, static_cast<ClassId>(id),
                             policy.schema->classes[id].table, *source, progress, sink, join));
  }
  THICKET_TRY(join.Finish());
  return std::move(sink).Finish();
}

// Keys are new, values are quoted: what was written must be readable as published data, and as large.
void WriteAndReadAgain(const Policy& policy, const Dataset& data) {
  DatasetRecords records(data);
  OutgoingTables tables(records, {});
  std::array<std::string, kTables> texts;
  for (size_t id = 0; id < kTables; ++id) {
    const auto vertex_class = static_cast<ClassId>(id);
    std::string& text = texts[id];
    for (const OutgoingColumn& column : tables.columns(vertex_class)) text += column.name + ",";
    text += "x\n";
    const Status done = tables.ForEachRow(vertex_class, [&](const std::vector<OutgoingValue>& row) {
      for (const OutgoingValue& value : row) {
        text += '"';
        for (const char c : value.text) text.append(c == '"' ? 2 : 1, c);
        text += "\",";
      }
      text += "\n";
      return Status();
    });
    fuzz::Check(done.ok());
  }
  const Result<Dataset> again = ReadTexts(policy, texts, ReadAs::kPublished);
  fuzz::Check(again.ok());
  fuzz::Check(again->forest.record_count() == data.forest.record_count());
  fuzz::Check(again->forest.vertex_count() == data.forest.vertex_count());
  for (Vertex v = 0; v < data.forest.vertex_count(); ++v) {
    fuzz::Check(again->forest.class_of(v) == data.forest.class_of(v));
    fuzz::Check(again->forest.subtree_size(v) == data.forest.subtree_size(v));
  }
}

void ReadAndCheck(const Policy& policy, std::string_view text, ReadAs as) {
  const Result<Dataset> data = ReadTexts(policy, Split(text), as);
  if (!data.ok()) {
    fuzz::Check(!data.error().message.empty());
    return;
  }
  fuzz::Walk(*data, policy.privacy.structure().vertices_move);
  fuzz::Check(data->vertex_places.size() == data->forest.vertex_count());
  WriteAndReadAgain(policy, *data);
}

}  // namespace
}  // namespace thicket

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const thicket::Policy strict = thicket::JoinedPolicy(false);
  static const thicket::Policy dropping = thicket::JoinedPolicy(true);
  static const thicket::Policy moved = thicket::JoinedPolicy(false, /*moved=*/true);
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  thicket::ReadAndCheck(strict, text, thicket::ReadAs::kOriginal);
  thicket::ReadAndCheck(dropping, text, thicket::ReadAs::kOriginal);
  thicket::ReadAndCheck(strict, text, thicket::ReadAs::kPublished);
  thicket::ReadAndCheck(moved, text, thicket::ReadAs::kPublished);
  return 0;
}
