#include "io/arrow/arrow_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "base/text.h"
#include "io/arrow/arrow_column.h"
#include "io/arrow/arrow_symbols.h"
#include "io/person_rows.h"

namespace thicket {

namespace {

using Role = DatasetSink::Key::Role;

constexpr uint64_t kGroupRowsBetweenReports = 256;

class ArrowGroupReader {
 public:
  ArrowGroupReader(const ArrowTable& table, Progress& progress, DatasetSink& sink)
      : table_(table), progress_(progress), sink_(sink), persons_(sink) {}

  Status Run() {
    THICKET_ASSIGN(type_, ArrowType::OfTable(table_.schema(), sink_.dataset().source));
    THICKET_TRY(ReadHeader());
    progress_.Begin("read", table_.rows());
    for (const ArrowArray& chunk : table_.chunks()) THICKET_TRY(ReadChunk(chunk));
    progress_.End();
    return persons_.Finish();
  }

 private:
  struct Column {
    PersonRows::Column meaning;
    const ArrowType* type = nullptr;
    // Among the columns of the table.
    size_t number = 0;
    ArrowColumn column = {};
    ArrowSymbols symbols = {};
  };

  Status ReadHeader() {
    const std::string& source = sink_.dataset().source;
    std::set<std::string_view> names;
    bool has_group = false;
    for (size_t i = 0; i < type_.children.size(); ++i) {
      const ArrowType& type = type_.children[i];
      if (!names.insert(type.name).second) {
        return ErrorAt(ErrorCode::kData, {.file = source, .path = type.path},
                       "a column must occur once, but occurs twice",
                       "rename or remove one of the two");
      }
      const PersonRows::Column meaning = persons_.AddColumn(type.name);
      has_group |= meaning.group;
      const bool dropped = meaning.is(Role::kDrop);
      if (meaning.key == nullptr && !meaning.group) continue;
      if (dropped && !sink_.published()) continue;
      if (!dropped) THICKET_TRY(MustBePlain(type, source));
      columns_.push_back({meaning, &type, i});
    }
    if (!has_group) return NoGroup(names);
    return sink_.CheckNames();
  }

  Error NoGroup(const std::set<std::string_view>& names) const {
    const std::string& group_by = sink_.schema().root().group_by;
    const auto nearest = Nearest(group_by, std::vector<std::string>(names.begin(), names.end()));
    return ErrorAt(
        ErrorCode::kData, {.file = sink_.dataset().source, .path = group_by},
        "the column that group_by names must be there, but is not",
        nearest ? fmt::format("did you mean {}?", *nearest) : "correct group_by in the policy");
  }

  Status ReadChunk(const ArrowArray& chunk) {
    for (Column& one : columns_) {
      one.column = ArrowColumn(*one.type, *chunk.children[one.number]);
      one.symbols.Attach(one.column);
    }
    const ArrowColumn rows(type_, chunk);
    uint64_t reported = 0;
    for (int64_t row = 0; row < chunk.length; ++row) {
      if (++reported == kGroupRowsBetweenReports) {
        StopPoint();
        if (progress_.cancelled()) return Interrupted();
        progress_.Advance(std::exchange(reported, 0));
      }
      ++number_;
      if (rows.IsNull(row)) {
        return persons_.Wrong(number_, "", "a row must be a struct, but is null",
                              "leave rows without a value out");
      }
      THICKET_TRY(ReadRow(rows.RowBelow(row)));
    }
    progress_.Advance(reported);
    if (sink_.published()) FindUnused();
    return {};
  }

  Status ReadRow(int64_t row) {
    persons_.Begin();
    group_.clear();
    class_number_.clear();
    for (Column& one : columns_) {
      if (sink_.published() && one.symbols.MissesOtherwise(one.column, row)) {
        sink_.TellApartAt(
            fmt::format("{}: row {}: {}", sink_.dataset().source, number_, one.type->name),
            kOneMissingValue);
      }
      if (one.column.IsNull(row)) continue;
      if (one.meaning.is(Role::kDrop)) return persons_.Dropped(number_, *one.meaning.key);
      const WrongValue* wrong = nullptr;
      if (one.meaning.is(Role::kValue)) {
        const size_t slot = one.meaning.key->slot();
        wrong = one.symbols.Read(sink_, one.meaning.id, slot, one.column, row,
                                 persons_.values(one.meaning.id)[slot]);
      }
      if (wrong == nullptr && one.meaning.group) wrong = ReadText(one, row, group_);
      if (wrong == nullptr && one.meaning.is(Role::kClassNumber)) {
        wrong = ReadText(one, row, class_number_);
      }
      if (wrong != nullptr)
        return persons_.Wrong(number_, one.type->name, wrong->what, wrong->hint);
    }
    return persons_.Add(group_, class_number_, number_);
  }

  static const WrongValue* ReadText(Column& one, int64_t row, std::string& text) {
    OutgoingValue value;
    const WrongValue* wrong = one.symbols.ReadValue(one.column, row, value);
    if (wrong == nullptr && value.kind != ValueKind::kNone) text = value.text;
    return wrong;
  }

  void FindUnused() {
    for (const Column& one : columns_) {
      if (one.meaning.is(Role::kDrop) || !one.symbols.has_unused()) continue;
      sink_.MeetUnnamedAt(sink_.dataset().source + ": " + one.type->path, kUnusedValue);
    }
  }

  const ArrowTable& table_;
  Progress& progress_;
  DatasetSink& sink_;
  PersonRows persons_;
  ArrowType type_;
  std::vector<Column> columns_;
  uint32_t number_ = 0;
  std::string group_;
  std::string class_number_;
};

}  // namespace

Status ReadArrowGroups(const ArrowTable& table, Progress& progress, DatasetSink& sink) {
  return ArrowGroupReader(table, progress, sink).Run();
}

}  // namespace thicket
