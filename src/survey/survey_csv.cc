#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/csv/csv_rows.h"
#include "survey/person_finder.h"
#include "survey/survey_formats.h"

namespace thicket {

// Where the header is missing a name is a person's value: the message quotes none.
Status MustHaveNamesOfTheirOwn(const std::vector<std::string_view>& columns,
                               const std::string& file) {
  for (auto name = columns.begin(); name != columns.end(); ++name) {
    if (std::find(columns.begin(), name, *name) == name) continue;
    return ErrorAt(ErrorCode::kData, {.file = file, .line = 1},
                   "every column must have a name of its own, but two have the same",
                   "is the header line missing?");
  }
  return {};
}

void GroupRows(PersonFinder::Person person, const std::vector<std::string>& columns,
               Survey& survey) {
  ClassSurvey grouped;
  grouped.objects = true;
  grouped.vertices = person.people;
  ClassSurvey& rows = grouped.Child("row");
  rows.objects = true;
  rows.array = true;
  rows.vertices = survey.records;
  const auto take = [&](const std::vector<size_t>& numbers, ClassSurvey& into) {
    for (const size_t i : numbers) {
      if (person.values[i]->present == 0) {
        into.MeetNull(columns[i]);
      } else {
        into.attributes.push_back(std::move(person.values[i]));
      }
    }
  };
  take(person.columns_of_people, grouped);
  take(person.columns_of_rows, rows);
  survey.group_by = columns[person.column];
  survey.records = person.people;
  survey.root = std::move(grouped);
}

Status SurveyCsv(SurveyInput& input, Survey& survey) {
  ClassSurvey& root = survey.root;
  std::vector<std::string> columns;
  std::optional<PersonFinder> persons;
  CsvRows rows(input, input.name(), 0, input.progress);
  EarlyEnd end;
  Status read = end.Settle(rows.ForEach(
      [&](const CsvRows::Fields& header, uint32_t) -> Status {
        THICKET_TRY(MustHaveNamesOfTheirOwn(header, input.name()));
        columns.assign(header.begin(), header.end());
        for (const std::string& name : columns) root.MeetNull(name);
        root.objects = true;
        persons.emplace(columns);
        return {};
      },
      [&](const CsvRows::Fields& fields, uint32_t) -> Status {
        if (Enough(survey)) return end.Now();
        for (size_t i = 0; i < columns.size(); ++i) {
          if (!fields[i].empty()) root.Attribute(columns[i]).Add(fields[i], survey.records);
        }
        persons->Add(fields);
        ++root.vertices;
        ++survey.records;
        return {};
      }));
  if (!read.ok() || !persons) return read;
  std::optional<PersonFinder::Person> person = persons->Find();
  if (person) GroupRows(std::move(*person), columns, survey);
  return {};
}

}  // namespace thicket
