// Columns of Arrow's layout, read in place: the value of a row as kind and text.
//
// A value has one text, whichever of its types Arrow has for it: a whole number in a float column has no fraction, a date is
// yyyy-mm-dd, a timestamp yyyy-mm-ddThh:mm:ss, or the date alone at midnight, since many frames have no dates. NaN is no value. What has a
// fixed number of bytes is written to a scratch, text is shown where it stands.
//
//   THICKET_ASSIGN(const ArrowType type, ArrowType::Of(table.schema(), "students"));
//   ArrowColumn column(type.children[0], *chunk.children[0]);
//   column.Value(row, scratch).text;
//
// Rows count from the array's own beginning: its offset is added here. The array must have passed CheckArrow() (arrow_check.h): nothing is
// looked at twice. O(1) per value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "base/arrow_abi.h"
#include "io/arrow/arrow_type.h"
#include "io/outgoing_value.h"

namespace thicket {

// Room for the text of a value that is no text.
struct ArrowScratch {
  // A decimal of 256 bits has 78 digits, and up to 60 zeros behind them.
  char bytes[160];
};

class ArrowColumn {
 public:
  ArrowColumn() = default;
  // Both must outlive the column.
  ArrowColumn(const ArrowType& type, const ArrowArray& array);

  int64_t length() const { return array_->length; }
  bool IsNull(int64_t row) const {
    row += array_->offset;
    if (validity_ != nullptr) return (validity_[row >> 3] >> (row & 7) & 1) == 0;
    return type_->kind == ArrowType::Kind::kNull;
  }
  // The value of a plain type; kNone for null and NaN. Valid as long as table and scratch.
  OutgoingValue Value(int64_t row, ArrowScratch& scratch) const;
  // What tells a value that is not null from all others of the column, for texts of up to 15 bytes and for what has up to 8: false for
  // others. Quick to find, unlike a text that would have to be written first.
  struct Bits {
    uint64_t low = 0;
    uint64_t high = 0;
    bool operator==(const Bits&) const = default;
  };
  bool BitsOf(int64_t row, Bits& bits) const;
  // Has the text of a view come near from memory, if there is such a row: views point anywhere.
  void Fetch(int64_t row) const {
    if (dictionary_ != nullptr || type_->kind != ArrowType::Kind::kText || !type_->is_view())
      return;
    if (row < array_->length && !IsNull(row))
      __builtin_prefetch(ViewAt(row + array_->offset).data());
  }
  // Whether the value is missing, but the row is not null: NaN, or a null among the values of a dictionary.
  bool IsMissingValue(int64_t row) const;
  // Whether the number is beyond all others.
  bool IsInfinite(int64_t row) const;
  // Whether the time is none of a day.
  bool IsBeyondDay(int64_t row) const;
  // Of a list: the first of its elements, and the one after the last.
  std::pair<int64_t, int64_t> Elements(int64_t row) const;
  // Of a struct: where the values of the row stand in its columns.
  int64_t RowBelow(int64_t row) const { return row + array_->offset; }
  // Of a dictionary: the number of the value; and how many values there are.
  int64_t Code(int64_t row) const;
  int64_t CodeCount() const { return array_->dictionary->length; }

  const ArrowType& type() const { return *type_; }
  const ArrowArray& array() const { return *array_; }

 private:
  // Buffers may stand anywhere: nothing is said of their alignment.
  template <typename T>
  static T Load(const void* buffer, int64_t row) {
    T value;
    std::memcpy(&value, static_cast<const char*>(buffer) + static_cast<size_t>(row) * sizeof(T),
                sizeof(T));
    return value;
  }
  template <typename T>
  T At(int64_t row) const {
    return Load<T>(data_, row);
  }
  int64_t Ticks(int64_t row) const {
    return type_->bytes == 4 ? At<int32_t>(row) : At<int64_t>(row);
  }
  double Float(int64_t row) const;
  std::string_view TextAt(int64_t row) const;
  std::string_view ViewAt(int64_t row) const;

  const ArrowType* type_ = nullptr;
  const ArrowArray* array_ = nullptr;
  const uint8_t* validity_ = nullptr;
  // Values, or offsets; and the texts behind offsets.
  const void* data_ = nullptr;
  const char* text_ = nullptr;
  std::shared_ptr<ArrowColumn> dictionary_ = nullptr;
};

// The calendar's day as "yyyy-mm-dd", counted from 1970; returns the end of the text.
char* WriteDate(int64_t days, char* out);
// The day of such a text, or of the beginning of a longer one; false if it is none.
bool ReadDate(std::string_view text, int64_t& days);

}  // namespace thicket
