// The parts of SurveyData(), one per format: each looks at the first records and describes them in a Survey.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "io/arrow/arrow_table.h"
#include "io/file/source.h"
#include "io/file/window.h"
#include "survey/person_finder.h"
#include "survey/survey.h"

namespace thicket {

// Data deeper than this is not described by hand.
inline constexpr size_t kDeepestSurveyed = 32;

// One stream of bytes with its name in messages. Its beginning is looked at before the format is known; as a Source it
// hands out all bytes again, also those of the window.
class SurveyInput final : public Source {
 public:
  SurveyInput(const std::string& path, Source& source, Progress& asked)
      : progress(asked),
        window(source, progress),
        source_(&source),
        name_(path == "-" ? "standard input" : path) {}

  Status Fill() {
    THICKET_ASSIGN(more, window.Fill());
    return {};
  }

  Result<size_t> Read(char* buffer, size_t size) override {
    const std::string_view known = window.text();
    if (known.empty()) return source_->Read(buffer, size);
    const size_t count = std::min(size, known.size());
    std::memcpy(buffer, known.data(), count);
    window.Drop(count);
    return count;
  }
  uint64_t stored_bytes() const override { return source_->stored_bytes(); }
  uint64_t bytes_taken() const override { return source_->bytes_taken(); }
  const std::string& name() const override { return name_; }

  Progress& progress;
  Window window;
  // Whether the source may have more than the window holds.
  bool more = true;

 private:
  Source* source_;
  std::string name_;
};

// Ends a reading that only errors end, where enough was seen:
//
//   EarlyEnd end;
//   return end.Settle(rows.ForEach(..., [&](...) { return enough ? end.Now() : Status(); }));
class EarlyEnd {
 public:
  Status Now() {
    ended_ = true;
    return Error{ErrorCode::kData, "enough was read", "", ""};
  }
  Status Settle(Status status) const { return ended_ ? Status() : std::move(status); }

 private:
  bool ended_ = false;
};

// Whether enough records were looked at; asked where one more is there.
inline bool Enough(Survey& survey) {
  if (survey.records < kMostSurveyed) return false;
  survey.partial = true;
  return true;
}

Status SurveyJsonl(SurveyInput& input, Survey& survey);
Status SurveyJson(SurveyInput& input, Survey& survey);
Status SurveyCsv(SurveyInput& input, Survey& survey);
Status SurveyXml(SurveyInput& input, Survey& survey);
Status SurveySets(SurveyInput& input, Survey& survey);
Status SurveyQuerylog(SurveyInput& input, Survey& survey);

// Whether the first line has the columns of a query log.
bool IsQuerylog(std::string_view text);

// The delimiter of sets, one per line, 0 for blanks; nothing if the text does not look like sets. Lines of sets are of different
// lengths, and what stands in the first of them stands elsewhere, too, which is not so of the header of a table.
std::optional<char> FindSets(std::string_view text);

// Documents that are files of their own (io/documents.h): their format, nothing if there are none, or tables beside them; and what they
// look like, each of them a record.
std::optional<Format> FindDocumentFormat(const std::string& path);
Result<Survey> SurveyDocuments(Format format, const std::string& path,
                               const SurveyOptions& options);

// Tables that are joined by keys; `survey.format` says where they are kept.
Status SurveyTables(const std::string& location, const SurveyOptions& options, Survey& survey);

// Rows of one person are a record: what is the same in all of them is the person's, the rest stands in a row each.
void GroupRows(PersonFinder::Person person, const std::vector<std::string>& columns,
               Survey& survey);

// Tables in Arrow's layout, surveyed as JSON Lines with the same content: where columns are flat and several rows are one person's, the
// survey becomes that of a CSV file with these rows. `name` is what messages call the table.
Status FindPersonsOfTable(const ArrowTable& table, const std::string& name, Survey& survey);

// An error if two columns of a CSV file have the same name.
Status MustHaveNamesOfTheirOwn(const std::vector<std::string_view>& columns,
                               const std::string& file);

}  // namespace thicket
