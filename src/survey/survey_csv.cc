#include <algorithm>
#include <string>
#include <vector>

#include "io/csv/csv_rows.h"
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

Status SurveyCsv(SurveyInput& input, Survey& survey) {
  ClassSurvey& root = survey.root;
  std::vector<std::string> columns;
  CsvRows rows(input, input.name(), 0, input.progress);
  EarlyEnd end;
  return end.Settle(rows.ForEach(
      [&](const CsvRows::Fields& header, uint32_t) -> Status {
        THICKET_TRY(MustHaveNamesOfTheirOwn(header, input.name()));
        columns.assign(header.begin(), header.end());
        for (const std::string& name : columns) root.MeetNull(name);
        root.objects = true;
        return {};
      },
      [&](const CsvRows::Fields& fields, uint32_t) -> Status {
        if (Enough(survey)) return end.Now();
        for (size_t i = 0; i < columns.size(); ++i) {
          if (!fields[i].empty()) root.Attribute(columns[i]).Add(fields[i], survey.records);
        }
        ++root.vertices;
        ++survey.records;
        return {};
      }));
}

}  // namespace thicket
