#include "io/arrow/arrow_json.h"

#include <algorithm>

#include "base/stop.h"
#include "io/arrow/arrow_column.h"
#include "io/writers.h"

namespace thicket {

namespace {

void Append(const ArrowColumn& column, int64_t row, std::string& out);

void AppendStruct(const ArrowColumn& column, int64_t row, std::string& out) {
  out += '{';
  const int64_t below = column.RowBelow(row);
  for (size_t i = 0; i < column.type().children.size(); ++i) {
    const ArrowColumn member(column.type().children[i], *column.array().children[i]);
    const bool readable = member.type().kind != ArrowType::Kind::kOther;
    if (!readable || member.IsNull(below) || member.IsMissingValue(below)) continue;
    if (out.back() != '{') out += ',';
    AppendJsonString(member.type().name, out);
    out += ':';
    Append(member, below, out);
  }
  out += '}';
}

void Append(const ArrowColumn& column, int64_t row, std::string& out) {
  if (column.type().kind == ArrowType::Kind::kOther || column.IsNull(row)) {
    out += "null";
  } else if (column.type().kind == ArrowType::Kind::kStruct) {
    AppendStruct(column, row, out);
  } else if (column.type().kind == ArrowType::Kind::kList) {
    out += '[';
    const ArrowColumn elements(column.type().children.front(), *column.array().children[0]);
    const auto [begin, end] = column.Elements(row);
    for (int64_t i = begin; i < end; ++i) {
      if (i > begin) out += ',';
      Append(elements, i, out);
    }
    out += ']';
  } else {
    ArrowScratch scratch;
    const OutgoingValue value = column.Value(row, scratch);
    if (value.kind == ValueKind::kNone || column.IsInfinite(row) || column.IsBeyondDay(row)) {
      out += "null";
    } else if (value.kind == ValueKind::kString) {
      AppendJsonString(value.text, out);
    } else {
      out += value.text;
    }
  }
}

}  // namespace

Result<std::string> ArrowAsJson(const ArrowTable& table, uint64_t most, const std::string& source) {
  THICKET_ASSIGN(const ArrowType type, ArrowType::OfTable(table.schema(), source));
  std::string text;
  for (const ArrowArray& chunk : table.chunks()) {
    const ArrowColumn rows(type, chunk);
    for (int64_t row = 0; row < chunk.length && most > 0; ++row, --most) {
      StopPoint();
      if (rows.IsNull(row)) continue;
      AppendStruct(rows, row, text);
      text += '\n';
    }
  }
  return text;
}

}  // namespace thicket
