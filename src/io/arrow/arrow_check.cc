#include "io/arrow/arrow_check.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace thicket {

namespace {

using Kind = ArrowType::Kind;
using Layout = ArrowType::Layout;

constexpr int64_t kViewBytes = 16;
constexpr int32_t kMostInside = 12;
// Before the sizes, which come last, and after nulls and views.
constexpr int64_t kFirstViewed = 2;

// Buffers may stand anywhere, so nothing is said of their alignment.
template <typename T>
T At(const void* buffer, int64_t row) {
  T value;
  std::memcpy(&value, static_cast<const char*>(buffer) + static_cast<size_t>(row) * sizeof(T),
              sizeof(T));
  return value;
}

// The rows of an array from `begin` on, before which there are `begin` others in the same buffers.
struct Rows {
  int64_t begin = 0;
  int64_t end = 0;
  // Null: no row is null.
  const void* validity = nullptr;

  bool IsNull(int64_t row) const {
    return validity != nullptr && (At<uint8_t>(validity, row >> 3) >> (row & 7) & 1) == 0;
  }
};

// What is wrong; empty if nothing is.
using Fault = std::string_view;

template <typename Offset>
Fault CheckOffsets(const Rows& rows, const void* offsets, int64_t most) {
  Offset before = At<Offset>(offsets, rows.begin);
  bool back = before < 0;
  for (int64_t row = rows.begin + 1; row <= rows.end; ++row) {
    const Offset next = At<Offset>(offsets, row);
    back |= next < before;
    before = next;
  }
  if (back) return "an offset is negative, or before the one of the row above";
  if (before > most) return "a list ends after the last element";
  return "";
}

template <typename Offset>
Fault CheckListViews(const Rows& rows, const void* offsets, const void* sizes, int64_t most) {
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    if (rows.IsNull(row)) continue;
    const int64_t offset = At<Offset>(offsets, row);
    const int64_t size = At<Offset>(sizes, row);
    if (offset < 0 || size < 0 || offset > most || size > most - offset) {
      return "a list reaches beyond its elements";
    }
  }
  return "";
}

Fault CheckTextViews(const Rows& rows, const ArrowArray& array) {
  const int64_t viewed = array.n_buffers - kFirstViewed - 1;
  const void* sizes = array.buffers[array.n_buffers - 1];
  if (viewed > 0 && sizes == nullptr) return "the sizes of buffers are not there";
  const char* views = static_cast<const char*>(array.buffers[1]);
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    const char* view = views + static_cast<size_t>(row) * kViewBytes;
    const auto length = At<int32_t>(view, 0);
    if (length >= 0 && length <= kMostInside) continue;
    if (rows.IsNull(row)) continue;
    const auto buffer = At<int32_t>(view, 2);
    const auto offset = At<int32_t>(view, 3);
    if (length < 0 || buffer < 0 || buffer >= viewed || offset < 0) {
      return "a text stands in no buffer";
    }
    if (array.buffers[kFirstViewed + buffer] == nullptr ||
        int64_t{offset} + length > At<int64_t>(sizes, buffer)) {
      return "a text reaches beyond its buffer";
    }
  }
  return "";
}

template <typename Code>
Fault CheckCodes(const Rows& rows, const void* codes, int64_t values) {
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    const Code code = At<Code>(codes, row);
    const bool inside = code >= 0 && static_cast<uint64_t>(code) < static_cast<uint64_t>(values);
    if (!inside && !rows.IsNull(row)) return "a number is not one of a value of the dictionary";
  }
  return "";
}

Fault CheckCodesOf(const ArrowType& type, const Rows& rows, const void* codes, int64_t values) {
  switch (type.index_bytes) {
    case 1:
      return type.signed_index ? CheckCodes<int8_t>(rows, codes, values)
                               : CheckCodes<uint8_t>(rows, codes, values);
    case 2:
      return type.signed_index ? CheckCodes<int16_t>(rows, codes, values)
                               : CheckCodes<uint16_t>(rows, codes, values);
    case 4:
      return type.signed_index ? CheckCodes<int32_t>(rows, codes, values)
                               : CheckCodes<uint32_t>(rows, codes, values);
    default:
      return type.signed_index ? CheckCodes<int64_t>(rows, codes, values)
                               : CheckCodes<uint64_t>(rows, codes, values);
  }
}

Fault CheckLists(const ArrowType& type, const Rows& rows, const ArrowArray& array) {
  const int64_t most = array.children[0]->length;
  switch (type.layout) {
    case Layout::kFixed:
      return type.width > 0 && rows.end > most / type.width ? "a list ends after the last element"
                                                            : "";
    case Layout::kView:
      return CheckListViews<int32_t>(rows, array.buffers[1], array.buffers[2], most);
    case Layout::kLargeView:
      return CheckListViews<int64_t>(rows, array.buffers[1], array.buffers[2], most);
    case Layout::kLarge:
      return CheckOffsets<int64_t>(rows, array.buffers[1], most);
    default:
      return CheckOffsets<int32_t>(rows, array.buffers[1], most);
  }
}

Fault CheckTexts(const ArrowType& type, const Rows& rows, const ArrowArray& array) {
  if (type.is_view()) return CheckTextViews(rows, array);
  const bool large = type.layout == Layout::kLarge;
  const int64_t most = std::numeric_limits<int64_t>::max();
  const Fault fault = large ? CheckOffsets<int64_t>(rows, array.buffers[1], most)
                            : CheckOffsets<int32_t>(rows, array.buffers[1], most);
  if (!fault.empty() || array.buffers[2] != nullptr) return fault;
  const int64_t end =
      large ? At<int64_t>(array.buffers[1], rows.end) : At<int32_t>(array.buffers[1], rows.end);
  return end > 0 ? "the texts are not there" : "";
}

// How many buffers come first for the type; those of viewed texts come after them.
int64_t BufferCount(const ArrowType& type) {
  if (type.dictionary) return 2;
  switch (type.kind) {
    case Kind::kNull:
      return 0;
    case Kind::kStruct:
      return 1;
    case Kind::kList:
      return type.layout == Layout::kFixed ? 1 : type.is_view() ? 3 : 2;
    case Kind::kText:
      return 3;
    default:
      return 2;
  }
}

// Rows and buffers, before anything is read from these.
Fault CheckShape(const ArrowType& type, const ArrowArray& array) {
  if (array.release == nullptr) return "an array is not there";
  if (array.length < 0 || array.offset < 0 ||
      array.length > std::numeric_limits<int64_t>::max() / kViewBytes - 1 - array.offset) {
    return "an array has a negative length";
  }
  if (array.null_count < -1 || array.null_count > array.length) {
    return "an array has more nulls than rows";
  }
  const int64_t buffers = BufferCount(type);
  const bool more = type.kind == Kind::kText && type.is_view() && !type.dictionary;
  if (array.n_buffers < buffers || (array.n_buffers > buffers && !more && buffers > 0) ||
      (buffers > 0 && array.buffers == nullptr)) {
    return "an array has not the buffers of its type";
  }
  if (buffers > 0 && array.null_count > 0 && array.buffers[0] == nullptr) {
    return "it is not said which rows are null";
  }
  const bool sizes = type.kind == Kind::kList && type.is_view();
  if (array.length > 0 && buffers > 1 &&
      (array.buffers[1] == nullptr || (sizes && array.buffers[2] == nullptr))) {
    return "an array has no values";
  }
  return "";
}

Fault CheckValues(const ArrowType& type, const ArrowArray& array) {
  if (array.length == 0) return "";
  Rows rows = {array.offset, array.offset + array.length};
  if (array.null_count != 0 && BufferCount(type) > 0) rows.validity = array.buffers[0];
  if (type.dictionary) {
    return CheckCodesOf(type, rows, array.buffers[1], array.dictionary->length);
  }
  if (type.kind == Kind::kList) return CheckLists(type, rows, array);
  if (type.kind == Kind::kText) return CheckTexts(type, rows, array);
  return "";
}

}  // namespace

Status CheckArrow(const ArrowType& type, const ArrowArray& array, const std::string& source) {
  const auto failed = [&](const std::string& path, Fault fault) {
    return MalformedArrow(source, path, fault);
  };
  // Nobody reads such a column.
  if (type.kind == Kind::kOther) return {};
  const Fault shape = CheckShape(type, array);
  if (!shape.empty()) return failed(type.path, shape);
  if (type.dictionary != (array.dictionary != nullptr)) {
    return failed(type.path, "an array has no dictionary, or one too many");
  }
  if (type.dictionary) {
    ArrowType values = type;
    values.dictionary = false;
    THICKET_TRY(CheckArrow(values, *array.dictionary, source));
  } else if (type.kind == Kind::kStruct || type.kind == Kind::kList) {
    if (array.n_children != static_cast<int64_t>(type.children.size()) ||
        (array.n_children > 0 && array.children == nullptr)) {
      return failed(type.path, "an array has not the columns of its type");
    }
    for (size_t i = 0; i < type.children.size(); ++i) {
      const ArrowType& below = type.children[i];
      if (array.children[i] == nullptr) return failed(below.path, "an array is not there");
      THICKET_TRY(CheckArrow(below, *array.children[i], source));
      // A column that nobody reads may have any length.
      const bool shorter = type.kind == Kind::kStruct && below.kind != Kind::kOther &&
                           array.children[i]->length < array.length + array.offset;
      if (shorter) return failed(below.path, "a column is shorter than the table");
    }
  }
  const Fault values = CheckValues(type, array);
  if (!values.empty()) return failed(type.path, values);
  return {};
}

}  // namespace thicket
