// PostgreSQL's text form of rows, as COPY sends and takes them.
//
// Fields stand between tabs, a row ends with a line feed; \N is NULL, and a backslash stands before what would be taken
// for something else: a line feed is written \n, a backslash \\.
//
//   CopyRow row;
//   if (!row.Parse("1\tO'Hara\\nJr\t\\N\n")) ...     // broken
//   row.fields()[2].has_value();                      // false
//
//   std::string out;
//   AppendCopyRow({"1", std::nullopt}, out);          // "1\t\\N\n"
//
// O(bytes).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thicket {

// NULL if empty.
using CopyField = std::optional<std::string_view>;

class CopyRow {
 public:
  // Takes a row apart, with its line feed or without. False if it is not one.
  bool Parse(std::string_view row);

  // Valid as long as the row, and until the next Parse().
  const std::vector<CopyField>& fields() const { return fields_; }

 private:
  bool Unescape(std::string_view field);

  std::vector<CopyField> fields_;
  // Fields that had escapes, one after another.
  std::string unescaped_;
};

void AppendCopyRow(const std::vector<CopyField>& fields, std::string& out);

}  // namespace thicket
