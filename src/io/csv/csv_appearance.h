// Whether published CSV is written one way throughout, so that rows that look alike are alike to the last byte but for
// their sensitive and kept values.
//
//   - Lines end alike, and none is blank.
//   - Fields that need no quotes have them in all rows of a column, or in none. Programs differ in what they quote, so
//     empty fields, fields with blanks around them, and fields with a character that separates fields elsewhere (, ; |
//     and tabs) are each looked at by themselves.
//
// A file that was written anew as a whole, with other quotes, passes. What the policy does not name is a finding already.
//
//   CsvAppearance appearance(sink, "published.csv");
//   rows.Watch(appearance);
//
// O(fields).
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/csv/csv_row.h"
#include "io/dataset_sink.h"
#include "io/one_way.h"

namespace thicket {

class CsvAppearance {
 public:
  // Both must outlive it; `name` is that of the file in messages.
  CsvAppearance(DatasetSink& sink, const std::string& name) : sink_(&sink), name_(&name) {}

  // A row, or first of all the header.
  void MeetRow(const CsvRow& row, char delimiter, size_t line);
  void MeetBlankLine(size_t line);

 private:
  // What a field is like, as far as programs decide on quotes by it.
  enum Like : size_t { kPlain, kEmpty, kPadded, kSeparated, kMustBeQuoted };

  static Like LikeWhat(std::string_view field, char delimiter);

  DatasetSink* sink_;
  const std::string* name_;
  OneForm line_ends_;
  // By column and what its fields are like.
  std::vector<std::array<OneForm, kMustBeQuoted>> quotes_;
  bool has_header_ = false;
};

}  // namespace thicket
