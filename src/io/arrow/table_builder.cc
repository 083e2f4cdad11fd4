#include "io/arrow/table_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "io/arrow/arrow_cells.h"

namespace thicket {

namespace {

using Kind = TableValue::Kind;

// Digits that a decimal of 128 bits can hold.
constexpr size_t kMostDigits = 38;

// What values are, as messages say it. Numbers of any kind are of one.
enum class Sort : uint8_t {
  kNone,
  kBoolean,
  kNumber,
  kText,
  kDate,
  kTime,
  kTimestamp,
  kZoned,
  kList,
  kStruct
};

constexpr std::array<std::string_view, 10> kSortNames = {
    "nothing", "booleans", "numbers",    "texts",
    "dates",   "times",    "timestamps", "timestamps with a time zone",
    "lists",   "structs"};

std::string_view NameOf(Sort sort) { return kSortNames[static_cast<size_t>(sort)]; }

Sort SortOf(Kind kind) {
  switch (kind) {
    case Kind::kNone:
      return Sort::kNone;
    case Kind::kBoolean:
      return Sort::kBoolean;
    case Kind::kInteger:
    case Kind::kFloat:
    case Kind::kDecimal:
      return Sort::kNumber;
    case Kind::kText:
      return Sort::kText;
    case Kind::kDate:
      return Sort::kDate;
    case Kind::kTime:
      return Sort::kTime;
    case Kind::kTimestamp:
      return Sort::kTimestamp;
    case Kind::kZonedTimestamp:
      return Sort::kZoned;
  }
  return Sort::kNone;
}

ValueKind OutgoingKind(Kind kind) {
  switch (SortOf(kind)) {
    case Sort::kNone:
      return ValueKind::kNone;
    case Sort::kBoolean:
      return ValueKind::kBoolean;
    case Sort::kNumber:
      return ValueKind::kNumber;
    default:
      return ValueKind::kString;
  }
}

// A column as its values came.
struct Column {
  std::string name;
  std::string path;
  Sort sort = Sort::kNone;
  int64_t length = 0;
  // Plain values, by row: what they are, and where their texts end.
  std::vector<Kind> kinds;
  std::vector<size_t> ends;
  std::string texts;
  // Lists, by row: how many elements there are up to its end. Structs and lists: which rows are there.
  std::vector<int64_t> list_ends;
  std::vector<bool> there;
  std::vector<std::unique_ptr<Column>> below;

  // The rows up to the one before `rows` get a null.
  void PadTo(int64_t rows) {
    for (; length < rows; ++length) {
      kinds.push_back(Kind::kNone);
      ends.push_back(texts.size());
      there.push_back(false);
      list_ends.push_back(below.empty() || sort != Sort::kList ? 0 : below.front()->length);
    }
  }
};

}  // namespace

class TableBuilder::Builder {
 public:
  explicit Builder(std::string name) : name_(std::move(name)) { root_.sort = Sort::kStruct; }

  Status Begin(Sort sort) {
    THICKET_ASSIGN(Column * column, Next(sort));
    if (sort == Sort::kList && column->below.empty()) {
      auto& elements = column->below.emplace_back(std::make_unique<Column>());
      elements->name = "item";
      elements->path = column->path;
    }
    open_.push_back(column);
    key_ = nullptr;
    return {};
  }

  void End() {
    Column& column = *open_.back();
    open_.pop_back();
    column.kinds.push_back(Kind::kNone);
    column.ends.push_back(0);
    column.there.push_back(true);
    column.list_ends.push_back(column.sort == Sort::kList ? column.below.front()->length : 0);
    ++column.length;
    if (column.sort != Sort::kStruct) return;
    for (const auto& below : column.below) below->PadTo(column.length);
  }

  Status Add(const TableValue& value) {
    THICKET_ASSIGN(Column * column, Next(SortOf(value.kind)));
    column->kinds.push_back(value.kind);
    column->texts += value.text;
    column->ends.push_back(column->texts.size());
    column->there.push_back(false);
    column->list_ends.push_back(column->sort == Sort::kList ? column->below.front()->length : 0);
    ++column->length;
    return {};
  }

  Status Key(std::string_view name) {
    Column& around = *open_.back();
    const auto found = std::find_if(around.below.begin(), around.below.end(),
                                    [&](const auto& column) { return column->name == name; });
    if (found != around.below.end()) {
      key_ = found->get();
    } else {
      key_ = around.below.emplace_back(std::make_unique<Column>()).get();
      key_->name = name;
      key_->path = (around.path.empty() ? "" : around.path + ".") + key_->name;
    }
    if (key_->length > around.length) {
      return Wrong(key_->path, "a key must occur once, but occurs twice", "remove one of the two");
    }
    key_->PadTo(around.length);
    return {};
  }

  Result<ArrowTable> Finish() && {
    THICKET_ASSIGN(ArrowCells cells, CellsOf(root_));
    for (int64_t row = 0; row < root_.length; ++row) {
      StopPoint();
      Fill(root_, row, cells);
    }
    return std::move(cells).Finish();
  }

 private:
  Error Wrong(const std::string& path, std::string_view what, std::string hint) const {
    return ErrorAt(ErrorCode::kData,
                   {.file = name_, .record = static_cast<uint64_t>(root_.length) + 1, .path = path},
                   what, std::move(hint));
  }

  // The column that the next value is for, which must hold what it holds already.
  Result<Column*> Next(Sort sort) {
    Column* column = &root_;
    if (!open_.empty() && open_.back()->sort == Sort::kList) {
      column = open_.back()->below.front().get();
    } else if (!open_.empty()) {
      column = std::exchange(key_, nullptr);
    }
    if (sort == Sort::kNone || column->sort == sort) return column;
    if (column == &root_) {
      return Wrong("", fmt::format("a record must be a mapping, but is one of {}", NameOf(sort)),
                   "hand over a list of dictionaries");
    }
    if (column->sort != Sort::kNone) {
      return Wrong(column->path,
                   fmt::format("a column must hold values of one type, but has {} here, after {}",
                               NameOf(sort), NameOf(column->sort)),
                   "convert them to one type");
    }
    column->sort = sort;
    return column;
  }

  std::string_view TextAt(const Column& column, size_t row) const {
    const size_t begin = row == 0 ? 0 : column.ends[row - 1];
    return std::string_view(column.texts).substr(begin, column.ends[row] - begin);
  }

  Result<ArrowCells> CellsOf(const Column& column) const {
    if (column.sort == Sort::kStruct) {
      ArrowCells cells = ArrowCells::Struct(column.name);
      for (const auto& below : column.below) {
        THICKET_ASSIGN(ArrowCells made, CellsOf(*below));
        cells.Add(std::move(made));
      }
      return cells;
    }
    if (column.sort == Sort::kList) {
      THICKET_ASSIGN(ArrowCells elements, CellsOf(*column.below.front()));
      return ArrowCells::List(column.name, std::move(elements));
    }
    THICKET_ASSIGN(const std::string format, FormatOf(column));
    return ArrowCells::Leaf(column.name, PlainType(format));
  }

  Result<std::string> FormatOf(const Column& column) const {
    switch (column.sort) {
      case Sort::kNone:
        return std::string("n");
      case Sort::kBoolean:
        return std::string("b");
      case Sort::kNumber:
        break;
      case Sort::kDate:
        return std::string("tdD");
      case Sort::kTime:
        return std::string("ttu");
      case Sort::kTimestamp:
        return std::string("tsu:");
      case Sort::kZoned:
        return std::string("tsu:UTC");
      default:
        return std::string("u");
    }
    const auto has = [&](Kind kind) {
      return std::find(column.kinds.begin(), column.kinds.end(), kind) != column.kinds.end();
    };
    const bool decimal = has(Kind::kDecimal);
    std::vector<std::string> candidates;
    if (decimal) {
      candidates.push_back(fmt::format("d:{},{}", kMostDigits, DigitsAfterPoint(column)));
    } else if (has(Kind::kFloat)) {
      candidates.emplace_back("g");
    } else {
      candidates = {"l", "L"};
    }
    for (const std::string& format : candidates) {
      const ArrowType type = PlainType(format);
      const auto fits = [&](size_t row) {
        return column.kinds[row] == Kind::kNone ||
               FitsArrow(type, {ValueKind::kNumber, TextAt(column, row)});
      };
      size_t row = 0;
      while (row < column.kinds.size() && fits(row)) ++row;
      if (row == column.kinds.size()) return format;
    }
    return ErrorAt(ErrorCode::kData, {.file = name_, .path = column.path},
                   "numbers must fit into 64 bits, and decimals into 38 digits, but one does not",
                   "make texts of them");
  }

  size_t DigitsAfterPoint(const Column& column) const {
    size_t digits = 0;
    for (size_t row = 0; row < column.kinds.size(); ++row) {
      const std::string_view text = TextAt(column, row);
      const size_t point = text.find('.');
      if (point != std::string_view::npos) digits = std::max(digits, text.size() - point - 1);
    }
    return std::min(digits, kMostDigits - 1);
  }

  void Fill(const Column& column, int64_t row, ArrowCells& cells) const {
    const auto at = static_cast<size_t>(row);
    if (column.sort == Sort::kStruct && column.there[at]) {
      for (size_t i = 0; i < column.below.size(); ++i) {
        Fill(*column.below[i], row, cells.column(i));
      }
      cells.EndStruct();
    } else if (column.sort == Sort::kList) {
      const int64_t begin = at == 0 ? 0 : column.list_ends[at - 1];
      for (int64_t i = begin; i < column.list_ends[at]; ++i) {
        Fill(*column.below.front(), i, cells.elements());
      }
      cells.EndList();
    } else if (column.kinds[at] == Kind::kNone) {
      cells.AppendNull();
    } else {
      cells.Append({OutgoingKind(column.kinds[at]), TextAt(column, at)});
    }
  }

  std::string name_;
  Column root_;
  std::vector<Column*> open_;
  Column* key_ = nullptr;
};

TableBuilder::TableBuilder(std::string name)
    : builder_(std::make_unique<Builder>(std::move(name))) {}
TableBuilder::TableBuilder(TableBuilder&&) noexcept = default;
TableBuilder& TableBuilder::operator=(TableBuilder&&) noexcept = default;
TableBuilder::~TableBuilder() = default;

Status TableBuilder::BeginStruct() { return builder_->Begin(Sort::kStruct); }
void TableBuilder::EndStruct() { builder_->End(); }
Status TableBuilder::BeginList() { return builder_->Begin(Sort::kList); }
void TableBuilder::EndList() { builder_->End(); }
Status TableBuilder::Value(const TableValue& value) { return builder_->Add(value); }
Status TableBuilder::Key(std::string_view name) { return builder_->Key(name); }
Result<ArrowTable> TableBuilder::Finish() && { return std::move(*builder_).Finish(); }

}  // namespace thicket
