// The rows of a CSV file, one after another: what the readers of one table and of several share.
//
//   CsvRows rows(source, "courses.csv", input.delimiter, progress);
//   THICKET_TRY(rows.ForEach([&](const CsvRows::Fields& header, uint32_t line) { ... return Status(); },
//                            [&](const CsvRows::Fields& row, uint32_t line) { ... return Status(); }));
//
// Rows come as RFC 4180 has them (io/csv/csv_row.h), in UTF-8, with as many fields as the header; blank lines are no rows. What
// is otherwise is a kData error with file and line. O(longest row) memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "io/csv/csv_appearance.h"
#include "io/csv/csv_row.h"
#include "io/file/source.h"
#include "io/file/window.h"

namespace thicket {

// The next step where a CSV file is not UTF-8.
inline constexpr std::string_view kMayBeLatin1 =
    "set encoding: latin1 in input if it is that, or convert the file, for example with iconv";

class CsvRows {
 public:
  // Valid during the call only.
  using Fields = std::vector<std::string_view>;
  using Row = std::function<Status(const Fields& fields, uint32_t line)>;

  // `name` is what messages call the file; `delimiter` may be 0, and is then found out from the header. Everything given
  // must outlive it.
  CsvRows(Source& source, const std::string& name, char delimiter, Progress& progress)
      : window_(source, progress), name_(&name), given_(delimiter), delimiter_(delimiter) {}

  // Shows every row to `appearance`, too, before it is handed out. It must outlive the rows.
  void Watch(CsvAppearance& appearance) { appearance_ = &appearance; }
  // Reads columns between tabs as logs of what people typed have them: a quote is a character like any other, and empty fields at
  // the end of a row may be missing. To be called before ForEach().
  void ReadTabsAsLogs() { tabs_as_logs_ = true; }
  // `header` is not called if the file is empty.
  Status ForEach(const Row& header, const Row& row);

  // From the header on.
  char delimiter() const { return delimiter_; }
  // Where a field of the row stands that is being handed out: its line and, counted in bytes, its column.
  ErrorPlace PlaceOf(std::string_view field, uint32_t line) const;
  // "courses.csv:17: what".
  Error Wrong(size_t line, std::string_view what, std::string hint = "") const;

 private:
  Status ReadRows(bool last, const Row& header, const Row& row);
  Error NotUtf8(std::string_view bytes) const;

  Window window_;
  const std::string* name_;
  char given_;
  char delimiter_;
  CsvRow row_;
  CsvAppearance* appearance_ = nullptr;
  bool tabs_as_logs_ = false;
  // Columns of the header; 0 until it was read.
  size_t width_ = 0;
  size_t line_ = 1;
};

}  // namespace thicket
