// Values of a column of Arrow's layout as symbols of a slot, and what no value may be.
//
//   ArrowSymbols symbols;
//   symbols.Attach(column);                                                  // for each chunk
//   if (const WrongValue* wrong = symbols.Read(sink, id, slot, column, row, symbol)) ... wrong->what ...
//
// Most columns repeat few values: the symbols of those that a column had lately are kept by their bits, so that a text need neither be
// written nor looked up again. 64 KB per column; O(1) per value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "io/arrow/arrow_column.h"
#include "io/dataset_sink.h"

namespace thicket {

// "must be a number, but is infinite", and the next step.
struct WrongValue {
  std::string_view what;
  const char* hint = "";
};

// Of a published column: a missing value may be written in one way only.
inline constexpr std::string_view kOneMissingValue =
    "a missing value must be written in one way throughout, but is NaN or a null of the dictionary "
    "in some rows and null in others";
// Of a published column with a dictionary: nothing may be there that no row shows.
inline constexpr std::string_view kUnusedValue =
    "a value in the dictionary of a column that no row has";

class ArrowSymbols {
 public:
  // Another chunk has another dictionary.
  void Attach(const ArrowColumn& column);

  // The symbol of a value that is not null: kMissing for one that stands for none. Null if the value may be; `symbol` is not set otherwise.
  const WrongValue* Read(DatasetSink& sink, ClassId id, size_t slot, const ArrowColumn& column,
                         int64_t row, Symbol& symbol);
  // The value itself; valid until the next call.
  const WrongValue* ReadValue(const ArrowColumn& column, int64_t row, OutgoingValue& value);

  // Of a published column, for each row: whether the value is missing, and values of the column are in more than one way by now.
  bool MissesOtherwise(const ArrowColumn& column, int64_t row);
  // Whether the dictionary of the chunk has values that no row had.
  bool has_unused() const;

 private:
  // `known`: whether there is one.
  struct Entry {
    ArrowColumn::Bits bits;
    Symbol symbol = kMissing;
    bool known = false;
  };

  Entry& EntryOf(const ArrowColumn::Bits& bits);
  const WrongValue* ReadUnchecked(const ArrowColumn& column, int64_t row, OutgoingValue& value);

  std::vector<Entry> entries_;
  ArrowScratch scratch_;
  // By value of the dictionary.
  std::vector<bool> used_;
  bool met_null_ = false;
  bool met_other_missing_ = false;
};

}  // namespace thicket
