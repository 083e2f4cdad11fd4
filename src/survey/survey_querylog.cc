#include <algorithm>
#include <string>
#include <vector>

#include "io/csv/csv_rows.h"
#include "io/querylog/querylog_columns.h"
#include "survey/survey_formats.h"

namespace thicket {

namespace {

constexpr size_t kNoColumn = ~size_t{0};

size_t ColumnOf(const std::vector<std::string_view>& header, std::string_view name) {
  const auto found = std::find_if(header.begin(), header.end(),
                                  [&](std::string_view text) { return IsColumn(text, name); });
  return found == header.end() ? kNoColumn : static_cast<size_t>(found - header.begin());
}

}  // namespace

bool IsQuerylog(std::string_view text) {
  const size_t end = text.find('\n');
  const std::string_view line =
      text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
  CsvRow row;
  if (row.Parse(line, FindDelimiter(line), true) != CsvRow::Outcome::kRow) return false;
  return std::all_of(std::begin(kLogColumns), std::end(kLogColumns), [&](std::string_view name) {
    return ColumnOf(row.fields(), name) != kNoColumn;
  });
}

Status SurveyQuerylog(SurveyInput& input, Survey& survey) {
  ClassSurvey& root = survey.root;
  size_t user = kNoColumn;
  size_t rank = kNoColumn;
  size_t url = kNoColumn;
  CsvRows rows(input, input.name(), 0, input.progress);
  rows.ReadTabsAsLogs();
  EarlyEnd end;
  const auto has = [](const CsvRows::Fields& fields, size_t column) {
    return column < fields.size() && !WithoutQuotes(fields[column]).empty();
  };
  Status status = end.Settle(rows.ForEach(
      [&](const CsvRows::Fields& header, uint32_t) {
        user = ColumnOf(header, kAnonId);
        rank = ColumnOf(header, kItemRank);
        url = ColumnOf(header, kClickUrl);
        return MustHaveNamesOfTheirOwn(header, input.name());
      },
      [&](const CsvRows::Fields& fields, uint32_t) {
        if (Enough(survey)) return end.Now();
        ++survey.records;
        if (has(fields, user)) root.Attribute(kAnonId).Add(WithoutQuotes(fields[user]));
        const bool both = rank != kNoColumn && url != kNoColumn;
        survey.querylog.clicked |= both && (has(fields, rank) || has(fields, url));
        return Status();
      }));
  root.vertices = survey.records;
  root.objects = true;
  survey.querylog.users = root.Attribute(kAnonId).distinct();
  return status;
}

}  // namespace thicket
