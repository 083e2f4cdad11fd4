// A column of Arrow's layout that is being made, cell by cell, with the columns below it.
//
//   ArrowCells students(ArrowCells::Struct(""));
//   ArrowCells& major = students.Add(ArrowCells::Leaf("major", TextType()));
//   major.Append({ValueKind::kString, "CS"});
//   students.EndStruct();                          // one row; columns that were not appended to are null in it
//   ArrowTable table = std::move(students).Finish();
//
// What is null holds zeros, an empty list is never null, and dictionaries are made anew from what is appended: nothing is in
// the buffers that no row shows.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/arrow_abi.h"
#include "io/arrow/arrow_column.h"
#include "io/arrow/arrow_table.h"
#include "io/outgoing_value.h"

namespace thicket {

// Texts with offsets of 32 bits, or of 64 where they are needed; and a plain type by its letters.
ArrowType TextType();
ArrowType PlainType(std::string_view format);

// Whether a value can stand in a column of the type, and comes out as the same text or number again.
bool FitsArrow(const ArrowType& type, const OutgoingValue& value);

class ArrowCells {
 public:
  static ArrowCells Leaf(std::string name, ArrowType type);
  static ArrowCells List(std::string name, ArrowCells elements);
  static ArrowCells Struct(std::string name);
  // The same column under another name.
  ArrowCells Named(std::string name) && {
    name_ = std::move(name);
    return std::move(*this);
  }
  ArrowCells(ArrowCells&&) noexcept = default;
  ArrowCells& operator=(ArrowCells&&) noexcept = default;

  // A column of a struct; the one of this name if there is one.
  ArrowCells& Add(ArrowCells column);
  ArrowCells& elements() { return *children_.front(); }
  ArrowCells& column(size_t number) { return *children_[number]; }
  // Puts the columns of a struct into the order of the names; those that are not among them come last.
  void Order(const std::vector<ArrowType>& names);
  // Takes a column out that holds nothing.
  void DropIfEmpty(std::string_view name);

  // A leaf's value; the value must fit, or be none.
  void Append(const OutgoingValue& value);
  void AppendNull();
  // The elements since the last list are one list.
  void EndList();
  // The columns have been appended to, or get a null. False in `there`: the struct itself is null.
  void EndStruct(bool there = true);

  int64_t length() const { return length_; }
  bool is_list() const { return type_.kind == ArrowType::Kind::kList; }

  // Of a struct: the table of its rows.
  ArrowTable Finish() &&;

 private:
  explicit ArrowCells(std::string name, ArrowType type);
  void MarkNext(bool valid);
  void Build(ArrowSchema* schema, ArrowArray* array) &&;

  std::string name_;
  ArrowType type_;
  int64_t length_ = 0;
  int64_t nulls_ = 0;
  std::vector<uint8_t> validity_;
  // Values of fixed size, or texts.
  std::string data_;
  std::vector<int64_t> offsets_;
  std::vector<std::unique_ptr<ArrowCells>> children_;
  // Of a dictionary: the numbers of its values by their texts, and by row.
  std::unordered_map<std::string, int32_t> codes_;
  std::vector<int32_t> rows_;
};

}  // namespace thicket
