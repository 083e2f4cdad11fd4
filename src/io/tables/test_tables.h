// Joined tables as texts, for the tests of this folder.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/tables/database_catalogue.h"
#include "io/tables/tables_reader.h"
#include "io/test_policy.h"

namespace thicket::testing {

// StudentPolicy() as tables: students(ID, id), courses(CID, SID) with books(CID), tags(SID).
inline Policy JoinedPolicy() {
  Policy policy = StudentPolicy(Format::kTables);
  Schema schema = *policy.schema;
  schema.classes.pop_back();
  std::vector<VertexClass>& classes = schema.classes;
  classes[0].children = {1, 3};
  classes[0].table = "students";
  classes[0].key = "ID";
  classes[1].table = "courses";
  classes[1].key = "CID";
  classes[1].parent_key = "SID";
  classes[2].table = "books";
  classes[2].parent_key = "CID";
  classes[3].table = "tags";
  classes[3].parent_key = "SID";
  for (VertexClass& vertex_class : classes) vertex_class.at = vertex_class.table;
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

// The policy with another schema.
template <typename Change>
Policy Changed(Policy policy, const Change& change) {
  Schema schema = *policy.schema;
  change(schema.classes);
  policy.schema = std::make_shared<const Schema>(std::move(schema));
  return policy;
}

// One text per class, called "students.csv" and so on.
inline Result<Dataset> ReadTexts(const Policy& policy, const std::vector<std::string>& texts,
                                 ReadAs as = ReadAs::kOriginal, bool has_lines = true) {
  Progress progress;
  DatasetSink sink(policy, "data", as);
  sink.dataset().has_lines = has_lines;
  TableJoin join(policy, sink);
  for (size_t id = 0; id < texts.size(); ++id) {
    const auto source = Source::FromText(texts[id]);
    THICKET_TRY(ReadCsvTable(policy.input, static_cast<ClassId>(id),
                             policy.schema->classes[id].table + ".csv", *source, progress, sink,
                             join));
  }
  THICKET_TRY(join.Finish());
  return std::move(sink).Finish();
}

// A line for each table: "students 3: id/INTEGER! photo/BLOB? school->schools.id"; ! is of the primary key, ? is not plain.
inline std::vector<std::string> DescribeCatalogue(const std::vector<CatalogueTable>& tables) {
  std::vector<std::string> lines;
  for (const CatalogueTable& table : tables) {
    std::string line = table.name + " " + std::to_string(table.rows) + ":";
    for (const CatalogueColumn& column : table.columns) {
      line += " " + column.name + "/" + column.type + (column.primary_key ? "!" : "") +
              (column.plain ? "" : "?");
    }
    for (const CatalogueForeignKey& key : table.foreign_keys) {
      line += " " + key.column + "->" + key.table + "." + key.referenced_column;
    }
    lines.push_back(line);
  }
  return lines;
}

}  // namespace thicket::testing
