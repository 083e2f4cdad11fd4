// What a column of Arrow's layout holds, read from its schema: the letters of the ABI as a kind, a layout and a path.
//
//   THICKET_ASSIGN(const ArrowType type, ArrowType::Of(table.schema(), "students"));
//   type.children[0].path;                                                   // "courses.code"
//
// O(columns). arrow_check.h says whether an array is one of the type, arrow_column.h reads its values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arrow_abi.h"
#include "base/result.h"

namespace thicket {

struct ArrowType {
  enum class Kind : uint8_t {
    kNull,
    kBoolean,
    kInteger,
    kUnsigned,
    kFloat,
    kDecimal,
    kDate,
    kTime,
    kTimestamp,
    kText,
    kList,
    kStruct,
    // Cannot be read: binary data, durations, unions, and extension types that are laid out as numbers or times.
    kOther,
  };
  // How texts and lists are laid out: offsets of 32 or 64 bits, views (an offset and a length each), or equal lengths.
  enum class Layout : uint8_t { kSmall, kLarge, kView, kLargeView, kFixed };

  Kind kind = Kind::kOther;
  // As the ABI writes it; of a dictionary that of its values.
  std::string format;
  std::string name;
  // Of an extension type that cannot be read: "pandas.period".
  std::string extension = {};
  // From the table on: "courses.code".
  std::string path;
  Layout layout = Layout::kSmall;
  // Of a number, a date or a time.
  size_t bytes = 0;
  // Of a date per day, of a time and a timestamp per second.
  int64_t ticks = 1;
  // kDecimal.
  int scale = 0;
  // kTimestamp: whether it is in a time zone; values then count in UTC.
  bool zoned = false;
  // Lists of equal lengths: how many elements each has.
  int64_t width = 0;
  // Columns of a struct; the elements of a list.
  std::vector<ArrowType> children = {};
  // Whether the array holds numbers of values, and how many bytes such a number has.
  bool dictionary = false;
  bool signed_index = true;
  size_t index_bytes = 0;

  // kData for a schema that is none.
  static Result<ArrowType> Of(const ArrowSchema& schema, const std::string& source);
  // The same of a whole table, which must have columns.
  static Result<ArrowType> OfTable(const ArrowSchema& schema, const std::string& source);

  bool is_plain() const {
    return kind != Kind::kList && kind != Kind::kStruct && kind != Kind::kOther;
  }
  bool is_view() const { return layout == Layout::kView || layout == Layout::kLargeView; }
  // "a list", for messages.
  std::string_view Name() const;
};

// kData where a column cannot hold the values of an attribute: a struct, a list, or what cannot be read.
Status MustBePlain(const ArrowType& column, const std::string& source);

// The error of a table that is not laid out as the ABI says; `what` goes on after "but".
Error MalformedArrow(const std::string& source, const std::string& path, std::string_view what);

}  // namespace thicket
