#include "io/arrow/arrow_type.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "io/arrow/arrow_schema.h"

namespace thicket {

namespace {

using Kind = ArrowType::Kind;

// Per second; 0 for a letter that stands for no unit.
int64_t TicksOf(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 1000;
    case 'u':
      return 1000000;
    case 'n':
      return 1000000000;
    default:
      return 0;
  }
}

// Numbers: the letter of each type, its kind and its size.
bool IsNumberFormat(char letter, Kind& kind, size_t& bytes) {
  static constexpr std::string_view kLetters = "cCsSiIlLefg";
  static constexpr std::array<uint8_t, 11> kBytes = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
  const size_t at = kLetters.find(letter);
  if (at == std::string_view::npos) return false;
  bytes = kBytes[at];
  kind = at >= 8 ? Kind::kFloat : at % 2 == 0 ? Kind::kInteger : Kind::kUnsigned;
  return true;
}

// "d:precision,scale" and "d:precision,scale,bits".
void ReadDecimalFormat(std::string_view format, ArrowType& type) {
  int precision = 0;
  int bits = 128;
  const char* end = format.data() + format.size();
  auto read = std::from_chars(format.data() + 2, end, precision);
  if (read.ec != std::errc() || read.ptr == end) return;
  read = std::from_chars(read.ptr + 1, end, type.scale);
  if (read.ec != std::errc()) return;
  if (read.ptr != end) read = std::from_chars(read.ptr + 1, end, bits);
  if (read.ec != std::errc() || type.scale < -60 || type.scale > 80) return;
  if (bits != 32 && bits != 64 && bits != 128 && bits != 256) return;
  type.bytes = static_cast<size_t>(bits / 8);
  type.kind = Kind::kDecimal;
}

void ReadTimeFormat(std::string_view format, ArrowType& type) {
  if (format == "tdD" || format == "tdm") {
    type.kind = Kind::kDate;
    type.bytes = format == "tdD" ? 4 : 8;
    type.ticks = format == "tdD" ? 1 : int64_t{86400} * 1000;
  } else if (format.size() == 3 && format[1] == 't') {
    type.ticks = TicksOf(format[2]);
    type.kind = type.ticks == 0 ? Kind::kOther : Kind::kTime;
    type.bytes = type.ticks <= 1000 ? 4 : 8;
  } else if (format.size() >= 4 && format[1] == 's' && format[3] == ':') {
    type.ticks = TicksOf(format[2]);
    type.kind = type.ticks == 0 ? Kind::kOther : Kind::kTimestamp;
    type.bytes = 8;
    type.zoned = format.size() > 4;
  }
}

void ReadNestedFormat(std::string_view format, ArrowType& type) {
  using Layout = ArrowType::Layout;
  if (format == "+s") {
    type.kind = Kind::kStruct;
    return;
  }
  const bool equal = format.substr(0, 3) == "+w:";
  if (equal) {
    const auto [end, error] =
        std::from_chars(format.data() + 3, format.data() + format.size(), type.width);
    if (error != std::errc() || type.width < 0) return;
  } else if (format != "+l" && format != "+L" && format != "+vl" && format != "+vL" &&
             format != "+m") {
    return;
  }
  type.kind = Kind::kList;
  type.layout = equal             ? Layout::kFixed
                : format == "+L"  ? Layout::kLarge
                : format == "+vl" ? Layout::kView
                : format == "+vL" ? Layout::kLargeView
                                  : Layout::kSmall;
}

void ReadFormat(std::string_view format, ArrowType& type) {
  using Layout = ArrowType::Layout;
  if (format == "n") {
    type.kind = Kind::kNull;
  } else if (format == "b") {
    type.kind = Kind::kBoolean;
  } else if (format == "u" || format == "U" || format == "vu") {
    type.kind = Kind::kText;
    type.layout = format == "u" ? Layout::kSmall : format == "U" ? Layout::kLarge : Layout::kView;
  } else if (format.substr(0, 2) == "d:") {
    ReadDecimalFormat(format, type);
  } else if (!format.empty() && format.front() == 't') {
    ReadTimeFormat(format, type);
  } else if (!format.empty() && format.front() == '+') {
    ReadNestedFormat(format, type);
  } else if (format.size() == 1) {
    IsNumberFormat(format.front(), type.kind, type.bytes);
  }
}

constexpr int kMostLevels = 100;

Result<ArrowType> TypeAt(const ArrowSchema& schema, const std::string& source,
                         const std::string& path, int level);

// A column that holds numbers of values: its type is that of the values.
Result<ArrowType> DictionaryAt(const ArrowSchema& schema, const std::string& source,
                               const std::string& path, int level) {
  const std::string_view format = schema.format;
  Kind index = Kind::kOther;
  size_t bytes = 0;
  if (format.size() != 1 || !IsNumberFormat(format.front(), index, bytes) ||
      index == Kind::kFloat) {
    return MalformedArrow(source, path, "the numbers of a dictionary are no whole numbers");
  }
  THICKET_ASSIGN(ArrowType values, TypeAt(*schema.dictionary, source, path, level + 1));
  // Neither a dictionary of dictionaries nor one of lists is anybody's column.
  if (!values.is_plain() || values.dictionary) values.kind = Kind::kOther;
  values.name = schema.name == nullptr ? "" : schema.name;
  values.dictionary = true;
  values.signed_index = index == Kind::kInteger;
  values.index_bytes = bytes;
  return values;
}

Result<ArrowType> TypeAt(const ArrowSchema& schema, const std::string& source,
                         const std::string& path, int level) {
  if (schema.format == nullptr || schema.release == nullptr) {
    return MalformedArrow(source, path, "a type is not there");
  }
  if (level > kMostLevels) {
    return MalformedArrow(source, "",
                          fmt::format("has types nested beyond {} levels", kMostLevels));
  }
  if (schema.dictionary != nullptr) return DictionaryAt(schema, source, path, level);
  ArrowType type;
  type.name = schema.name == nullptr ? "" : schema.name;
  type.path = path;
  type.format = schema.format;
  ReadFormat(type.format, type);
  // What such a number stands for nobody can tell: pandas has months since 1970.
  const std::string_view extension = ExtensionOf(schema);
  if (!extension.empty() && type.is_plain() && type.kind != Kind::kText &&
      type.kind != Kind::kNull) {
    type.kind = Kind::kOther;
    type.extension = extension;
  }
  if (type.kind != Kind::kStruct && type.kind != Kind::kList) return type;
  if (schema.n_children < 0 || (schema.n_children > 0 && schema.children == nullptr)) {
    return MalformedArrow(source, path, "the types below are not there");
  }
  if (type.kind == Kind::kList && schema.n_children != 1) {
    return MalformedArrow(source, path, "a list has not one kind of elements");
  }
  for (int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema* below = schema.children[i];
    if (below == nullptr) return MalformedArrow(source, path, "a type is not there");
    std::string path_below = path;
    if (type.kind == Kind::kStruct) {
      const std::string_view name = below->name == nullptr ? "" : below->name;
      if (!IsUtf8(name)) return MalformedArrow(source, path, "the name of a column is no UTF-8");
      path_below.append(path.empty() ? "" : ".").append(name);
    }
    THICKET_ASSIGN(ArrowType child, TypeAt(*below, source, path_below, level + 1));
    type.children.push_back(std::move(child));
  }
  return type;
}

}  // namespace

Error MalformedArrow(const std::string& source, const std::string& path, std::string_view what) {
  return ErrorAt(ErrorCode::kData, {.file = source, .path = path},
                 std::string("must be laid out as Arrow says, but ").append(what),
                 "this is a defect of what made the table");
}

Result<ArrowType> ArrowType::Of(const ArrowSchema& schema, const std::string& source) {
  return TypeAt(schema, source, "", 0);
}

std::string_view ArrowType::Name() const {
  switch (kind) {
    case Kind::kNull:
      return "nothing but nulls";
    case Kind::kBoolean:
      return "booleans";
    case Kind::kInteger:
    case Kind::kUnsigned:
    case Kind::kFloat:
    case Kind::kDecimal:
      return "numbers";
    case Kind::kDate:
      return "dates";
    case Kind::kTime:
      return "times";
    case Kind::kTimestamp:
      return "timestamps";
    case Kind::kText:
      return "texts";
    case Kind::kList:
      return "lists";
    case Kind::kStruct:
      return "structs";
    case Kind::kOther:
      break;
  }
  if (!extension.empty()) return "an extension type";
  if (format == "z" || format == "Z" || format == "vz" || format.substr(0, 2) == "w:") {
    return "binary data";
  }
  if (format.substr(0, 2) == "tD" || format.substr(0, 2) == "ti") return "durations";
  return "what cannot be read";
}

Result<ArrowType> ArrowType::OfTable(const ArrowSchema& schema, const std::string& source) {
  THICKET_ASSIGN(ArrowType type, Of(schema, source));
  if (type.kind == Kind::kStruct) return type;
  return ErrorAt(
      ErrorCode::kData, {.file = source},
      std::string("a table must have columns with names, but holds ").append(type.Name()),
      "hand over a data frame, or a column of structs");
}

Status MustBePlain(const ArrowType& column, const std::string& source) {
  if (column.is_plain()) return {};
  const bool other = column.kind == ArrowType::Kind::kOther;
  return ErrorAt(ErrorCode::kData, {.file = source, .path = column.path},
                 std::string(other ? "must hold text, numbers, booleans or dates, but holds "
                                   : "must hold plain values, but holds ")
                     .append(column.Name())
                     .append(column.extension.empty() ? "" : " (" + column.extension + ")"),
                 other ? "convert the column, or take it out of the policy"
                       : "describe it under children, or take it out of the policy");
}

}  // namespace thicket
