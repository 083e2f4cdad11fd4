#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "io/arrow/arrow_column.h"
#include "survey/survey_formats.h"

namespace thicket {

namespace {

// The columns that a flat table can be grouped by, with the room for the texts of a row.
struct FlatColumns {
  std::vector<size_t> numbers;
  std::vector<std::string> names;
  std::vector<ArrowScratch> scratch;
};

// No columns where the table is not flat.
FlatColumns FlatColumnsOf(const ArrowType& type) {
  FlatColumns flat;
  for (size_t i = 0; i < type.children.size(); ++i) {
    const ArrowType& column = type.children[i];
    if (column.kind == ArrowType::Kind::kList || column.kind == ArrowType::Kind::kStruct) return {};
    // What --with-class adds is no column of the data, and what cannot be read is named in no policy.
    if (!column.is_plain() || column.name == kClassKey) continue;
    flat.numbers.push_back(i);
    flat.names.push_back(column.name);
  }
  flat.scratch.resize(flat.numbers.size());
  return flat;
}

void AddRows(const ArrowType& type, const ArrowArray& chunk, FlatColumns& flat, uint64_t& rows,
             PersonFinder& persons) {
  const ArrowColumn table(type, chunk);
  std::vector<ArrowColumn> columns;
  for (const size_t number : flat.numbers) {
    columns.emplace_back(type.children[number], *chunk.children[number]);
  }
  std::vector<std::string_view> fields(columns.size());
  for (int64_t row = 0; row < chunk.length && rows < kMostSurveyed; ++row, ++rows) {
    StopPoint();
    if (table.IsNull(row)) continue;
    const int64_t below = table.RowBelow(row);
    for (size_t i = 0; i < columns.size(); ++i) {
      const bool null = columns[i].IsNull(below);
      fields[i] = null ? std::string_view() : columns[i].Value(below, flat.scratch[i]).text;
    }
    persons.Add(fields);
  }
}

}  // namespace

Status FindPersonsOfTable(const ArrowTable& table, const std::string& name, Survey& survey) {
  THICKET_ASSIGN(const ArrowType type, ArrowType::OfTable(table.schema(), name));
  FlatColumns flat = FlatColumnsOf(type);
  if (flat.numbers.empty()) return {};
  PersonFinder persons(flat.names);
  uint64_t rows = 0;
  for (const ArrowArray& chunk : table.chunks()) AddRows(type, chunk, flat, rows, persons);
  std::optional<PersonFinder::Person> person = persons.Find();
  if (!person) return {};
  GroupRows(std::move(*person), flat.names, survey);
  survey.format = Format::kCsv;
  // Numbers of a table have a point before their fraction, whatever its texts have.
  for (const auto& attribute : survey.root.attributes) attribute->Settle('.');
  for (const auto& attribute : survey.root.children.front()->attributes) attribute->Settle('.');
  return {};
}

}  // namespace thicket
